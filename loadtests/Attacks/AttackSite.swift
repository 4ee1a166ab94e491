import Foundation
import GraphdClient

/// A served network with honest users, and an attacker who has signed up like anybody else.
final class AttackSite: Sendable {
    /// An account with a password.
    struct Account: Sendable {
        let email: String
        let password: String

        var logInBody: String { #"{"email":"\#(email)","password":"\#(password)"}"# }
    }

    let server: Server
    let honest: HonestLoad
    /// The attacker.
    let attacker: GraphdClient
    let attackerToken: String
    private let redis: Int32?

    private static let accounts = 10
    private static let readers = 64

    /// Writes a network of `authors` authors with `followers` followers each and `posts` posts.
    static func prepare(graphd: String, at data: String, authors: Int, followers: Int, posts: Int) throws {
        let files = try Scratch.directory("attack-files")
        defer { try? FileManager.default.removeItem(atPath: files) }
        try SampleGraph.writeFollows(authors: authors, followers: followers, to: files + "/follows.csv")
        try SampleGraph.writePosts(authors: authors, count: posts, to: files + "/posts.csv")
        try Program.run(graphd, ["import", "follows", files + "/follows.csv", "--data-dir", data])
        try Program.run(
            graphd, ["import", "posts", files + "/posts.csv", "--data-dir", data] + SampleGraph.postColumns)
    }

    /// Starts a server with its default limits on the network in the directory `data`.
    init(graphd: String, data: String, authors: Int) async throws {
        server = try await Server(graphd: graphd, directory: data, limitsRates: true)
        do {
            let names = (1...authors).map { "a\($0)" } + (1...Self.readers).map { "f\($0)" }
            let tokens = try server.tokens(names)
            let accounts = (1...Self.accounts).map {
                Account(email: "honest\($0)@example.org", password: "a long way home \($0)")
            }
            for (number, account) in accounts.enumerated() {
                _ = try await Self.signUp(account, "honest\(number + 1)", server.client)
            }
            honest = HonestLoad(
                readers: Array(tokens[authors...]), authors: Array(tokens[..<authors]), accounts: accounts)
            attackerToken = try await Self.signUp(
                Account(email: "mallory@example.org", password: "a long way round"), "mallory", server.client)
            attacker = server.client.with(token: attackerToken)
            redis = try? server.redis().process
            try await server.client.waitUntilOutboxIsEmpty()
        } catch {
            server.stop()
            throw error
        }
    }

    /// Kills the server and its leftovers: a server silenced by an attack does not end by itself.
    func end() {
        server.kill()
        if let redis { kill(redis, SIGTERM) }
    }

    /// Returns the client and the token of the attacker's second account.
    func accomplice() async throws -> (client: GraphdClient, token: String) {
        let token = try await Self.signUp(
            Account(email: "accomplice@example.org", password: "a long way round"), "accomplice", server.client)
        return (server.client.with(token: token), token)
    }

    /// Runs a request that the server may refuse.
    func attempt(_ request: () async throws -> Void) async throws {
        do { try await request() } catch is APIError {}
    }

    /// Returns the token.
    private static func signUp(_ account: Account, _ name: String, _ client: GraphdClient) async throws -> String {
        try await client.accounts.signUp(
            SignUp(email: account.email, password: account.password, username: name)
        ).token
    }
}
