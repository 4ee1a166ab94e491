import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import Timeline

/// Windows last exactly as long as `--window-idle` says.
@Suite(.serialized, .timeLimit(.process))
struct IdleWindowTests {
    @Test func `every window has an expiry however it came to be`() async throws {
        // Longer than the test takes on any machine.
        try await GraphdServer.running(["--window-idle", "3600s"]) { server in
            let (author, other) = (try await server.person(), try await server.person())
            let readers = try await (0..<5).asyncMap { _ in try await server.person() }
            for reader in readers { try await server.client(reader).act("PUT", "\(author.path)/follow") }
            try await server.waitForJobs()
            // These windows are built by a read. One that Redis does not answer in time asks for none.
            repeat {
                for reader in readers.prefix(3) { _ = try await server.client(reader).page("/v1/timelines/home") }
                try await server.waitForJobs()
            } while try await server.windowExpiries().count < 3
            func expectExpiries(_ people: [Person], _ comment: Comment) async throws {
                let expiries = try await server.windowExpiries()
                #expect(Set(expiries.keys) == Set(people.map(\.id)), comment)
                for expiry in expiries.values { #expect((0...3_600).contains(expiry), comment) }
            }
            try await expectExpiries(Array(readers.prefix(3)), "built by a read")
            // These are changed by a push, a merge and a removal.
            _ = try await server.client(author).publish()
            try await server.client(readers[0]).act("PUT", "\(other.path)/follow")
            try await server.client(readers[1]).act("DELETE", "\(author.path)/follow")
            for reader in readers.prefix(3) { _ = try await server.client(reader).page("/v1/timelines/home") }
            try await server.waitForJobs()
            try await expectExpiries(Array(readers.prefix(3)), "written to")
            // The command builds windows for all users, beside the server.
            try await server.run(["timelines", "rebuild", "--all"])
            try await server.waitForJobs()
            try await expectExpiries(readers + [author, other], "built for all")
            try await server.expectCleanTimelines()
            let report = try await server.verify((readers + [author, other]).map(\.id))
            #expect(report.isClean && report.windows == 7)
        }
    }

    @Test func `the window of one user is built by name`() async throws {
        try await GraphdServer.running { server in
            let people = try await (0..<3).asyncMap { _ in try await server.person() }
            _ = try await server.client(people[1]).publish()
            try await server.run(["timelines", "rebuild", people[1].username])
            try await server.waitForJobs()
            let expiries = try await server.windowExpiries()
            #expect(Array(expiries.keys) == [people[1].id])
            // The default of 30 days.
            #expect(expiries.values.allSatisfy { (2_592_000 - 600...2_592_000).contains($0) })
            let failed = try GraphdProcess(["timelines", "rebuild", "nobody", "--data-dir", server.directory.path])
            #expect(await failed.wait() == .exited(1))
        }
    }

    @Test(arguments: ["59s", "0", "367d", "forever", "-1s"])
    func `a time that is too short or too long is refused at the start`(_ text: String) async throws {
        try await GraphdServer.prepared(["--window-idle=\(text)"]) { server in
            let process = try GraphdProcess(server.serveArguments)
            #expect(await process.wait() != .exited(0))
            let said = process.lines.joined(separator: "\n")
            #expect(said.contains("--window-idle on the command line must be a duration from 60s to 366d"), "\(said)")
        }
    }

    @Test(arguments: ["-1", "1000000001", "many"])
    func `a hub threshold out of range is refused at the start`(_ text: String) async throws {
        try await GraphdServer.prepared(["--hub-threshold=\(text)"]) { server in
            let process = try GraphdProcess(server.serveArguments)
            #expect(await process.wait() != .exited(0))
            let said = process.lines.joined(separator: "\n")
            #expect(
                said.contains("--hub-threshold on the command line must be a whole number from 0 to 1000000000"),
                "\(said)")
        }
    }
}
