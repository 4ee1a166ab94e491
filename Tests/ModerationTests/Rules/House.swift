@testable import Moderation
@testable import SocialGraph
import Database
import TestSupport

/// A site with an admin, and a community with an owner and a member.
struct House: Sendable {
    enum State: Equatable { case shown, reported, held, removed, takenDown }

    let fixture: GraphFixture
    let admin: UserID
    let owner: UserID
    let member: UserID
    let community: CommunityID
    var graph: GraphStore { fixture.graph }

    init(_ fixture: GraphFixture) async throws {
        self.fixture = fixture
        admin = try await fixture.user("admin")
        owner = try await fixture.user("owner")
        member = try await fixture.user("member")
        for name in ["mention", "other"] { _ = try await fixture.user(name) }
        community = try await fixture.graph.communities.createCommunity(name: "house", description: "", by: owner).id
        try await fixture.graph.communities.joinCommunity(community, by: member)
        let admin = admin
        _ = try await fixture.database.write {
            try $0.execute("UPDATE account SET site_role = 'admin' WHERE id = ?1", [.user(admin)])
        }
    }

    func write(_ caption: String, by author: UserID, inCommunity: Bool) async throws -> State {
        var post = NewPost.sample(author, caption)
        post.community = inCommunity ? community : nil
        return try await state(.post(graph.posts.publish(post).id))
    }

    /// Comments on a new post, whose own author is exempt from rules.
    func comment(_ text: String, by author: UserID, inCommunity: Bool) async throws -> State {
        var post = NewPost.sample(inCommunity ? owner : admin, "")
        post.community = inCommunity ? community : nil
        let target = try await graph.posts.publish(post).id
        return try await state(.comment(graph.comments.comment(on: target, by: author, content: text).id))
    }

    func state(_ subject: ModerationSubject) async throws -> State {
        try await graph.database.read { reader in
            let column = subject.kind == .post ? "post" : "comment"
            let marks = try reader.first(
                "SELECT held_at, removed_at, taken_down_at FROM \(column) WHERE id = ?1",
                [.integer(subject.rawValue)]
            ) { row in (0..<3).map { row.optionalInteger($0) != nil } }
            switch marks {
            case [true, false, false]: return .held
            case [false, true, false]: return .removed
            case [false, false, true]: return .takenDown
            default: break
            }
            let isReported = try reader.exists(
                "SELECT 1 FROM report WHERE subject_kind = ?1 AND subject_id = ?2", ClassifierStore.Writer.key(subject))
            return isReported ? .reported : .shown
        }
    }

    func moderate(_ action: ModerationAction, _ subject: ModerationSubject) async throws {
        let order = ModerationOrder(action, [subject], reason: "test")
        _ = try await graph.database.write { try ModerationStore.Writer($0).carryOut(order, by: nil) }
    }

    func caption(_ text: String) -> PostChange {
        var change = PostChange()
        change.caption = text
        return change
    }

    /// The notifications about posts and comments, as sorted kinds and recipients. Those about moderation are left out.
    func told() async throws -> [String] {
        try await graph.database.read { reader in
            try reader.rows(
                """
                SELECT n.kind, a.username FROM notification n JOIN account a ON a.id = n.user_id
                WHERE n.kind IN ('mention', 'comment', 'collaboration')
                """, []
            ) { "\($0.text(0)) \($0.text(1))" }.sorted()
        }
    }
}

func withModeration(_ body: (House) async throws -> Void) async throws {
    try await withGraph { fixture in try await body(try await House(fixture)) }
}
