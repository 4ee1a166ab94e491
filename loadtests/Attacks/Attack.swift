import NIOCore

/// One hostile caller: its requests, and the number of its connections.
struct Attack: Sendable {
    /// The load that the attacker sends.
    enum Load: Sendable {
        /// Requests in turn, over each connection as fast as answers arrive.
        case requests([LoadRequest])
        /// Connections that send these bytes and then stay open.
        case held(ByteBuffer)
    }

    let name: String
    let summary: String
    let connections: Int
    /// Sets up on the server the data that the attack needs, with the rights of any user, and returns its load.
    let arrange: @Sendable (AttackSite) async throws -> Load
}

/// Requests that repeat without end.
struct RepeatedRequests: Workload {
    let kinds = ["hostile"]
    private let requests: [LoadRequest]
    private var number = 0

    init(_ requests: [LoadRequest]) {
        precondition(!requests.isEmpty, "an attack without requests would measure nothing")
        self.requests = requests
    }

    mutating func next() -> LoadRequest? {
        defer { number = (number + 1) % requests.count }
        return requests[number]
    }
}
