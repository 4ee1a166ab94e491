import Foundation
import HTTPTypes
import Moderation
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import GraphHTTP
@testable import GraphServices
@testable import StrictJSON

/// The default budgets, over HTTP. The test acts as a trusted proxy, so that it can use many addresses.
@Suite(.timeLimit(.process))
struct LimitTests {
    private static let password = "correct horse"

    private func limited(
        _ arguments: [String] = [], _ body: (GraphdServer) async throws -> Void
    ) async throws {
        try await GraphdServer.running(
            ["--limits", "on", "--trusted-proxies", "127.0.0.1"] + arguments, in: .process, body)
    }

    private func signUp(_ name: String, from address: String, _ server: GraphdServer) async throws -> Answer {
        let body = #"{"email":"\#(name)@example.org","password":"\#(Self.password)","username":"\#(name)"}"#
        return try await server.client().post("/v1/auth/signup", body, headers: [("X-Forwarded-For", address)])
    }

    private func logIn(
        _ name: String, _ password: String = Self.password, from address: String, _ server: GraphdServer
    ) async throws -> Answer {
        try await server.client().post(
            "/v1/auth/login", #"{"email":"\#(name)@example.org","password":"\#(password)"}"#,
            headers: [("X-Forwarded-For", address)])
    }

    @Test func `every operation with a budget says so and plain reads do not`() async throws {
        try await limited { server in
            for operation in try APIDescription.registered() where !operation.path.hasSuffix("/stream") {
                // Each operation gets a new caller, because some of them end the account or the session.
                let client = server.client(try await server.person())
                let isWrite = operation.method != "GET"
                let answer = try await client.send(
                    operation.method, operation.examplePath, body: isWrite ? Array("{}".utf8) : nil)
                let budget = RouteBudgets.budget(of: .init(operation.method) ?? .get, at: operation.path)
                let policy = answer.header("RateLimit-Policy")
                if let budget {
                    let rate = try #require(budget.standard)
                    #expect(policy == "\"\(budget.rawValue)\";q=\(rate.count);w=\(rate.seconds)", "\(operation)")
                    #expect(answer.header("RateLimit")?.hasPrefix("\"\(budget.rawValue)\";r=") == true, "\(operation)")
                } else {
                    #expect(policy == nil && answer.header("RateLimit") == nil, "\(operation)")
                }
            }
        }
    }

    @Test(arguments: [("/v1/auth/signup", 60), ("/v1/auth/login", 300), ("/social/user/signup", 60)])
    func `an address may sign up and log in so often`(_ path: String, _ limit: Int) async throws {
        try await limited { server in
            // Every attempt counts. This kind does not cost a hash.
            @Sendable func attempt(_ address: String) async throws -> Answer {
                try await server.client().post(path, "{}", headers: [("X-Forwarded-For", address)])
            }
            // Concurrent: on a busy machine, attempts one after the other take longer than the minute.
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<limit { group.addTask { try await attempt("198.51.100.1").status } }
                for try await status in group { #expect(status == 400) }
            }
            var refused = try await attempt("203.0.113.9, 198.51.100.1")
            while refused.status == 400 {
                // They took longer than the minute. Further ones fill it again.
                let former = refused
                refused = try await withThrowingTaskGroup(of: Answer.self) { group in
                    for _ in 0...limit { group.addTask { try await attempt("203.0.113.9, 198.51.100.1") } }
                    return try await group.reduce(former) { $1.status == 429 ? $1 : $0 }
                }
            }
            #expect(refused.status == 429)
            #expect((1...60).contains(refused.header("Retry-After").flatMap { Int($0) } ?? 0))
            #expect(refused.header("RateLimit")?.contains(";r=0;t=") == true)
            #expect(try await attempt("198.51.100.2").status == 400)
        }
    }

