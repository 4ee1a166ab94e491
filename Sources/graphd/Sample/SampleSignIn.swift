import Database
import GraphServices
import SocialGraph

/// The people of the sample network who can sign in, and their password.
///
/// The password is drawn when the network is made, so that a server with sample data has no password that strangers
/// know. It is kept in a setting, and each start prints it: whoever reads the database finds the keys of tokens beside
/// it.
struct SampleSignIn: Sendable, Equatable {
    private static let setting = "sample_sign_in"
    /// Letters and digits that look unlike each other.
    private static let letters = Array("abcdefghijkmnpqrstuvwxyz23456789")

    /// Their addresses: of a person with many followers first, then of the most followed one.
    let emails: [String]
    let password: String

    /// Draws a password for these people.
    init(usernames: [String]) {
        emails = usernames.map { "\($0)@sample.example" }
        password = (0..<4).map { _ in String((0..<4).compactMap { _ in Self.letters.randomElement() }) }
            .joined(separator: "-")
    }

    private init?(stored: String) {
        let parts = stored.split(separator: " ").map(String.init)
        guard let password = parts.first, parts.count > 1 else { return nil }
        self.password = password
        emails = Array(parts.dropFirst())
    }

    /// Returns the people who can sign in to a sample network; nil: the graph was not made by `graphd demo`.
    static func stored(in graph: GraphStore) async throws -> SampleSignIn? {
        try await graph.settings.setting(setting).flatMap(SampleSignIn.init(stored:))
    }

    func store(in graph: GraphStore) async throws {
        try await graph.settings.store(([password] + emails).joined(separator: " "), as: Self.setting)
    }
}

extension SampleNetwork {
    /// Creates the network in an empty graph, with posts up to now and two people who can sign in.
    func create(in graph: GraphStore) async throws {
        let names = mostFollowed(2).reversed().map { usernames[$0] }
        let signIn = SampleSignIn(usernames: names)
        let hasher = PasswordHasher(concurrent: 1, waiting: 1)
        for (username, email) in zip(names, signIn.emails) {
            let hash = try await hasher.hash(signIn.password, for: WorkCaller(.server))
            _ = try await graph.accounts.createAccount(username: username, email: email, passwordHash: hash)
        }
        try await signIn.store(in: graph)
        try await write(into: graph, endingAt: SystemClock.milliseconds())
    }

    /// Returns the indices of the people with most followers, the most followed first.
    private func mostFollowed(_ count: Int) -> [Int] {
        var followers = [Int](repeating: 0, count: usernames.count)
        for follow in follows { followers[follow.followee] += 1 }
        return followers.indices.sorted { followers[$0] > followers[$1] }.prefix(count).map(\.self)
    }
}
