import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct StreamBrokerTests {
    @Test(.redisServer)
    func `while no stream is open, commits of this process pass without a look at the log`() async throws {
        try await withTimeline { harness async throws in
            let user = try await harness.users(1)[0]
            let broker = try await harness.broker(GatedGraph(graph: harness.graph, waitingFor: user))
            func end() throws -> Int64 {
                let (subscription, after) = try #require(broker.subscribe(user))
                broker.unsubscribe(subscription)
                return after
            }
            let start = try end()
            broker.noteOwn(start + 1...start + 3)
            #expect(try end() == start + 3)
            // Another process has committed in between: the log has to be read.
            broker.noteOwn(start + 5...start + 6)
            #expect(try end() == start + 3)
            let (subscription, _) = try #require(broker.subscribe(user))
            broker.noteOwn(start + 4...start + 4)
            broker.unsubscribe(subscription)
            #expect(try end() == start + 3)
        }
    }

    @Test(.redisServer)
    func `the details of a post are there when its event comes, for each of many readers`() async throws {
        try await withTimeline { harness async throws in
            let users = try await harness.users(40)
            for user in users.dropFirst() { try await harness.graph.follows.follow(user, users[0]) }
            let clients = try users.map { try #require(harness.open($0)) }
            let post = try await harness.post(users[0])
            let readers = harness.service.readers
            for (user, client) in zip(users, clients) {
                #expect(await client.read(until: post))
                let context = try await readers.details.caches.viewer(user).context
                let details = readers.details.details.warmDetails(of: client.events.map(\.item.post), for: context)
                #expect(details?.last?.viewer == (user == users[0] ? .isAuthor : .following))
            }
        }
    }
}
