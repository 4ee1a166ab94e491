import Foundation
import ServiceTestSupport
import TestSupport
import Testing

@testable import GraphServices
@testable import graphd

/// Clients that hold too many connections, or hold them for too long.
@Suite(.timeLimit(.process))
struct ConnectionTests {
    private static let request = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"

    private func healthz(_ connection: RawConnection) async throws -> String {
        try await connection.send(Self.request)
        return try await connection.receive { $0.hasSuffix("}") }
    }

    @Test func `over the cap of one address a connection is told 503 and closed`() async throws {
        try await GraphdServer.running(["--max-connections-per-address", "3"], in: .process) { server in
            let held = try (0..<3).map { _ in try RawConnection(port: server.port) }
            for connection in held { #expect(try await healthz(connection).hasPrefix("HTTP/1.1 200")) }
            for bytes in ["", Self.request, "GET /hea"] {
                let refused = try RawConnection(port: server.port)
                try await refused.send(bytes)
                let answer = try await refused.receive()
                #expect(answer.hasPrefix("HTTP/1.1 503") && answer.contains("\r\nRetry-After: "), "\(answer)")
                #expect(answer.contains("\r\nConnection: close\r\n") && answer.hasSuffix("}"), "\(answer)")
                #expect(answer.contains(#""code":"busy""#), "\(answer)")
            }
            // Open connections keep working, and closing one makes room.
            #expect(try await healthz(held[0]).hasPrefix("HTTP/1.1 200"))
            held[1].finish()
            #expect(try await held[1].receive() == "")
            // The server counts a connection a moment longer than its socket is open.
            while true {
                let next = try RawConnection(port: server.port)
                if (try? await healthz(next))?.hasPrefix("HTTP/1.1 200") == true { break }
                // Not for synchronisation: a busy loop would take processor time from the server.
                try await Task.sleep(for: .milliseconds(10))
            }
        }
    }

    @Test func `over the cap of all a connection is told 503`() async throws {
        let arguments = ["--max-connections", "16", "--max-connections-per-address", "0"]
        try await GraphdServer.running(arguments, in: .process) { server in
            let held = try (0..<16).map { _ in try RawConnection(port: server.port) }
            for connection in held { #expect(try await healthz(connection).hasPrefix("HTTP/1.1 200")) }
            // More connections than can be refused at the same time are refused one after the other.
            for _ in 0..<3 * DescriptorBudget.connectionRefusals {
                let refused = try RawConnection(port: server.port)
                #expect(try await refused.receive().hasPrefix("HTTP/1.1 503"))
            }
            #expect(try await healthz(held[15]).hasPrefix("HTTP/1.1 200"))
        }
    }

    @Test(arguments: ["", "GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: ", "\r\n\r\n"])
    func `a header that does not come in time ends the connection`(_ bytes: String) async throws {
        try await GraphdServer.running(["--header-timeout", "1s"], in: .process) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.send(bytes)
            let answer = try await connection.receive()
            #expect(answer.hasPrefix("HTTP/1.1 408") && answer.contains(#""code":"request_timeout""#), "\(answer)")
        }
    }

    @Test func `a body that does not come in time ends the connection`() async throws {
        try await GraphdServer.running(["--body-timeout", "1s"], in: .process) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.send("POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{")
            #expect(try await connection.receive().hasPrefix("HTTP/1.1 408"))
        }
    }

    @Test func `an idle connection is closed and a stream is not`() async throws {
        // Longer than an honest request takes on a busy machine.
        let arguments = ["--idle-timeout", "10s", "--body-timeout", "10s", "--header-timeout", "10s"]
        try await GraphdServer.running(arguments, in: .process) { server in
            let person = try await server.person()
            var stream = try await server.client(person).stream()
            let connection = try RawConnection(port: server.port)
            #expect(try await healthz(connection).hasPrefix("HTTP/1.1 200"))
            #expect(try await connection.receive() == "")
            // The stream has been open for longer than the idle connection was.
            let post = try await server.client(person).publish()
            #expect(try await stream.posts(1).map(\.postID) == [post])
        }
    }

