import Glibc
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Hub authors: those with more followers than `--hub-threshold` are merged at the read, not pushed.
@Suite(.serialized, .timeLimit(.process))
struct HubServingTests {
    private static let threshold = ["--hub-threshold", "3"]

    /// A hub with four followers, who have windows.
    private func hub(
        _ server: GraphdServer
    ) async throws -> (hub: Person, followers: [Person]) {
        let (hub, other) = (try await server.person("hub"), try await server.person())
        let followers = try await (0..<4).asyncMap { _ in try await server.person() }
        for follower in followers {
            for author in [hub, other] { try await server.client(follower).act("PUT", "\(author.path)/follow") }
        }
        _ = try await server.client(other).publish()
        for follower in followers { _ = try await server.client(follower).page("/v1/timelines/home") }
        try await server.waitForJobs()
        #expect(try await server.graph.hubs.hubPhase(of: hub.id) == .pulled)
        return (hub, followers)
    }

    private func receipt(_ client: APIClient, _ post: String) async throws -> JSONValue {
        let answer = try await client.get("/v1/posts/\(post)/delivery")
        guard answer.status == 200 else { throw UnexpectedAnswer(answer) }
        return try answer.json
    }

    @Test func `a post of a hub is read at once while Redis stands still`() async throws {
        try await GraphdServer.running(Self.threshold) { server in
            let (hub, followers) = try await hub(server)
            let client = server.client(hub)
            let redis = try await server.redisProcessID()
            _ = Glibc.kill(redis, SIGSTOP)
            let post = try await client.publish()
            for follower in followers {
                #expect(try await server.client(follower).page("/v1/timelines/home").first == post)
            }
            let early = try await receipt(client, post)
            #expect(early["audience"] == .integer(5) && early["pulled"] == .integer(4))
            #expect(early["pending"] == .bool(true))
            _ = Glibc.kill(redis, SIGCONT)
            try await server.waitForJobs()
            let late = try await receipt(client, post)
            #expect(late["delivered"] == .integer(5) && late["pulled"] == .integer(4))
            #expect(late["pending"] == .bool(false))
            for follower in followers {
                #expect(try await server.client(follower).page("/v1/timelines/home").first == post)
                #expect(try await server.client(follower).page("/v1/timelines/home").count == 2)
            }
            try await server.expectCleanTimelines()
        }
    }

    @Test func `a restart without hubs lands everybody and one with hubs takes them up again`() async throws {
        try await GraphdServer.running(Self.threshold) { server in
            let (hub, followers) = try await hub(server)
            var posts: [String] = []
            for round in 0..<4 {
                for _ in 0..<5 { posts.insert(try await server.client(hub).publish(), at: 0) }
                #expect(await server.stop() == .exited(0))
                try await server.start(["--hub-threshold", round.isMultiple(of: 2) ? "0" : "3"])
                // The page has every post exactly once, whether the switch is in progress or not.
                for follower in followers {
                    let page = try await server.client(follower).page("/v1/timelines/home?limit=100")
                    #expect(Array(page.prefix(posts.count)) == posts && page.count == posts.count + 1)
                }
                try await server.waitForJobs()
                let phase = try await server.graph.hubs.hubPhase(of: hub.id)
                #expect(phase == (round.isMultiple(of: 2) ? nil : .pulled), "round \(round)")
                for follower in followers {
                    #expect(
                        try await server.client(follower).page("/v1/timelines/home?limit=100").count == posts.count + 1)
                }
                try await server.expectCleanTimelines()
            }
            let last = try await server.client(hub).publish()
            #expect(try await receipt(server.client(hub), last)["pulled"] == .integer(4))
        }
    }

    @Test func `an import beside the server carries an author over the threshold`() async throws {
        try await GraphdServer.running(Self.threshold) { server in
            let (author, reader) = (try await server.person(), try await server.person())
            let client = server.client(author)
            try await server.client(reader).act("PUT", "\(author.path)/follow")
            let pushed = try await client.publish()
            _ = try await server.client(reader).page("/v1/timelines/home")
            try await server.waitForJobs()
            try await server.importFollows((0..<3).map { ("imported.\($0)", author.username) })
            #expect(try await server.graph.hubs.hubPhase(of: author.id) == .pulled)
            let pulled = try await client.publish()
            try await server.waitForJobs()
            #expect(try await receipt(client, pushed)["pulled"] == .integer(0))
            #expect(try await receipt(client, pulled)["pulled"] == .integer(4))
            let imported = try await server.person(
                try #require(try await server.graph.accounts.account(username: "imported.1")))
            for person in [reader, imported] {
                #expect(try await server.client(person).page("/v1/timelines/home") == [pulled, pushed])
            }
            try await server.waitForJobs()
            try await server.expectCleanTimelines()
            // The author loses followers one by one. Below four fifths of the threshold, posts are pushed again.
            for number in 0..<3 {
                let account = try #require(try await server.graph.accounts.account(username: "imported.\(number)"))
                try await server.client(try await server.person(account)).act("DELETE", "\(author.path)/follow")
                #expect(try await server.client(reader).page("/v1/timelines/home") == [pulled, pushed])
            }
            try await server.waitForJobs()
            #expect(try await server.graph.hubs.hubPhase(of: author.id) == nil)
            #expect(try await server.client(reader).page("/v1/timelines/home") == [pulled, pushed])
            try await server.expectCleanTimelines()
        }
    }

    @Test func `crossing the threshold under posting loses, doubles and reorders nothing`() async throws {
        try await GraphdServer.running(Self.threshold) { server in
            let (hub, followers) = try await hub(server)
            let (writer, mover) = (server.client(hub), server.client(followers[0]))
            let reader = server.client(followers[3])
            let published = try await withThrowingTaskGroup(of: [String].self) { group in
                for _ in 0..<2 {
                    group.addTask { try await (0..<60).asyncMap { _ in try await writer.publish() } }
                }
                // Two of four followers leave and return: 2 is below four fifths of 3, and 4 is above it.
                group.addTask {
                    for _ in 0..<8 {
                        for client in [mover, server.client(followers[1])] {
                            try await client.act("DELETE", "\(hub.path)/follow")
                        }
                        for client in [mover, server.client(followers[1])] {
                            try await client.act("PUT", "\(hub.path)/follow")
                        }
                    }
                    return []
                }
                group.addTask {
                    for _ in 0..<40 {
                        let page = try await reader.page("/v1/timelines/home?limit=100").compactMap { Int64($0) }
                        #expect(page == Set(page).sorted(by: >))
                    }
                    return []
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            try await server.waitForJobs()
            let expected = published.compactMap { Int64($0) }.sorted(by: >).map { String($0) }
            for follower in followers {
                let home = try await server.client(follower).ids("/v1/timelines/home", limit: 50)
                #expect(home.filter { published.contains($0) } == expected && home.count == expected.count + 1)
            }
            try await server.waitForJobs()
            try await server.expectCleanTimelines()
        }
    }
}
