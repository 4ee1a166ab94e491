import Foundation
import GraphAPI

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
    let attacker: GraphClient
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

    /// Sends a request of the attacker that must succeed. Returns the field `name` of the answer.
    @discardableResult
    func act(_ method: String, _ path: String, _ body: String, returning name: String? = nil) async throws -> String {
        let answer = try await attacker.exchange(method, path, json: Array(body.utf8))
        guard (200..<300).contains(answer.status) else {
            throw Program.Failure(
                description: "\(method) \(path): \(answer.status) \(String(decoding: answer.body, as: UTF8.self))")
        }
        return name.flatMap { Self.text($0, in: answer.body) } ?? ""
    }

    /// Returns the token of the attacker's second account.
    func accomplice() async throws -> String {
        try await Self.signUp(
            Account(email: "accomplice@example.org", password: "a long way round"), "accomplice", server.client)
    }

    /// Sends a request that may be refused. Returns the status.
    func attempt(_ method: String, _ path: String, _ body: String, token: String? = nil) async throws -> Int {
        let client = token.map(server.client.with(token:)) ?? attacker
        return try await client.exchange(method, path, json: body.isEmpty ? nil : Array(body.utf8)).status
    }

    private static func signUp(_ account: Account, _ name: String, _ client: GraphClient) async throws -> String {
        let body = #"{"email":"\#(account.email)","password":"\#(account.password)","username":"\#(name)"}"#
        let answer = try await client.exchange("POST", "/v1/auth/signup", json: Array(body.utf8))
        guard answer.status == 201, let token = text("token", in: answer.body) else {
            throw Program.Failure(description: "signing up \(name) was answered with \(answer.status)")
        }
        return token
    }

    private static func text(_ name: String, in body: [UInt8]) -> String? {
        (try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])?[name] as? String
    }
}