    @Test func `a body that goes on after its answer is not read for ever`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let connection = try RawConnection(port: server.port)
            try await connection.send("POST /nowhere HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
            let chunk = "10\r\n" + String(repeating: "a", count: 16) + "\r\n"
            try await connection.send(chunk)
            #expect(try await connection.receive { $0.hasSuffix("}") }.hasPrefix("HTTP/1.1 404"))
            while await connection.takes(chunk) {
                // Not for synchronisation: keeps the sender busy without using up the processor.
                try await Task.sleep(for: .milliseconds(100))
            }
            #expect(try await server.client().get("/healthz").status == 200)
        }
    }

    @Test(arguments: ["/v1/auth/login", "/v1/auth/refresh", "/vistavid/auth/login", "/fitstream/auth/login"])
    func `a body that logs somebody in is small`(_ path: String) async throws {
        try await GraphdServer.running(in: .process) { server in
            let padding = String(repeating: " ", count: RequestLimits.credentialBodyBytes)
            let answer = try await server.client().post(path, padding + "{}")
            #expect(
                answer.status == 413 && answer.text.contains("\(RequestLimits.credentialBodyBytes) bytes"), "\(answer)")
        }
    }

    @Test(arguments: ["/fitstream/users/%", "/reelai/users/%", "/fitfocus/users/%", "/social/user/%/update"])
    func `a change of a profile whose picture is a URL is no larger than other bodies`(_ path: String) async throws {
        try await GraphdServer.running(in: .process) { server in
            let person = try await server.person()
            let padding = String(repeating: " ", count: RequestLimits.bodyBytes)
            let answer = try await server.client(person).put(
                path.replacingOccurrences(of: "%", with: person.idText), padding + "{}")
            #expect(answer.status == 413 && answer.text.contains("\(RequestLimits.bodyBytes) bytes"), "\(answer)")
        }
    }

    /// Only a few large bodies with pictures, from one address or of one user, are read at the same time, whether the
    /// size is declared or not.
    @Test(
        arguments: [
            (.signUpPictures, "POST /v1/auth/signup", true), (.signUpPictures, "POST /v1/auth/signup", false),
            (.signUpPictures, "POST /vistavid/auth/signup", true), (.profilePictures, "PATCH /v1/me", true),
            (.profilePictures, "PATCH /v1/me", false),
        ] as [(SlotBudget, String, Bool)])
    func `few large bodies with pictures are read at once`(
        _ budget: SlotBudget, _ operation: String, _ isSized: Bool
    ) async throws {
        try await GraphdServer.running(in: .process) { server in
            let person = try await server.person()
            let token = budget == .profilePictures ? "Authorization: Bearer \(person.token)\r\n" : ""
            let length = isSized ? "Content-Length: 1000000" : "Transfer-Encoding: chunked"
            let part = String(repeating: " ", count: 0x5000)
            let start =
                "\(operation) HTTP/1.1\r\nHost: a\r\n\(token)\(length)\r\n\r\n"
                + (isSized ? part : "5000\r\n\(part)\r\n")
            let limit = budget.limit.perHolder
            let connections = try (0...limit).map { _ in try RawConnection(port: server.port) }
            for connection in connections { try await connection.send(start) }
            try await withThrowingTaskGroup(of: String.self) { group in
                for connection in connections {
                    group.addTask { try await connection.receive { $0.hasSuffix("}") } }
                }
                let answer = try #require(try await group.next())
                #expect(answer.hasPrefix("HTTP/1.1 429"), "\(answer)")
                for connection in connections { connection.finish() }
                while try await group.next() != nil {}
            }
        }
    }

    /// Opens idle, half-header and half-body connections, far more than there are descriptors. None of them ends the
    /// process or disturbs requests, and their descriptors are free afterwards.
    @Test func `without descriptors it lowers its caps and goes on serving`() async throws {
        try await GraphdServer.prepared(in: .process) { server in
            try await server.start(fileDescriptors: 256)
            let line = try #require(server.logLines.first { $0.contains("too few file descriptors") })
            #expect(line.contains("\"level\":\"warning\"") && line.contains("\"limit\":\"256\""))
            let person = try await server.person()
            let established = try RawConnection(port: server.port)
            #expect(try await healthz(established).hasPrefix("HTTP/1.1 200"))
            let starts = ["", "GET /hea", "POST /v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\n{"]
            var held: [RawConnection] = []
            for index in 0..<400 {
                let connection = try RawConnection(port: server.port)
                try await connection.send(starts[index % starts.count])
                held.append(connection)
                if index % 50 == 0 { #expect(try await healthz(established).hasPrefix("HTTP/1.1 200")) }
            }
            // Operations that open files still work: the database, Redis, and the log.
            try await established.send(
                "GET /v1/timelines/home HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(person.token)\r\n\r\n")
            #expect(try await established.receive { $0.hasSuffix("}") }.hasPrefix("HTTP/1.1 200"))
            held.removeAll()
            // To the client, a refusal may also be a reset.
            while (try? await server.client().get("/healthz"))?.status != 200 {
                // Not for synchronisation: the server notices the closed connections one by one.
                try await Task.sleep(for: .milliseconds(10))
            }
            try await server.waitForJobs()
            _ = try await server.client(person).publish()
            #expect(await server.stop() == .exited(0))
        }
    }

    @Test func `with far too few descriptors it says what it needs`() async throws {
        try await GraphdServer.prepared(in: .process) { server in
            await #expect(throws: GraphdProcess.EndedEarly.self) { try await server.start(fileDescriptors: 100) }
            let needed = "needs at least \(DescriptorBudget.minimum)"
            #expect(server.logLines.contains { $0.contains("may open only 100 files") && $0.contains(needed) })
        }
    }
}
