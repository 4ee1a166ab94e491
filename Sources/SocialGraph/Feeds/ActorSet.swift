/// The actors whose posts and reshares reach one reader: the reader and the followees, minus those that are left out. A
/// suspended reader is not among them.
package struct ActorSet: Sendable {
    /// The ids of the actors, ascending.
    package let actors: [UserID]
    /// The members of `actors` whose reshares do not count.
    package let withoutReshares: Set<UserID>

    package init(viewer: UserID, followees: [UserID], withoutReshares: Set<UserID>, leavingOut: Set<UserID> = []) {
        var actors = leavingOut.isEmpty ? followees : followees.filter { !leavingOut.contains($0) }
        let place = actors.partitioningIndex { $0 >= viewer }
        if !leavingOut.contains(viewer), place == actors.count || actors[place] != viewer {
            actors.insert(viewer, at: place)
        }
        self.actors = actors
        self.withoutReshares = withoutReshares
    }

    package func contains(_ user: UserID) -> Bool { actors.binaryContains(user) }

    package func reshareCounts(of user: UserID) -> Bool {
        contains(user) && (withoutReshares.isEmpty || !withoutReshares.contains(user))
    }
}

extension Array {
    /// The first index from which on `predicate` holds, in an array that it divides into two.
    package func partitioningIndex(where predicate: (Element) -> Bool) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low + high) / 2
            if predicate(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

extension Array where Element: Comparable {
    /// Returns whether this ascending array contains `element`.
    package func binaryContains(_ element: Element) -> Bool {
        let index = partitioningIndex { $0 >= element }
        return index < count && self[index] == element
    }
}
