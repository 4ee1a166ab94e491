/// Numbers of earlier requests that were unfinished when each request of a schedule was due. A server that falls behind
/// a little finishes in time nevertheless, because it handles waiting requests together; here it shows.
struct Backlog: Sendable {
    /// Part of the requests that may meet more than allowed: the machine itself pauses now and then.
    private static let exempt = 0.02

    /// Number of requests by the unfinished ones that they met.
    private var counts: [Int] = []

    var requests: Int { counts.reduce(0, +) }

    init() {}

    /// - Parameters:
    ///   - due: the times at which requests were due, ascending.
    ///   - done: the time at which each of them was finished.
    ///   - first: number of requests at the beginning that are not counted, but may be met.
    init<Time: Comparable>(due: [Time], done: [Time], from first: Int = 0) {
        let ends = done.sorted()
        var finished = 0
        for (number, time) in due.enumerated() {
            while finished < ends.count, ends[finished] <= time { finished += 1 }
            if number >= first { add(max(number - finished, 0)) }
        }
    }

    /// Adds a request that met so many.
    mutating func add(_ unfinished: Int) {
        while counts.count <= unfinished { counts.append(0) }
        counts[unfinished] += 1
    }

    /// Returns the share of requests that met at most `allowed`; 0 if there are none.
    func share(allowed: Int) -> Double {
        requests > 0 ? Double(counts.prefix(allowed + 1).reduce(0, +)) / Double(requests) : 0
    }

    func isKeptUpWith(allowed: Int) -> Bool { share(allowed: allowed) >= 1 - Self.exempt }

    /// Returns a phrase such as "99.7 % of 1000 met at most 1 unfinished".
    func text(allowed: Int) -> String {
        "\((share(allowed: allowed) * 100).short) % of \(requests) met at most \(allowed) unfinished"
    }
}