    @Test func `a user may post 600 times a minute products included and read on`() async throws {
        #expect(RateBudget.posts.standard == Rate(600, per: .seconds(60)))
        // The same number, in a time that a busy machine does not need for them.
        try await limited(["--rates", "posts=600/1h"]) { server in
            let (person, other) = (try await server.person(), try await server.person())
            let client = server.client(person)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<599 { group.addTask { _ = try await client.publish() } }
                try await group.waitForAll()
            }
            let create = #"{"userId":"\#(person.idText)","caption":"c","mediaUrl":"https://example.org/v.mp4"}"#
            let last = try await client.post("/social/post/create", create)
            #expect(last.status == 201)
            #expect(last.header("RateLimit-Policy") == "\"posts\";q=600;w=3600")
            #expect(last.header("RateLimit")?.contains(";r=0;") == true)
            let refused = try await client.post("/v1/posts", #"{"caption":"c","mediaUrl":"https://example.org/v"}"#)
            try refused.expectProblem(429, "rate_limited")
            #expect(try await client.post("/social/post/create", create).status == 429)
            _ = try await server.client(other).publish()
            for _ in 0..<700 { #expect(try await client.get("/v1/timelines/home?limit=1").status == 200) }
        }
    }

    @Test func `orders and undos of moderators count their subjects`() async throws {
        let standard = try #require(RateBudget.moderationSubjects.standard)
        #expect(standard.count >= ModerationLimits.subjectsPerOrder)
        try await limited(["--rates", "moderationSubjects=4/1h"]) { server in
            let admin = try await server.person("admin")
            _ = try await server.graph.moderation.appoint(.admin, admin.id, reason: "the first")
            let client = server.client(admin)
            var people: [Person] = []
            for _ in 0..<3 { people.append(try await server.person()) }
            func silence(_ users: ArraySlice<Person>) async throws -> Answer {
                let subjects = users.map { #"{"userId":"\#($0.idText)"}"# }.joined(separator: ",")
                return try await client.post(
                    "/v1/moderation/actions", #"{"action":"silenceUser","reason":"r","subjects":[\#(subjects)]}"#)
            }
            let first = try await silence(people[..<2])
            #expect(first.status == 200 && first.header("RateLimit-Policy")?.hasPrefix("\"moderation\"") == true)
            let refused = try await silence(people[...])
            try refused.expectProblem(429, "rate_limited")
            #expect(refused.header("RateLimit-Policy") == "\"moderationSubjects\";q=4;w=3600")
            let batch = try #require(try first.json["batch"]?.text)
            #expect(try await client.post("/v1/moderation/batches/\(batch)/undo", "{}").status == 200)
            try await silence(people[2...]).expectProblem(429, "rate_limited")
        }
    }

    @Test func `a request beyond the budget does not use up its key`() async throws {
        try await limited(["--rates", "posts=2/2s"]) { server in
            let client = server.client(try await server.person())
            func publish(_ key: Int) async throws -> Answer {
                let body = #"{"caption":"\#(key)","mediaUrl":"https://example.org/v"}"#
                return try await client.post("/v1/posts", body, headers: [("Idempotency-Key", "\(key)")])
            }
            var (key, answer) = (1, try await publish(1))
            while answer.status == 201 {
                key += 1
                answer = try await publish(key)
            }
            try answer.expectProblem(429, "rate_limited")
            while answer.status == 429 {
                // Not for synchronisation: the pause that the server asks for.
                try await Task.sleep(for: .seconds(answer.header("Retry-After").flatMap { Int($0) } ?? 1))
                answer = try await publish(key)
            }
            #expect(answer.status == 201 && answer.header("Idempotent-Replayed") == nil)
            #expect(try await client.get("/v1/me").json["postsCount"] == .integer(Int64(key)))
        }
    }

    @Test func `ten wrong passwords from one address are enough and lock nobody else out`() async throws {
        try await limited { server in
            let (home, thief, elsewhere) = ("198.51.100.1", "198.51.100.66", "198.51.100.2")
            #expect(try await signUp("ann", from: home, server).status == 201)
            // The answer does not reveal that the other account does not exist.
            for name in ["ann", "nobody"] {
                for _ in 0..<10 {
                    try await logIn(name, "a wrong password", from: thief, server).expectProblem(
                        401, "wrong_credentials")
                }
                let refused = try await logIn(name, "a wrong password", from: thief, server)
                try refused.expectProblem(429, "rate_limited")
                #expect(refused.header("RateLimit-Policy") == "\"wrongPasswords\";q=10;w=300")
                #expect((1...300).contains(refused.header("Retry-After").flatMap { Int($0) } ?? 0))
                // The right password is refused as well. An acceptance would tell the thief that it is right.
                try await logIn(name, from: thief, server).expectProblem(429, "rate_limited")
            }
            #expect(try await logIn("ann", from: elsewhere, server).status == 200)
            // Other clients at the owner's address cannot lock the owner out either.
            for _ in 0..<10 { #expect(try await logIn("ann", "a wrong password", from: home, server).status == 401) }
            #expect(try await logIn("ann", "a wrong password", from: home, server).status == 429)
            #expect(try await logIn("ann", from: home, server).status == 200)
            #expect(try await logIn("ann", "a wrong password", from: home, server).status == 401)
        }
    }

    @Test func `guesses at once are no more than guesses one after another`() async throws {
        try await limited { server in
            #expect(try await signUp("ann", from: "198.51.100.1", server).status == 201)
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<40 {
                    group.addTask { try await logIn("ann", "guess \(number)", from: "198.51.100.66", server).status }
                }
                return try await group.reduce(into: [Int]()) { $0.append($1) }
            }
            #expect(statuses.count { $0 == 401 } == 10)
            #expect(statuses.count { $0 == 429 } == 30)
        }
    }

    @Test func `a wrong current password is a guess as well`() async throws {
        try await limited { server in
            let answer = try await signUp("ann", from: "198.51.100.1", server)
            let client = server.client(token: try #require(try answer.json["token"]?.text))
            func change(_ current: String) async throws -> Answer {
                try await client.send(
                    "PUT", "/v1/me/password",
                    body: Array(#"{"currentPassword":"\#(current)","newPassword":"another password"}"#.utf8))
            }
            for _ in 0..<10 { try await change("a wrong password").expectProblem(401, "wrong_credentials") }
            try await change("a wrong password").expectProblem(429, "rate_limited")
        }
    }

    /// Opens connections that each send a log-in and may be closed before its answer. The server stands still
    /// meanwhile, so that it gets all of them at once, however long they take.
    private func flood(_ connections: Int, _ server: GraphdServer) async throws -> [RawConnection] {
        server.signal(SIGSTOP)
        defer { server.signal(SIGCONT) }
        var flood: [RawConnection] = []
        for number in 0..<connections {
            let body = #"{"email":"\#(UUID().uuidString)@example.org","password":"guess \#(number)"}"#
            let connection = try RawConnection(port: server.port)
            try await connection.send(
                "POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.66\r\n"
                    + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
            flood.append(connection)
        }
        return flood
    }

    @Test func `a flood of logins from one address does not keep an honest one out`() async throws {
        // Rate limits are off, so that the queue alone has to protect the server.
        try await limited(["--limits", "off"]) { server in
            #expect(try await signUp("ann", from: "198.51.100.1", server).status == 201)
            for _ in 0..<3 {
                let flood = try await flood(120, server)
                // The queue is full once one log-in of the flood is refused.
                var isFull = false
                for connection in flood.reversed() where !isFull {
                    isFull = try await connection.receive { $0.contains("\r\n\r\n") }.hasPrefix("HTTP/1.1 503")
                }
                #expect(isFull)
                #expect(try await logIn("ann", from: "198.51.100.1", server).status == 200)
            }
        }
    }

    @Test func `a login whose client has left leaves the queue`() async throws {
        try await limited(["--limits", "off"]) { server in
            func count(_ status: String) async throws -> Int {
                try await server.client().get("/metrics").text.split(separator: "\n")
                    .filter {
                        $0.hasPrefix("http_requests_total") && $0.contains(#"route="/v1/auth/login""#)
                            && $0.contains(status)
                    }
                    .compactMap { $0.split(separator: " ").last.flatMap { Double($0) }.map { Int($0) } }
                    .reduce(0, +)
            }
            // Exactly as many log-ins as can be hashed and wait. None is refused.
            let all = PasswordHasher.concurrent + PasswordHasher.waiting
            var sent = 0
            // On a stalled machine all may be answered before they leave, hence further floods, until the time limit.
            while try await count("5xx") == 0 {
                var connections = try await flood(all, server)
                sent += all
                // Once one is answered, the others are waiting.
                #expect(try await connections[0].receive { $0.contains("\r\n\r\n") }.hasPrefix("HTTP/1.1 401"))
                connections = []
                while try await count("5xx") == 0, try await count("4xx") < sent {
                    // Not for synchronisation: a busy loop would take processor time from the server.
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
        }
    }

    @Test func `the seventeenth stream of posts of one user is refused, and a closed one makes room`() async throws {
        try await limited { server in
            let (person, other) = (try await server.person(), try await server.person())
            let client = server.client(person)
            var paths: [String] = []
            for _ in 0..<4 { paths.append("/v1/posts/\(try await client.publish())/stream") }
            var streams = try await (0..<16).asyncMap { try await client.stream(paths[$0 % 4]) }
            let refused = try await client.get(paths[0])
            try refused.expectProblem(429, "rate_limited")
            #expect(refused.header("Retry-After") == "5")
            #expect(refused.header("RateLimit-Policy") == "\"postStreams\";q=16;qu=\"concurrent-requests\"")
            _ = try await server.client(other).stream(paths[0])
            streams.removeLast()
            // The server notices the closed stream a moment later.
            while true {
                if let stream = try? await client.stream(paths[1]) {
                    streams.append(stream)
                    break
                }
                // Not for synchronisation: a busy loop would take processor time from the server.
                try await Task.sleep(for: .milliseconds(20))
            }
            try await client.get(paths[0]).expectProblem(429, "rate_limited")
            // The home stream has a separate limit.
            _ = try await client.stream()
        }
    }

    @Test func `a rate that an operator sets holds`() async throws {
        try await limited(["--rates", "posts=2/1h,searches=off"]) { server in
            let client = server.client(try await server.person())
            _ = try await client.publish()
            _ = try await client.publish()
            let refused = try await client.post("/v1/posts", #"{"caption":"c","mediaUrl":"https://example.org/v"}"#)
            try refused.expectProblem(429, "rate_limited")
            #expect(refused.header("RateLimit-Policy") == "\"posts\";q=2;w=3600")
            #expect(try await client.get("/v1/search/posts?q=caption").header("RateLimit-Policy") == nil)
        }
    }
}
