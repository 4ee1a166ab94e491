import Algorithms
import Database

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
