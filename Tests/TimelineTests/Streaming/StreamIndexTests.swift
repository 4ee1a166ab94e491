import Database
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.process))
struct StreamIndexTests {
    @Test(.redisServer)
    func `a change asks the streams that it concerns, and of a thousand others none`() async throws {
        try await withTimeline { harness async throws in
            let (graph, users) = (harness.graph, try await harness.users(5))
            let (author, fan, friend, topical, member) = (users[0], users[1], users[2], users[3], users[4])
            try await graph.follows.follow(fan, author)
            try await graph.follows.follow(friend, fan)
            try await graph.topics.followTopic("AI", by: topical)
            let club = try await graph.communities.createCommunity(name: "club", description: "", by: author).id
            try await graph.communities.joinCommunity(club, by: member)
            let judge = CountingJudge(judge: harness.service.streams.judge)
            let broker = try await harness.broker(judge)
            for user in users { _ = try #require(broker.subscribe(user)) }
            for number: Int64 in 1...1_000 { _ = try #require(broker.subscribe(UserID(rawValue: number))) }

            func asked(_ act: () async throws -> Void) async throws -> [UserID] {
                try await act()
                try await broker.advance()
                return judge.takeAsked().sorted()
            }
            let plain = try await asked { try await harness.post(author) }
            #expect(plain == [author, fan])
            let tagged = try await asked {
                _ = try await graph.posts.publish(.sample(author, tags: ["AI", "other"]))
            }
            #expect(tagged == [author, fan, topical])
            let gathered = try await asked {
                var post = NewPost.sample(author)
                post.community = club
                _ = try await graph.posts.publish(post)
            }
            #expect(gathered == [author, fan, member])
            let stranger = try await graph.accounts.createAccount(username: "stranger", email: nil, passwordHash: nil)
            let old = try await harness.post(stranger.id)
            #expect(try await asked {} == [])
            // The reshare concerns the resharer's followers. The notification concerns the author, who has no stream.
            #expect(try await asked { try await graph.reshares.reshare(old, by: fan) } == [fan, friend])
            // Followers of a partner are asked when the partner joins.
            let together = try await harness.post(stranger.id, with: [fan])
            #expect(try await asked {} == [fan], "an invitation is a notification")
            #expect(
                try await asked { try await graph.collaborations.acceptCollaboration(on: together, by: fan) }
                    == [fan, friend])
            // A reader's own changes are known before the next post is judged.
            #expect(try await asked { try await graph.follows.unfollow(fan, author) } == [])
            #expect(try await asked { try await harness.post(author) } == [author])
            #expect(
                try await asked { try await graph.follows.follow(friend, author) } == [author],
                "a new follower is a notification")
            #expect(try await asked { try await harness.post(author) } == [author, friend])
            try await graph.topics.unfollowTopic("AI", by: topical)
            #expect(
                try await asked { _ = try await graph.posts.publish(.sample(author, tags: ["AI"])) }
                    == [author, friend])
        }
    }

    @Test(
        .redisServer,
        arguments: 1...8 as ClosedRange<UInt64>)
    func `whatever users do, streams are told what they would be told if each were asked of each change`(seed: UInt64)
        async throws
    {
        try await withTimeline { harness async throws in
            var history = HomeHistory(harness, seed: seed, isSwarm: false)
            try await history.begin(users: 12)
            let acts = HomeHistory.Act.allCases.filter { Self.graphActs.contains($0) }
            let wheel = acts.flatMap { Array(repeating: $0, count: $0.weight) }
            let judge = CountingJudge(judge: harness.service.streams.judge)
            let naive = CountingJudge(judge: Indiscriminate(judge: harness.service.streams.judge))
            let brokers = [try await harness.broker(judge), try await harness.broker(naive)]
            var open: [(indexed: StreamSubscription, naive: StreamSubscription)] = []
            var told = 0
            for _ in 0..<60 {
                for _ in 0..<2 {
                    let viewer = history.someone()
                    guard let one = brokers[0].subscribe(viewer), let other = brokers[1].subscribe(viewer) else {
                        continue
                    }
                    open.append((one.0, other.0))
                }
                for _ in 0..<Int.random(in: 1...6, using: &history.random) {
                    let act = try #require(wheel.randomElement(using: &history.random))
                    try await history.perform(act, by: history.someone())
                }
                // After this, caches also have the changes of other processes.
                try await harness.waitForBroker()
                for broker in brokers { while try await broker.advance() > 0 {} }
                for (indexed, naive) in open {
                    let (events, expected) = (await indexed.take(), await naive.take())
                    #expect(events == expected, "seed \(seed), \(indexed.viewer)")
                    told += events.count
                }
                if open.count > 12 {
                    open.shuffle(using: &history.random)
                    for (indexed, naive) in open.suffix(4) {
                        brokers[0].unsubscribe(indexed)
                        brokers[1].unsubscribe(naive)
                    }
                    open.removeLast(4)
                }
            }
            #expect(told > 100)
            #expect(judge.takeAsked().count * 2 < naive.takeAsked().count)
        }
    }

    /// Acts that change the graph, not the way it is read.
    private static let graphActs: Set<HomeHistory.Act> = [
        .follow, .unfollow, .publish, .delete, .importFollows, .block, .unblock, .mute, .unmute, .reshare, .unreshare,
        .invite, .accept, .decline, .leavePost, .removeCollaborator, .followTopic, .unfollowTopic, .switches, .join,
        .leaveCommunity, .communitySwitch, .remove, .takeDown, .ban, .role, .suspend, .silence, .hold, .archive,
        .importPosts, .like, .comment, .rename, .privacy,
    ]
}

