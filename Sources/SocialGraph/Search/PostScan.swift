import Algorithms
import Database

/// The posts that meet one condition, newest first, entered at the place that the other conditions have reached. Reads
/// ahead: the batch grows the further the scan is walked, and, if each entry is expensive, the more often it is
/// entered.
package struct PostScan {
    /// Result of one fetch.
    package struct Chunk {
        /// Descending.
        let ids: [Int64]
        /// The place at or above which everything has been examined; nil: there is nothing below.
        let end: Int64?
        /// Rows.
        let examined: Int

        package init(ids: [Int64], end: Int64?, examined: Int) {
            self.ids = ids
            self.end = end
            self.examined = examined
        }

        /// Result of a fetch from an index in which every row is wanted.
        package init(_ ids: [Int64], limit: Int) {
            self.init(ids: ids, end: ids.count < limit ? nil : ids.last, examined: ids.count)
        }
    }

    /// Examines up to `limit` rows strictly below `bound`.
    package typealias Fetch = (_ bound: Int64, _ limit: Int) throws -> Chunk
    /// Returns for each id whether it meets the condition.
    package typealias LookUp = (_ ids: [Int64]) throws -> [Bool]

    private let fetch: Fetch
    private let lookUp: LookUp?
    private let budget: ScanBudget
    private let readAhead: ClosedRange<Int>
    private let isEntryDear: Bool
    private var chunk: Int
    private var buffer: ArraySlice<Int64> = []
    /// The place down to which the buffer is complete; nil: there is nothing below it.
    private var end: Int64? = .max

    /// - Parameter lookUp: looks up many ids at once; nil: `fetch` is asked for each.
    package init(
        _ budget: ScanBudget, readAhead: ClosedRange<Int> = 16...1_024, isEntryDear: Bool = false,
        lookUp: LookUp? = nil, _ fetch: @escaping Fetch
    ) {
        self.budget = budget
        self.lookUp = lookUp
        self.fetch = fetch
        self.isEntryDear = isEntryDear
        self.readAhead = readAhead
        chunk = readAhead.lowerBound
    }

    /// The largest id below `bound`, which must not grow from call to call; nil: there is none. Throws
    /// ``ScanBudgetSpent``, after at least one fetch.
    mutating func next(below bound: Int64) throws -> Int64? {
        if let last = buffer.last, last < bound {
            buffer = buffer[buffer.partitioningIndex { $0 < bound }...]
            return buffer.first
        }
        guard let end else { return nil }
        if isEntryDear {
            chunk = min(chunk * 4, readAhead.upperBound)
        } else if buffer.last == bound {
            chunk = min(chunk * 2, readAhead.upperBound)
        } else {
            chunk = max(chunk / 2, readAhead.lowerBound)
        }
        var place = min(bound, end)
        while true {
            let found = try fetch(place, min(chunk, max(budget.left, readAhead.lowerBound)))
            budget.spend(max(found.examined, 1))
            buffer = found.ids[...]
            self.end = found.end
            if let first = found.ids.first { return first }
            guard let end = found.end else { return nil }
            if budget.isSpent { throw ScanBudgetSpent(place: end) }
            place = end
            chunk = min(chunk * 2, readAhead.upperBound)
        }
    }

    /// Returns for each of `ids`, in any order, whether it meets the condition, without reading ahead.
    func have(_ ids: [Int64]) throws -> [Bool] {
        budget.spend(ids.count)
        return try lookUp?(ids) ?? ids.map { try fetch($0 + 1, 1).ids.first == $0 }
    }
}

