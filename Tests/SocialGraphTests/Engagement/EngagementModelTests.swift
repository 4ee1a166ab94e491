import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

@Suite(.timeLimit(.model))
struct EngagementModelTests {
    @Test(arguments: 1...12)
    func `counts equal their rows, and notifications what the acts call for`(seed: UInt64) async throws {
        try await withGraph { fixture in
            var history = try await EngagementHistory(fixture, seed: seed)
            for step in 1...400 {
                try await history.step()
                if step % 40 == 0 { try await history.check() }
            }
        }
    }
}

/// Random acts on a small network, and the acts in force.
private struct EngagementHistory {
    private struct Act: Hashable {
        let kind: NotificationKind
        let actor: UserID
        let post: PostID
        let id: Int64
        let parentAuthor: UserID?
    }

    private struct Told: Hashable {
        let recipient: UserID
        let kind: NotificationKind
        let actor: UserID
        let post: PostID
    }

    private let fixture: GraphFixture
    private var random: SplitMix64
    private let users: [UserID]
    private var posts: [PostID: UserID] = [:]
    private var acts: Set<Act> = []
    /// Shares to other platforms. They are acts as well, but each of them is notified.
    private var outside: Set<Act> = []
    /// Comments that moderators have hidden. They are not counted, and can be shown again.
    private var hidden: Set<CommentID> = []
    private var blocks: Set<[UserID]> = []
    private var mutes: Set<[UserID]> = []
    /// The notifications of each recipient that were not withdrawn, with their number.
    private var told: [Told: Int] = [:]

    private var graph: GraphStore { fixture.graph }

    init(_ fixture: GraphFixture, seed: UInt64) async throws {
        self.fixture = fixture
        random = SplitMix64(seed: seed)
        users = try await fixture.users(6)
        for user in users.prefix(3) { posts[try await fixture.post(user)] = user }
    }

    mutating func step() async throws {
        let actor = users.randomElement(using: &random)!
        let other = users.filter { $0 != actor }.randomElement(using: &random)!
        fixture.clock.advance(by: Int64.random(in: 0...1_200_000, using: &random))
        guard let post = posts.keys.sorted().randomElement(using: &random) else { return try await publish(actor) }
        switch Int.random(in: 0..<24, using: &random) {
        case 0...3: try await like(post, actor)
        case 4...5: try await unlike(post, actor)
        case 6...8: try await comment(post, actor)
        case 9: try await deleteComment()
        case 10...11: try await reshare(post, actor)
        case 12: try await unreshare(post, actor)
        case 13: try await block(actor, other)
        case 14:
            try await graph.blocksAndMutes.unblock(actor, other)
            blocks.remove([actor, other])
        case 15:
            try await graph.blocksAndMutes.mute(actor, other, .notifications)
            mutes.insert([actor, other])
            forget(recipient: actor, actor: other)
        case 16:
            try await graph.blocksAndMutes.mute(actor, other, [])
            mutes.remove([actor, other])
        case 17: try await publish(actor)
        case 18: try await delete(post)
        case 19...20: try await shareOutside(post, actor)
        case 21...22: try await hideOrShowComment()
        default: try await graph.notifications.markAllNotificationsRead(of: actor)
        }
    }

    private mutating func publish(_ author: UserID) async throws { posts[try await fixture.post(author)] = author }

    private mutating func delete(_ post: PostID) async throws {
        guard posts.count > 2, let author = posts.removeValue(forKey: post) else { return }
        try await graph.posts.deletePost(post, by: author)
        while try await graph.posts.purgeLeftovers(of: post, limit: 3) {}
        acts = acts.filter { $0.post != post }
        outside = outside.filter { $0.post != post }
        told = told.filter { $0.key.post != post }
    }

    private mutating func like(_ post: PostID, _ actor: UserID) async throws {
        try await graph.likes.like(post, by: actor)
        guard !acts.contains(where: { $0.kind == .like && $0.actor == actor && $0.post == post }) else { return }
        add(Act(kind: .like, actor: actor, post: post, id: 0, parentAuthor: nil))
    }

