/// Access tokens for a service account: one at a time, kept until shortly before its expiry. Concurrent refreshes are
/// coalesced.
actor AccessTokens {
    /// Milliseconds before its expiry from which a token is renewed.
    static let margin: Int64 = 300_000

    /// A token, and its expiry in milliseconds since 1970.
    struct Granted: Sendable {
        let token: String
        let expiresAt: Int64
    }

    private let grant: @Sendable () async throws -> Granted
    private let now: @Sendable () -> Int64
    private var granted: Granted?
    private var renewal: Task<Granted, any Error>?

    /// - Parameter now: milliseconds since 1970.
    init(grant: @escaping @Sendable () async throws -> Granted, now: @escaping @Sendable () -> Int64) {
        self.grant = grant
        self.now = now
    }

    func token() async throws -> String {
        if let granted, now() < granted.expiresAt - Self.margin { return granted.token }
        if let renewal { return try await renewal.value.token }
        let task = Task { try await grant() }
        renewal = task
        defer { renewal = nil }
        let granted = try await task.value
        self.granted = granted
        return granted.token
    }

    /// Discards `token`, which Firebase does not accept; the next one is another.
    func refuse(_ token: String) {
        if granted?.token == token { granted = nil }
    }
}
