import Logging

/// The issuer's keys. They are kept as long as the issuer allows, and fetched again when a token names an unknown key.
/// While a fetch fails, the earlier keys stay valid.
package actor KeySource {
    /// A fetched key set, and the time for which it may be kept, in milliseconds.
    package struct Fetched: Sendable {
        package let json: [UInt8]
        let lifetime: Int64
    }

    /// A key, and the number of its key set.
    package struct Found: Sendable {
        package let key: KeySet.Key
        let generation: Int
    }

    /// Shortest time between two fetches, in milliseconds, however many unknown keys are named and whatever fails.
    package static let pause: Int64 = 30_000

    private let fetch: @Sendable () async throws -> Fetched
    private let now: @Sendable () -> Int64
    private let logger: Logger
    private var set: KeySet?
    private var json: [UInt8] = []
    private var generation = 0
    private var expiresAt: Int64 = 0
    private var lastAttempt: Int64?
    private var fetching: Task<Void, Never>?

    /// - Parameter now: milliseconds since 1970.
    package init(
        fetch: @escaping @Sendable () async throws -> Fetched, now: @escaping @Sendable () -> Int64, logger: Logger
    ) {
        self.fetch = fetch
        self.now = now
        self.logger = logger
    }

    /// Returns the key that a token names; nil if there is no such key.
    ///
    /// - Throws: `Problem` 503 `unavailable` while no key set has ever been fetched.
    package func key(_ identifier: String?) async throws -> Found? {
        if set == nil || now() >= expiresAt { await renew() }
        if set?.key(identifier) == nil { await renew() }
        guard let set else {
            throw Problem(
                .unavailable, "The keys of the token's issuer are not available at the moment.",
                advice: [.retry(afterSeconds: 30)])
        }
        return set.key(identifier).map { Found(key: $0, generation: generation) }
    }

    /// Fetches the key set now.
    ///
    /// - Throws: the reason why it could not be fetched or used; the earlier keys stay valid then.
    package func reload() async throws {
        if let fetching { await fetching.value }
        lastAttempt = now()
        try await replace()
    }

    /// Fetches the key set unless a fetch was tried just now. Concurrent callers share one fetch.
    private func renew() async {
        if let fetching { return await fetching.value }
        if let lastAttempt, now() - lastAttempt < Self.pause { return }
        lastAttempt = now()
        let task = Task { await load() }
        fetching = task
        await task.value
        fetching = nil
    }

    private func load() async {
        do {
            try await replace()
        } catch {
            logger.error("keys of the OpenID Connect issuer cannot be fetched", metadata: ["error": "\(error)"])
        }
    }

    private func replace() async throws {
        let fetched = try await fetch()
        if fetched.json != json || set == nil {
            set = try await KeySet(fetched.json)
            json = fetched.json
            generation += 1
        }
        expiresAt = now() + fetched.lifetime
    }
}