    private mutating func unlike(_ post: PostID, _ actor: UserID) async throws {
        try await graph.likes.unlike(post, by: actor)
        remove { $0.kind == .like && $0.actor == actor && $0.post == post }
    }

    private mutating func reshare(_ post: PostID, _ actor: UserID) async throws {
        guard try await graph.reshares.reshare(post, by: actor) else { return }
        let id = try #require(try await graph.reshares.reshareID(of: post, by: actor))
        add(Act(kind: .share, actor: actor, post: post, id: id, parentAuthor: nil))
    }

    private mutating func shareOutside(_ post: PostID, _ actor: UserID) async throws {
        let share = try await graph.engagement.shareExternally(post, by: actor, platform: "elsewhere")
        outside.insert(Act(kind: .share, actor: actor, post: post, id: share.id, parentAuthor: nil))
    }

    /// Acts like orders of moderators, several of whom may hide one comment.
    private mutating func hideOrShowComment() async throws {
        let comments = acts.filter { $0.kind == .comment }.sorted { $0.id < $1.id }
        guard let act = comments.randomElement(using: &random) else { return }
        let id = CommentID(rawValue: act.id)
        let isHidden = hidden.contains(id)
        let facet: Facet = [.commentHeld, .commentRemoved, .commentTakenDown].randomElement(using: &random)!
        try await fixture.database.write { transaction in
            for facet in isHidden ? [.commentHeld, .commentRemoved, .commentTakenDown] : [facet] {
                try FacetStore.Writer(transaction).apply(
                    [
                        FacetStack(
                            key: FacetKey(facet, act.id), base: .flag(since: isHidden ? nil : 1), effects: [],
                            isStored: false)
                    ])
            }
        }
        if isHidden { hidden.remove(id) } else { hidden.insert(id) }
    }

    private mutating func unreshare(_ post: PostID, _ actor: UserID) async throws {
        try await graph.reshares.unreshare(post, by: actor)
        remove { $0.kind == .share && $0.actor == actor && $0.post == post }
    }

    private mutating func comment(_ post: PostID, _ actor: UserID) async throws {
        let comments = acts.filter {
            $0.kind == .comment && $0.post == post && !hidden.contains(CommentID(rawValue: $0.id))
        }.sorted { $0.id < $1.id }
        let parent = Bool.random(using: &random) ? comments.randomElement(using: &random) : nil
        do {
            let comment = try await graph.comments.comment(
                on: post, by: actor, content: "c", parent: parent.map { CommentID(rawValue: $0.id) })
            add(Act(kind: .comment, actor: actor, post: post, id: comment.id.rawValue, parentAuthor: parent?.actor))
        } catch GraphError.commentNotFound {
            #expect(parent.map { isBlocked(actor, $0.actor) } == true)
        } catch GraphError.threadTooDeep {}
    }

    private mutating func deleteComment() async throws {
        guard let act = acts.filter({ $0.kind == .comment }).sorted(by: { $0.id < $1.id }).randomElement(using: &random)
        else { return }
        try await graph.comments.deleteComment(CommentID(rawValue: act.id), by: act.actor)
        remove { $0 == act }
    }

    private mutating func block(_ actor: UserID, _ other: UserID) async throws {
        try await graph.blocksAndMutes.block(actor, other)
        blocks.insert([actor, other])
        forget(recipient: actor, actor: other)
        forget(recipient: other, actor: actor)
    }

    private mutating func add(_ act: Act) {
        acts.insert(act)
        for recipient in recipients(of: act) where hears(recipient, act.actor) {
            told[Told(recipient: recipient, kind: act.kind, actor: act.actor, post: act.post), default: 0] += 1
        }
    }

    private mutating func remove(_ isGone: (Act) -> Bool) {
        for act in acts.filter(isGone) {
            acts.remove(act)
            for recipient in recipients(of: act) {
                let key = Told(recipient: recipient, kind: act.kind, actor: act.actor, post: act.post)
                if act.kind == .comment {
                    // Only the rows know which of several acts was notified; see check().
                    continue
                }
                told[key] = nil
            }
        }
    }

