import Database
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

/// The lease of the serving process across kills, shutdowns and a second server.
@Suite(.timeLimit(.process))
struct ServingLeaseTests {
    private func lease(_ server: GraphdServer) async throws -> Lease {
        try #require(try await LeaseStore(database: server.graph.database).lease(OutboxStore.lease))
    }

    @Test func `after a kill the next server takes the lease at once, though its end has not come`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let author = try await server.person()
            try await server.waitForJobs()
            // A start after a shutdown, which has given the lease up, waits for nothing.
            await server.stop()
            let usual = try await server.timedStart()
            await server.kill()
            // So that its end does not come, however busy the machine is.
            try await server.graph.database.write { transaction in
                try transaction.execute(
                    "UPDATE lease SET ends_at = ends_at + ?2 WHERE name = ?1",
                    [.text(OutboxStore.lease), .integer(Milliseconds.day)])
            }
            // Not before: a living server renews it.
            let former = try await lease(server)
            _ = try await server.graph.posts.publish(
                NewPost(author: author.id, caption: "meanwhile", mediaURL: "https://media.example/1"))
            #expect(try await lease(server) == former)
            let time = try await server.timedStart()
            let taken = try await lease(server)
            #expect(taken.epoch == former.epoch + 1 && taken.owner != former.owner)
            // Not a limit of speed: the lease of an owner that may live is waited for during its whole length.
            #expect(time - usual < .milliseconds(LeaseTerms.serving.length / 2))
            try await server.waitForJobs()
        }
    }

    @Test func `a server that shuts down gives the lease up`() async throws {
        try await GraphdServer.running(in: .process) { server in
            try await server.waitForJobs()
            #expect(await server.stop() == .exited(0))
            #expect(try await lease(server).endsAt == 0)
        }
    }

    @Test func `a server whose lease has passed to another ends and says so`() async throws {
        try await GraphdServer.running(in: .process) { server in
            let author = try await server.person()
            try await server.waitForJobs()
            let other = try await server.graph.outbox.takeLease(from: .isDead)
            // Beside the server, which may be ending already.
            _ = try await server.graph.posts.publish(
                NewPost(author: author.id, caption: "for the other", mediaURL: "https://media.example/1"))
            #expect(await server.ended() == .exited(1))
            let words = "The lease \"outbox\" has passed to another server."
            #expect(server.logLines.contains { $0.contains(words) }, "\(server.logLines.suffix(5))")
            #expect(try await lease(server).epoch == other.epoch)
            #expect(try await server.graph.outbox.outboxDepth().pending == 1)
        }
    }
}
