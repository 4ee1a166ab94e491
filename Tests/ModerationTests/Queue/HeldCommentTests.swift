import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// The queue of held comments, by community.
@Suite(.timeLimit(.unit))
struct HeldCommentTests {
    @Test
    func `a held comment is in the queue and the number of its community, and of no other`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let inClub = try await town.commentInClub()
            let loose = try await town.comment(on: town.loose)
            let held = [town.comments[0], town.comments[2], inClub, loose].sorted { $0.rawValue < $1.rawValue }
            for comment in held { try await town.order(.holdComment, [.comment(comment)], by: town.admin) }

            #expect(try await town.queue(of: town.square, by: town.owner) == [town.comments[0], town.comments[2]])
            #expect(try await town.queue(of: nil, by: town.owner) == [town.comments[0], town.comments[2]])
            #expect(try await town.queue(of: town.club, by: town.elsewhere[0]) == [inClub])
            #expect(try await town.queue(of: nil, by: town.elsewhere[1]) == [inClub])
            #expect(try await town.queue(of: nil, by: town.siteModerator) == held)
            #expect(try await town.heldNumbers() == [town.club: 1, town.square: 2])
            #expect(try await town.graph.moderationQueries.openCases().held == 4)
            #expect(try await fixture.misplacedHeldComments() == [])
        }
    }

    @Test
    func `pages of a community's queue continue where the one before ended`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let inClub = try await town.commentInClub()
            let held = town.comments + [inClub]
            try await town.order(.holdComment, held.map { .comment($0) }, by: town.admin)
            var (found, cursor): ([ModerationSubject], Int64?) = ([], nil)
            repeat {
                let filter = QueueFilter(community: town.square, kind: .comment)
                let page = try await town.graph.queue.queue(filter, above: cursor, limit: 2, by: town.owner)
                found += page.items.map(\.subject)
                cursor = page.next
            } while cursor != nil
            #expect(found == town.comments.map { .comment($0) })
        }
    }

    /// As by nodes of an earlier version.
    @Test(arguments: Engine.allCases)
    func `a list that others have not written is restored`(engine: Engine) async throws {
        try await withGraph(on: engine) { fixture in
            let town = try await ModerationTown(fixture)
            let held = town.comments.prefix(2)
            try await town.order(.holdComment, held.map { .comment($0) }, by: town.admin)
            #expect(try await !town.graph.queue.restoreComments())
            try await fixture.database.write { transaction in
                try transaction.execute("DELETE FROM held_comment WHERE comment_id = ?1", [.comment(held[0])])
                try transaction.execute("UPDATE comment SET held_at = NULL WHERE id = ?1", [.comment(held[1])])
            }
            #expect(try await town.queue(of: town.square, by: town.owner) == [])
            #expect(try await town.graph.queue.restoreComments())
            #expect(try await fixture.misplacedHeldComments() == [])
            #expect(try await town.queue(of: town.square, by: town.owner) == [held[0]])
            #expect(try await !town.graph.queue.restoreComments())
        }
    }

    /// An act that decides about a held comment, and one that takes the decision back.
    static let decisions: [(act: ModerationAction, back: ModerationAction)] = [
        (.approveComment, .holdComment), (.removeComment, .restoreComment), (.takedownComment, .reinstateComment),
    ]

    @Test(arguments: decisions)
    func `a decision takes a comment out, and its undo or the opposite act puts it back`(
        act: ModerationAction, back: ModerationAction
    ) async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let subject = ModerationSubject.comment(town.comments[0])
            try await town.order(.holdComment, [subject], by: town.admin)
            for isUndone in [true, false] {
                let batch = try #require(try await town.order(act, [subject], by: town.admin).batch)
                #expect(try await town.queue(of: town.square, by: town.owner) == [])
                #expect(try await fixture.listedComments() == [])
                if isUndone {
                    _ = try await town.graph.moderation.undo(batch, by: town.admin)
                } else {
                    try await town.order(back, [subject], by: town.admin)
                }
                #expect(try await town.queue(of: town.square, by: town.owner) == [town.comments[0]])
                #expect(try await fixture.misplacedHeldComments() == [])
            }
        }
    }

    @Test
    func `an undo of the hold takes a comment out, and its own undo puts it back`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let subject = ModerationSubject.comment(town.comments[1])
            var batch = try #require(try await town.order(.holdComment, [subject], by: town.admin).batch)
            for isHeld in [false, true, false] {
                batch = try #require(try await town.graph.moderation.undo(batch, by: town.admin).batch)
                #expect(try await fixture.listedComments() == (isHeld ? [town.comments[1].rawValue] : []))
                #expect(try await fixture.misplacedHeldComments() == [])
            }
        }
    }

    @Test
    func `a deleted comment leaves the queue, with replies or without, and also with its post`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            let (graph, members) = (town.graph, town.members)
            // A comment with a reply stays as a tombstone.
            _ = try await graph.comments.comment(
                on: town.posts[0], by: members[2], content: "reply", parent: town.comments[0])
            try await town.order(.holdComment, town.comments.map { .comment($0) }, by: town.admin)
            try await graph.comments.deleteComment(town.comments[0], by: members[1])
            try await graph.comments.deleteComment(town.comments[1], by: members[2])
            #expect(try await fixture.integers("SELECT COUNT(*) FROM comment WHERE held_at IS NOT NULL") == [2])
            #expect(try await fixture.listedComments() == [town.comments[2].rawValue])

            try await graph.posts.deletePost(town.posts[2], by: members[2])
            #expect(try await town.queue(of: town.square, by: town.owner) == [])
            while try await graph.posts.purgeLeftovers(of: town.posts[2], limit: 3) {}
            #expect(try await fixture.listedComments() == [])
        }
    }

    @Test
    func `the comments of an erased account leave the queue`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            try await town.order(.holdComment, town.comments.map { .comment($0) }, by: town.admin)
            try await town.graph.erasures.deleteAccount(town.members[1])
            #expect(try await town.queue(of: town.square, by: town.owner) == Array(town.comments.dropFirst()))
            while try await town.graph.erasures.eraseSome(of: town.members[1]) == .removed {}
            #expect(try await !fixture.listedComments().contains(town.comments[0].rawValue))
        }
    }

    @Test(arguments: 0..<6)
    func `after random acts the table lists what is held`(seed: UInt64) async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            var history = CommentHistory(town: town, seed: seed)
            var numbers: Set<Int> = []
            for _ in 0..<120 {
                try await history.act()
                #expect(try await fixture.misplacedHeldComments() == [], "seed \(seed)")
                numbers.insert(try await fixture.listedComments().count)
            }
            #expect(numbers.count > 2 && history.undone > 5, "seed \(seed)")
        }
    }
}

