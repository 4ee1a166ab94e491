import Database
import Foundation
import Glibc
import ServiceTestSupport
import Synchronization
import TestSupport
import Testing

@testable import CommandSupport
@testable import ModerationCommands
@testable import SocialGraph
@testable import StrictJSON

@Suite(.timeLimit(.model))
struct DyingServerTests {
    private static let subjects = 4 * OrderDraft.subjectsPerRequest
    /// Number of orders answered before the server dies.
    private static let answered = 2

    enum Instant: CaseIterable { case whileItWorks, whenItHasAnswered }

    /// Kills the server at the third order.
    @Test(arguments: Instant.allCases)
    func `a server that dies half-way leaves whole orders, which the command names, and which can be undone`(
        instant: Instant
    ) async throws {
        try await GraphdServer.running(in: .process) { server in
            let admin = try await server.admin()
            let names = (1...Self.subjects).map { "bot\($0)" }
            try await server.importFollows(names.map { ($0, admin.username) })
            let words = ["user", "silence", "-", "--reason", "Bots", "--json"]
            let input = names.joined(separator: "\n")
            let orders = Atomic(0)
            let relay = try Relay(to: server.port) { piece, direction in
                switch direction {
                case .request:
                    guard piece.starts(with: Array("POST /v1/moderation/actions ".utf8)) else { return true }
                    let order = orders.add(1, ordering: .relaxed).newValue
                    if order > Self.answered, instant == .whileItWorks { Self.kill(server, afterMilliseconds: 5) }
                    return true
                case .answer:
                    guard orders.load(ordering: .relaxed) > Self.answered else { return true }
                    server.signal(SIGKILL)
                    return false
                }
            }
            let broken = try await server.command(words, as: admin, input: input, through: relay)
            await server.kill()
            broken.expect(75)
            let batches = try #require(try broken.json.at("batches")?.arrayValue?.compactMap { $0.stringValue })
            let done = batches.count * OrderDraft.subjectsPerRequest
            #expect(batches.count == Self.answered)
            #expect(try broken.json.at("changed") == .integer(Int64(done)))
            #expect(broken.errors.last?.contains("\(done) of \(Self.subjects) are done") == true, "\(broken.errors)")
            #expect(broken.errors.last?.contains("graphd undo \(batches.joined(separator: " "))") == true)

            try await server.start()
            let silenced = try await Self.silenced(server)
            // The order in progress is applied wholly or not at all. Answered orders are applied.
            let whole = done + OrderDraft.subjectsPerRequest
            #expect(silenced == whole || silenced == done && instant == .whileItWorks, "\(silenced) of \(done)")
            let rest = try await server.command(words, as: admin, input: input).expect(0)
            #expect(try rest.json.at("changed") == .integer(Int64(Self.subjects - silenced)))
            let more = try #require(try rest.json.at("batches")?.arrayValue?.compactMap { $0.stringValue })
            let undone = try await server.command(["undo"] + batches + more + ["--json"], as: admin).expect(0)
            #expect(try undone.json.at("changed") == .integer(Int64(Self.subjects - silenced + done)))
        }
    }

    /// Kills on a separate thread, because the calling thread has to pass the request on.
    private static func kill(_ server: GraphdServer, afterMilliseconds milliseconds: UInt32) {
        Thread.detachNewThread {
            // Not for synchronisation: it picks the instant of the kill.
            usleep(milliseconds * 1_000)
            server.signal(SIGKILL)
        }
    }

    private static func silenced(_ server: GraphdServer) async throws -> Int {
        try await server.graph.database.read { reader in
            try reader.first("SELECT COUNT(*) FROM account WHERE silenced_at IS NOT NULL", []) { Int($0.integer(0)) }
        } ?? 0
    }
}
