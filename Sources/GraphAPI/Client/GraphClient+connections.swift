import AsyncHTTPClient

extension GraphClient {
    /// Runs `body` with a client of its own that keeps up to `limit` connections open and closes them afterwards. The
    /// shared client allows 8, too few for many open streams.
    public static func withConnections<T: Sendable>(
        _ limit: Int, base: String, _ body: (GraphClient) async throws -> T
    ) async throws -> T {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = limit
        let http = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            let result = try await body(GraphClient(base: base, http: http))
            try await http.shutdown()
            return result
        } catch {
            try? await http.shutdown()
            throw error
        }
    }
}