/// Random acts about comments: new ones, deletions, decisions by an admin, and undos.
private struct CommentHistory {
    let town: ModerationTown
    private var random: SplitMix64
    private var comments: [CommentID]
    private var batches: [BatchID] = []
    private(set) var undone = 0

    init(town: ModerationTown, seed: UInt64) {
        self.town = town
        random = SplitMix64(seed: seed)
        comments = town.comments
    }

    mutating func act() async throws {
        do {
            switch Int.random(in: 0..<12, using: &random) {
            case 0, 1: try await write()
            case 2: try await delete()
            case 3...5: try await undo()
            default: try await decide()
            }
        } catch is ModerationError {
        } catch is GraphError {}
    }

    private mutating func write() async throws {
        let post = (town.posts + [town.loose]).randomElement(using: &random) ?? town.loose
        comments.append(try await town.comment(on: post))
    }

    private mutating func delete() async throws {
        guard let index = comments.indices.randomElement(using: &random), comments.count > 2 else { return }
        let id = comments.remove(at: index)
        let comment = try #require(try await town.graph.comments.comment(id))
        try await town.graph.comments.deleteComment(id, by: comment.author)
    }

    private mutating func undo() async throws {
        guard let index = batches.indices.randomElement(using: &random) else { return }
        let batch = batches.remove(at: index)
        guard let next = try await town.graph.moderation.undo(batch, by: town.admin).batch else { return }
        undone += 1
        batches.append(next)
    }

    private static let actions: [ModerationAction] = [
        .holdComment, .holdComment, .holdComment, .approveComment, .removeComment, .restoreComment, .takedownComment,
        .reinstateComment,
    ]

    private mutating func decide() async throws {
        guard let action = Self.actions.randomElement(using: &random),
            let comment = comments.randomElement(using: &random)
        else { return }
        if let batch = try await town.order(action, [.comment(comment)], by: town.admin).batch {
            batches.append(batch)
        }
    }
}

extension ModerationTown {
    fileprivate func comment(on post: PostID) async throws -> CommentID {
        try await graph.comments.comment(on: post, by: members[1], content: "hello").id
    }

    /// Creates a comment on a new post in `club`.
    fileprivate func commentInClub() async throws -> CommentID {
        var new = NewPost.sample(elsewhere[2])
        new.community = club
        let post = try await graph.posts.publish(new).id
        return try await graph.comments.comment(on: post, by: elsewhere[2], content: "hello").id
    }

    /// The held comments of a community, or (nil) of all that `user` moderates.
    fileprivate func queue(of community: CommunityID?, by user: UserID) async throws -> [CommentID] {
        try await graph.queue.queue(
            QueueFilter(community: community, kind: .comment), above: nil, limit: 50, by: user
        ).items.map { CommentID(rawValue: $0.subject.rawValue) }
    }

    /// The numbers of held items, by community.
    fileprivate func heldNumbers() async throws -> [CommunityID: Int64] {
        let site = try await graph.moderation.authority(of: admin)
        let communities = try await graph.moderationQueries.moderatedCommunities(
            visibleTo: site, matching: nil, below: nil, limit: 9
        ).items
        return Dictionary(uniqueKeysWithValues: communities.map { ($0.community.id, $0.held) })
    }
}

extension GraphFixture {
    /// The comments in the table of the queue.
    fileprivate func listedComments() async throws -> [Int64] {
        try await integers("SELECT comment_id FROM held_comment ORDER BY comment_id")
    }

    /// The comments that the table of the queue lacks, lists without a reason, or lists in another community.
    func misplacedHeldComments() async throws -> Set<[Int64]> {
        try await database.read { reader in
            func pairs(_ query: String) throws -> Set<[Int64]> {
                Set(try reader.rows(query, []) { [$0.integer(0), $0.integer(1)] })
            }
            let listed = try pairs("SELECT comment_id, community_id FROM held_comment")
            return listed.symmetricDifference(
                try pairs(
                    """
                    SELECT h.id, COALESCE(p.community_id, 0) FROM comment h JOIN post p ON p.id = h.post_id
                    WHERE h.held_at IS NOT NULL AND h.removed_at IS NULL AND h.taken_down_at IS NULL
                        AND h.deleted_at IS NULL
                    """))
        }
    }
}