/// The posts that meet a condition by at least one of several access paths.
package struct PostCondition {
    private var ways: [PostScan]

    /// A condition without an access path matches nothing.
    package init(anyOf ways: [PostScan]) { self.ways = ways }

    /// The largest id below `bound`, like ``PostScan/next(below:)``, over all access paths together.
    mutating func next(below bound: Int64) throws -> Int64? {
        var highest: Int64?
        var spent: Int64?
        for index in ways.indices {
            do {
                guard let id = try ways[index].next(below: bound) else { continue }
                highest = max(highest ?? id, id)
            } catch let limit as ScanBudgetSpent {
                spent = max(spent ?? limit.place, limit.place)
            }
        }
        // One path may go on below the place where another has stopped.
        if let spent, (highest ?? .min) < spent { throw ScanBudgetSpent(place: spent) }
        return highest
    }

    /// Returns those of `ids` that meet the condition, in their order.
    func meeting(_ ids: [Int64]) throws -> [Int64] {
        var met: Set<Int64> = []
        for way in ways {
            let others = ids.filter { !met.contains($0) }
            if others.isEmpty { break }
            for (id, isMet) in zip(others, try way.have(others)) where isMet { met.insert(id) }
        }
        return ids.filter(met.contains)
    }
}

/// The posts that meet all of several conditions, newest first: each condition in turn is asked for the next post at or
/// below the place of the one before, until all name the same post. (Leapfrog join: Veldhuizen, ICDT 2014.) The cost
/// depends on the rarest condition, whichever it is.
package struct PostIntersection {
    /// A look-up for a condition that no index covers.
    package typealias Check = PostScan.LookUp

    package let budget: ScanBudget
    private var conditions: [PostCondition]
    private let checks: [Check]

    /// - Parameter conditions: at least one.
    package init(of conditions: [PostCondition], checks: [Check] = [], _ budget: ScanBudget) {
        precondition(!conditions.isEmpty, "all posts are a condition, too")
        self.conditions = conditions
        self.checks = checks
        self.budget = budget
    }

    /// The largest id below `bound` that meets all conditions. Throws ``ScanBudgetSpent``.
    mutating func next(below bound: Int64) throws -> Int64? {
        var candidate: Int64?
        var agreeing = 0
        var index = 0
        // Each condition takes a step, however little of the budget is left, so every scan gets beyond its start.
        var steps = 0
        while true {
            while agreeing < conditions.count {
                guard let found = try conditions[index].next(below: candidate.map { $0 + 1 } ?? bound) else {
                    return nil
                }
                agreeing = found == candidate ? agreeing + 1 : 1
                candidate = found
                index = (index + 1) % conditions.count
                steps += 1
                if budget.isSpent, agreeing < conditions.count, steps >= conditions.count {
                    throw ScanBudgetSpent(place: found + 1)
                }
            }
            guard let met = candidate, try !passes(met) else { return candidate }
            if budget.isSpent { throw ScanBudgetSpent(place: met) }
            // The search continues strictly below it.
            candidate = met - 1
            agreeing = 0
        }
    }

    private func passes(_ id: Int64) throws -> Bool {
        budget.spend(checks.count)
        return try checks.allSatisfy { try $0([id])[0] }
    }

    /// Up to `limit` posts below `bound`, newest first, as far as the budget reaches.
    package func newest(below bound: PostID?, limit: Int) throws -> PostSlice {
        var posts = self
        var found: [PostID] = []
        var place = bound?.rawValue ?? .max
        do {
            while found.count < limit {
                guard let next = try posts.next(below: place) else {
                    return PostSlice(posts: found, end: nil, examined: budget.examined)
                }
                found.append(PostID(rawValue: next))
                place = next
                // The slice is full even if its last post has used up the budget.
                if budget.isSpent { break }
            }
        } catch let spent as ScanBudgetSpent {
            place = min(place, spent.place)
        }
        return PostSlice(posts: found, end: PostID(rawValue: place), examined: budget.examined)
    }

    /// Those of `ids`, which must differ, that meet all conditions, in their order. Each condition is a round trip, or
    /// as many as it has access paths.
    package func meeting(_ ids: [Int64]) throws -> [Int64] {
        var left = ids
        for condition in conditions where !left.isEmpty { left = try condition.meeting(left) }
        budget.spend(checks.count * left.count)
        for check in checks where !left.isEmpty { left = zip(left, try check(left)).filter(\.1).map(\.0) }
        return left
    }
}