/// Records the readers that were asked about.
private final class CountingJudge: StreamJudge {
    private let judge: any StreamJudge
    private let asked = Mutex<[UserID]>([])

    init(judge: any StreamJudge) { self.judge = judge }

    func takeAsked() -> [UserID] {
        asked.withLock { asked in
            defer { asked = [] }
            return asked
        }
    }

    func audience(of candidate: StreamCandidate) async throws -> StreamAudience {
        try await judge.audience(of: candidate)
    }
    func sources(of viewer: UserID) async throws -> [FeedSource] { try await judge.sources(of: viewer) }
    func news(_ candidate: StreamCandidate, for viewer: UserID) async throws -> StreamEvent.News? {
        asked.withLock { $0.append(viewer) }
        return try await judge.news(candidate, for: viewer)
    }
    func prepare(_ news: StreamEvent.News, for viewers: [UserID]) async throws {
        try await judge.prepare(news, for: viewers)
    }
    func standing(_ event: StreamEvent, for viewer: UserID) async throws -> StreamEvent? {
        try await judge.standing(event, for: viewer)
    }
}

/// Asks about every reader for every change.
private struct Indiscriminate: StreamJudge {
    let judge: any StreamJudge

    func audience(of candidate: StreamCandidate) async throws -> StreamAudience { .readers(of: [.everything]) }
    func sources(of viewer: UserID) async throws -> [FeedSource] { [.everything] }
    func news(_ candidate: StreamCandidate, for viewer: UserID) async throws -> StreamEvent.News? {
        try await judge.news(candidate, for: viewer)
    }
    func prepare(_ news: StreamEvent.News, for viewers: [UserID]) async throws {
        try await judge.prepare(news, for: viewers)
    }
    func standing(_ event: StreamEvent, for viewer: UserID) async throws -> StreamEvent? {
        try await judge.standing(event, for: viewer)
    }
}

extension StreamSubscription {
    /// The queued events, as text.
    fileprivate func take() async -> [String] {
        var events: [String] = []
        while true {
            switch await next(patience: .zero) {
            case .event(let event):
                switch event.news {
                case .item(let item): events.append("\(event.sequence): \(item.post.id) at \(item.position)")
                case .notification(let told): events.append("\(event.sequence): notification \(told.id)")
                }
            case .quiet: return events
            case .overflowed: return events + ["overflowed"]
            case .ended: return events + ["ended"]
            }
        }
    }
}