    private mutating func forget(recipient: UserID, actor: UserID) {
        told = told.filter { !($0.key.recipient == recipient && $0.key.actor == actor) }
    }

    private func recipients(of act: Act) -> Set<UserID> {
        Set([posts[act.post], act.parentAuthor].compactMap(\.self)).subtracting([act.actor])
    }

    private func hears(_ recipient: UserID, _ actor: UserID) -> Bool {
        !isBlocked(recipient, actor) && !mutes.contains([recipient, actor])
    }

    private func isBlocked(_ one: UserID, _ other: UserID) -> Bool {
        blocks.contains([one, other]) || blocks.contains([other, one])
    }

    func check() async throws {
        for post in posts.keys {
            let counts = try await graph.engagement.counts(of: post)
            let here = acts.union(outside).filter {
                $0.post == post && !($0.kind == .comment && hidden.contains(CommentID(rawValue: $0.id)))
            }
            func count(_ kind: NotificationKind) -> Int64 { Int64(here.count { $0.kind == kind }) }
            #expect([counts.likes, counts.comments, counts.shares] == [count(.like), count(.comment), count(.share)])
            try await checkPeople(of: post, here)
        }
        var found: [Told: Int] = [:]
        for user in users {
            for row in try await graph.notifications.notifications(of: user, below: nil, limit: 10_000) {
                #expect(row.actor != user && hears(user, row.actor))
                guard let post = row.post else { continue }
                found[Told(recipient: user, kind: row.kind, actor: row.actor, post: post), default: 0] += 1
                if let comment = row.comment {
                    #expect(acts.contains { $0.id == comment.rawValue }, "what is gone is not told of")
                }
            }
        }
        func isExact(_ told: Told) -> Bool {
            told.kind != .comment
                && !(told.kind == .share && outside.contains { $0.post == told.post && $0.actor == told.actor })
        }
        #expect(found.filter { isExact($0.key) } == told.filter { isExact($0.key) })
        try await checkGroups()
    }

    /// Checks the counts per hour and the post's counts of people: each user counts once for each kind, at their first
    /// act.
    private func checkPeople(of post: PostID, _ acts: Set<Act>) async throws {
        var expected: [[Int64]: Int64] = [:]
        for kind in [NotificationKind.comment, .share] {
            for (_, own) in Dictionary(grouping: acts.filter { $0.kind == kind }, by: \.actor) {
                let first = try #require(own.map(\.id).min())
                expected[[kind == .comment ? 1 : 2, EngagementClock.hour(of: first)], default: 0] += 1
            }
        }
        let hours = try await fixture.database.read { reader in
            try reader.rows(
                "SELECT hour, likes, comments, shares FROM engagement_hour WHERE post_id = ?1", [.post(post)]
            ) { [$0.integer(0), $0.integer(1), $0.integer(2), $0.integer(3)] }
        }
        var found: [[Int64]: Int64] = [:]
        for hour in hours {
            if hour[2] != 0 { found[[1, hour[0]]] = hour[2] }
            if hour[3] != 0 { found[[2, hour[0]]] = hour[3] }
        }
        #expect(found == expected)
        let likes = Int64(acts.count { $0.kind == .like })
        #expect(hours.reduce(0) { $0 + $1[1] } == likes)
        func people(_ kind: Int64) -> Int64 { expected.filter { $0.key[0] == kind }.values.reduce(0, +) }
        let stored = try #require(try await graph.posts.posts([post]).first).people
        #expect(stored == EngagementCounts(likes: likes, comments: people(1), shares: people(2)))
    }

    /// Checks that each group matches its notifications.
    private func checkGroups() async throws {
        let wrong = try await fixture.integers(
            """
            SELECT g.id FROM notification_group g WHERE
                g.actors_count <> (SELECT COUNT(DISTINCT actor_id) FROM notification n WHERE n.group_id = g.id)
                OR g.latest_id <> (SELECT MAX(id) FROM notification n WHERE n.group_id = g.id)
                OR EXISTS (SELECT 1 FROM notification n WHERE n.group_id = g.id AND n.user_id <> g.user_id)
            """)
        #expect(wrong.isEmpty)
    }
}
