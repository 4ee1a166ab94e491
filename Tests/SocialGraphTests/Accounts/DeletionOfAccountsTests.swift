import Database
import Discovery
import Saves
import TestSupport
import Testing

@testable import Moderation
@testable import Sessions
@testable import SocialGraph

/// Account deletion: its immediate effects, and the rows that remain after the erasure.
@Suite(.timeLimit(.unit))
struct DeletionOfAccountsTests {
    @Test
    func `with the acknowledgement nothing of an account is left to see, and its names are free`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await graph.accounts.createAccount(username: "ann", email: "ann@x.org", passwordHash: "hash")
                .id
            let bob = try await fixture.user("bob")
            try await graph.follows.follow(bob, ann)
            let own = try await fixture.post(ann)
            let shared = try await fixture.post(bob, with: [ann])
            try await graph.collaborations.acceptCollaboration(on: shared, by: ann)
            _ = try await graph.sessions.openSession(of: ann, refresh: RefreshGrant(digest: [1], lifetime: 1_000))
            let log = CommitLog(of: fixture.database)
            #expect(try await graph.erasures.deleteAccount(ann, epoch: 7) == false)
            #expect(try await graph.erasures.deleteAccount(ann, epoch: 0))

            #expect(try await graph.accounts.account(ann) == nil)
            #expect(try await graph.accounts.account(username: "ann") == nil)
            #expect(try await graph.accounts.credentials(email: "ann@x.org") == nil)
            #expect(try await graph.sessions.tokenRevocationState(of: ann) == nil)
            #expect(try await graph.accounts.tokenEpoch(ann) == nil)
            #expect(try await graph.posts.posts([own]).isEmpty)
            #expect(try await graph.posts.posts([shared]).first?.authors == [bob])
            #expect(try await graph.feeds.homeByDefinition(of: bob) == [FeedEntry(shared)])
            #expect(try await graph.follows.followList(of: bob, .following, below: nil, limit: 9).items.isEmpty)
            #expect(log.changes.contains(GraphChange.accountDeleted(ann)))
            await #expect(throws: GraphError.accountNotFound) {
                _ = try await graph.feeds.authorFeed(of: ann, below: nil, limit: 5)
            }
            await #expect(throws: GraphError.accountNotFound) { try await graph.follows.follow(bob, ann) }
            await #expect(throws: GraphError.accountNotFound) { try await graph.erasures.deleteAccount(ann) }
            await #expect(throws: GraphError.accountNotFound) { try await fixture.post(ann) }
            await #expect(throws: GraphError.refreshTokenInvalid) {
                _ = try await graph.sessions.refreshSession(
                    [1], family: [9], with: RefreshGrant(digest: [2], lifetime: 1_000))
            }
            _ = try await graph.accounts.createAccount(username: "ann", email: "ann@x.org", passwordHash: nil)
        }
    }

    @Test
    func `an erasure leaves no row that names its user, but a tombstone`() async throws {
        try await withGraph { fixture in
            let ann = try await Self.busyUser(fixture)
            let before = try await fixture.rowsThatName(ann)
            // A table that the test does not fill would prove nothing.
            let unfilled = Set(fixture.columnsOfUsers()).subtracting(before).subtracting(Self.notFilled)
            #expect(unfilled == [])
            try await fixture.graph.erasures.deleteAccount(ann)
            #expect(try await fixture.graph.erasures.erasures() == [ann])
            for _ in 0..<1_000 {
                let step = try await fixture.graph.erasures.eraseSome(of: ann, limit: 1)
                if step == .waiting { try await fixture.acknowledgeAll() }
                if step == .finished { break }
            }
            #expect(try await fixture.graph.erasures.erasures() == [])
            // The identity stays for a while, so that it is refused.
            #expect(Set(try await fixture.rowsThatName(ann)) == Self.tombstones.union(["identity.user_id"]))
            #expect(
                try await fixture.integer(
                    "SELECT COUNT(*) FROM post WHERE caption <> '' AND author_id = \(ann.rawValue)") == 0)
            #expect(try await fixture.graph.erasures.eraseSome(of: ann) == .finished)
            fixture.clock.advance(by: SocialGraphLimits.identityRefusal + 1)
            try await fixture.graph.changes.prune()
            #expect(Set(try await fixture.rowsThatName(ann)) == Self.tombstones)
            #expect(
                try await fixture.integers(
                    "SELECT likes_count + comments_count + shares_count FROM post WHERE deleted_at IS NULL") == [0, 1])
        }
    }

    @Test
    func `the follows stay until windows have been cleared by way of them`() async throws {
        try await withGraph { fixture in
            let (ann, bob) = (try await fixture.user("ann"), try await fixture.user("bob"))
            try await fixture.graph.follows.follow(bob, ann)
            try await fixture.acknowledgeAll()
            let post = try await fixture.post(ann)
            try await fixture.graph.erasures.deleteAccount(ann)
            while try await fixture.graph.erasures.eraseSome(of: ann) == .removed {}
            #expect(try await fixture.graph.erasures.eraseSome(of: ann) == .waiting)
            let removal = OutboxJob.Work.remove(post: post, author: ann)
            #expect(try await fixture.work().contains(removal))
            #expect(try await fixture.graph.wholeAudience(of: removal, by: 5).contains(bob))
            try await fixture.acknowledgeAll()
            while try await fixture.graph.erasures.eraseSome(of: ann) == .removed {}
            #expect(try await fixture.graph.erasures.erasures() == [])
            #expect(try await fixture.graph.accounts.account(bob)?.followingCount == 0)
        }
    }

    /// Columns of rows that are wiped but kept: posts, and comments with replies.
    private static let tombstones: Set<String> = ["post.author_id", "comment.user_id"]

    /// Columns filled by a request for erasure, not by the user.
    private static let notFilled: Set<String> = ["erasure.user_id"]

    /// Writes requests to follow, muted words, and mail to `ann`.
    private static func fillRowsOfAccess(_ ann: UserID, _ cat: UserID, _ fixture: GraphFixture) async throws {
        try await fixture.database.write { transaction in
            let row: [SQLValue] = [.user(ann)]
            for (requester, target) in [(ann, cat), (cat, ann)] {
                try transaction.execute(
                    "INSERT INTO follow_request (requester_id, target_id, position) VALUES (?1, ?2, 1)",
                    [.user(requester), .user(target)])
            }
            try transaction.execute("INSERT INTO opened_account (user_id) VALUES (?1)", row)
            try transaction.execute(
                "INSERT INTO muted_word (id, user_id, word, word_key, is_whole) VALUES (1, ?1, 'w', 'w', 1)", row)
            try transaction.execute(
                "INSERT INTO totp (user_id, secret, created_at, last_step) VALUES (?1, ?2, 1, 0)", row + [.blob([1])])
            try transaction.execute("INSERT INTO recovery_code (user_id, digest) VALUES (?1, ?2)", row + [.blob([1])])
            try transaction.execute("INSERT INTO confirmed_email (user_id, confirmed_at) VALUES (?1, 1)", row)
            try transaction.execute(
                "INSERT INTO account_token (digest, user_id, purpose, expires_at) VALUES (?2, ?1, 'password_reset', 9)",
                row + [.blob([1])])
            try transaction.execute(
                """
                INSERT INTO mail (id, user_id, kind, recipient, address, user_agent, created_at, expires_at, due_at)
                VALUES (1, ?1, 'password_changed', 'ann@example.org', '', '', 1, 9, 9)
                """, row)
        }
    }

    /// Creates a user with rows in every table that names users.
    private static func busyUser(_ fixture: GraphFixture) async throws -> UserID {
        let graph = fixture.graph
        let ann = try await graph.accounts.findOrCreateUser(
            ExternalIdentity(
                issuer: "i", subject: "s", username: "ann", email: nil, displayName: "Ann", pictureURL: nil))
        let (bob, cat) = (try await fixture.user("bob"), try await fixture.user("cat"))
        for (one, other) in [(ann, bob), (bob, ann)] { try await graph.follows.follow(one, other) }
        for (one, other) in [(ann, cat), (cat, ann)] {
            try await graph.blocksAndMutes.block(one, other)
            try await graph.blocksAndMutes.mute(one, other, .everything)
        }
        try await graph.reachByEveryChannel(ann)
        let post = try await Self.keyedPost(ann, fixture)
        _ = try await fixture.post(bob, with: [ann])
        let others = try await fixture.post(bob)
        try await graph.reshares.reshare(others, by: ann)
        try await graph.likes.like(others, by: ann)
        try await graph.likes.like(post, by: bob)
        _ = try await graph.engagement.shareExternally(others, by: ann, platform: "mail")
        let collection = try await graph.collections.createCollection(named: "later", by: ann).id
        try await graph.collections.collect(others, in: collection, by: ann)
        try await graph.watches.watch(others, by: ann, seconds: 1, isCompleted: false)
        _ = try await graph.recommendations.storeRecommendations([1], for: ann, scope: "")
        let asked = try await graph.comments.comment(on: others, by: ann, content: "?")
        _ = try await graph.comments.comment(on: others, by: bob, content: "!", parent: asked.id)
        _ = try await graph.comments.comment(on: others, by: ann, content: "gone")
        try await graph.tellAll(at: fixture.clock.now)
        _ = try await graph.engagement.shareExternally(post, by: bob, platform: "mail")
        try await graph.topics.followTopic("run", by: ann)
        var change = ProfileChange()
        change.algorithms = ["AI"]
        change.preferences = ["goals": .list([])]
        try await graph.accounts.changeProfile(of: ann, change)
        _ = try await graph.sessions.openSession(of: ann, refresh: RefreshGrant(digest: [1], lifetime: 1_000))
        try await graph.sessions.rememberAddress([1], of: ann)
        try await graph.sessions.noteWrongPasswords([
            WrongPasswords(user: ann, origin: LoginOrigin(address: "192.0.2.1", userAgent: "a"), count: 1)
        ])
        let group = try await graph.communities.createCommunity(name: "group", description: "", by: ann).id
        try await graph.communities.joinCommunity(group, by: bob)
        let other = try await graph.communities.createCommunity(name: "other", description: "", by: bob).id
        try await graph.communities.setBanned(true, ann, from: other)
        try await Self.busyCases(ann, fixture, others)
        try await fillRowsOfAccess(ann, cat, fixture)
        let waited = try await graph.communities.createCommunity(name: "waited", description: "", by: bob).id
        try await graph.hubs.setHubThreshold(1)
        try await graph.database.write { transaction in
            let row: [SQLValue] = [.user(ann)]
            try transaction.execute(
                """
                INSERT INTO media (id, owner_id, content_type, file_name, bytes, sha256, created_at)
                VALUES (7, ?1, 'image/png', 'f', 1, ?2, 0)
                """, row + [.blob([1])])
            try transaction.execute(
                "INSERT INTO media_job (media_id, owner_id, state, turn, due_at) VALUES (7, ?1, 'queued', 0, 1)", row)
            try transaction.execute("INSERT INTO media_usage (user_id, bytes, files) VALUES (?1, 1, 1)", row)
            try transaction.execute(
                "UPDATE post SET media_id = 7, thumbnail_id = 7 WHERE id = ?1", [.post(post)])
            try transaction.execute("UPDATE account SET picture_id = 7 WHERE id = ?1", row)
            try transaction.execute(
                "INSERT INTO community_request (community_id, user_id, position) VALUES (?2, ?1, 1)",
                row + [.community(waited)])
            try transaction.execute(
                "INSERT INTO community_participant (community_id, user_id) VALUES (?2, ?1)",
                row + [.community(waited)])
            try transaction.execute("DELETE FROM hub", [])
            try transaction.execute("INSERT INTO hub (user_id, since, phase) VALUES (?1, 1, 'pulled')", row)
        }
        return ann
    }

    /// Publishes a post by a request with an idempotency key, also as release 0.1.0 stored such a request.
    private static func keyedPost(_ user: UserID, _ fixture: GraphFixture) async throws -> PostID {
        let post = try await fixture.graph.publish(.sample(user), key: "k").id
        try await fixture.graph.database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO idempotency (account_id, idempotency_key, fingerprint, post_id, created_at)
                VALUES (?1, 'k', ?3, ?2, 0)
                """, [.user(user), .post(post), .blob([1])])
        }
        return post
    }

    /// Creates reports and appeals by the user, and others that the user has worked on.
    private static func busyCases(_ ann: UserID, _ fixture: GraphFixture, _ post: PostID) async throws {
        let graph = fixture.graph
        _ = try await graph.reports.report(.post(post), by: ann, reason: "r")
        let dan = try await fixture.user("dan")
        let report = ModerationSubject.report(try await graph.reports.report(.post(post), by: dan, reason: "r").id)
        _ = try await graph.moderation.appoint(.admin, ann, reason: "r")
        _ = try await graph.moderation.moderate(ModerationOrder(.claimReport, [report], reason: "r"), by: ann)
        let dismiss = ModerationOrder(.resolveReport, [report], reason: "r", detail: .resolution(.dismissed))
        _ = try await graph.moderation.moderate(dismiss, by: ann)
        func appeal(_ user: UserID) async throws -> AppealID {
            let warning = ModerationOrder(.warnUser, [.user(user)], reason: "r", note: "n")
            let entry = try await graph.moderation.moderate(warning, by: nil).results[0].entry
            return try await graph.appeals.appeal(against: try #require(entry), by: user, text: "t").id
        }
        _ = try await appeal(ann)
        let deny = ModerationOrder(
            .decideAppeal, [.appeal(try await appeal(dan))], reason: "r", detail: .decision(.denied))
        _ = try await graph.moderation.moderate(deny, by: ann)
    }
}

extension GraphFixture {
    /// Every column that refers to an account, as `table.column`.
    func columnsOfUsers() -> [String] {
        StoredTable.ofGraph.flatMap { table in
            table.columns.filter { $0.target == "account" }.map { "\(table.name).\($0.name)" }
        }
    }

    /// The columns that contain `user`.
    func rowsThatName(_ user: UserID) async throws -> [String] {
        let columns = columnsOfUsers()
        return try await database.read { reader in
            try columns.filter { name in
                let parts = name.split(separator: ".")
                return try reader.exists("SELECT 1 FROM \(parts[0]) WHERE \(parts[1]) = ?1", [.user(user)])
            }
        }
    }
}
