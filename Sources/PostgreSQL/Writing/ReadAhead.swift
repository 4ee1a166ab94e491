import Database

/// Results of queries that a group has sent with its beginning, for the requests that will ask them.
struct ReadAhead {
    private var results: [SQLQuery: ServerResult] = [:]

    init() {}

    init(_ queries: [SQLQuery], _ results: some Sequence<ServerResult>) { add(queries, results) }

    mutating func add(_ queries: [SQLQuery], _ results: some Sequence<ServerResult>) {
        for (query, result) in zip(queries, results) { self.results[query] = result }
    }

    func hasRead(_ query: SQLQuery) -> Bool { results[query] != nil }

    /// The results of `queries`, if all have been read and have rows; nil: they must be asked. What was not there may
    /// have come since.
    func results(of queries: [SQLQuery]) -> [ServerResult]? {
        if results.isEmpty { return nil }
        var found: [ServerResult] = []
        for query in queries {
            guard let result = results[query], result.count > 0 else { return nil }
            found.append(result)
        }
        return found
    }
}
