import Database
import TestSupport
import Testing

@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct CommentTests {
    private func withPost(_ body: @Sendable (GraphFixture, [UserID], PostID) async throws -> Void) async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(3)
            try await body(fixture, users, try await fixture.post(users[0]))
        }
    }

    @Test
    func `threads go so deep and no deeper`() async throws {
        try await withPost { fixture, users, post in
            var parent: CommentID?
            for depth in 0...SocialGraphLimits.commentDepth {
                let comment = try await fixture.graph.comments.comment(
                    on: post, by: users[1], content: "c", parent: parent)
                #expect(comment.depth == depth && comment.parent == parent)
                parent = comment.id
            }
            let last = parent
            await #expect(throws: GraphError.threadTooDeep) {
                _ = try await fixture.graph.comments.comment(on: post, by: users[1], content: "c", parent: last)
            }
            #expect(try await fixture.graph.engagement.counts(of: post).comments == SocialGraphLimits.commentDepth + 1)
        }
    }

    @Test
    func `what replies hang from stays as an empty place, until the last of them goes`() async throws {
        try await withPost { fixture, users, post in
            let graph = fixture.graph
            let top = try await graph.comments.comment(on: post, by: users[1], content: "top")
            let middle = try await graph.comments.comment(on: post, by: users[2], content: "middle", parent: top.id)
            let leaf = try await graph.comments.comment(on: post, by: users[1], content: "leaf", parent: middle.id)
            try await graph.comments.deleteComment(top.id, by: users[1])
            try await graph.comments.deleteComment(middle.id, by: users[2])
            let left = try await graph.comments.comments(of: post, .everything, below: nil, limit: 10)
            #expect(left.map(\.id) == [leaf.id, middle.id, top.id])
            #expect(left.map(\.isDeleted) == [false, true, true])
            #expect(left.map(\.content) == ["leaf", "", ""])
            #expect(left.map(\.repliesCount) == [0, 1, 0])
            #expect(try await graph.engagement.counts(of: post).comments == 1)
            await #expect(throws: GraphError.commentNotFound) {
                _ = try await graph.comments.comment(on: post, by: users[1], content: "c", parent: middle.id)
            }
            try await graph.comments.deleteComment(leaf.id, by: users[1])
            #expect(try await graph.comments.comments(of: post, .everything, below: nil, limit: 10).isEmpty)
            #expect(try await fixture.integer("SELECT COUNT(*) FROM comment") == 0)
        }
    }

    @Test
    func `its author edits it, its author or the post's deletes it, nobody else`() async throws {
        try await withPost { fixture, users, post in
            let graph = fixture.graph
            let comment = try await graph.comments.comment(on: post, by: users[1], content: "one")
            await #expect(throws: GraphError.notCommentAuthor) {
                _ = try await graph.comments.editComment(comment.id, by: users[0], content: "two")
            }
            await #expect(throws: GraphError.notCommentAuthor) {
                try await graph.comments.deleteComment(comment.id, by: users[2])
            }
            fixture.clock.advance(by: 5_000)
            let edited = try await graph.comments.editComment(comment.id, by: users[1], content: "two")
            #expect(edited.content == "two" && edited.updatedAt == edited.createdAt + 5_000)
            try await graph.comments.deleteComment(comment.id, by: users[0])
            await #expect(throws: GraphError.commentNotFound) {
                try await graph.comments.deleteComment(comment.id, by: users[0])
            }
            await #expect(throws: GraphError.commentNotFound) {
                _ = try await graph.comments.editComment(comment.id, by: users[1], content: "three")
            }
        }
    }

    @Test
    func `a reply belongs to the post of what it replies to; nobody replies across a block`() async throws {
        try await withPost { fixture, users, post in
            let graph = fixture.graph
            let other = try await fixture.post(users[0])
            let comment = try await graph.comments.comment(on: other, by: users[1], content: "c")
            await #expect(throws: GraphError.commentNotFound) {
                _ = try await graph.comments.comment(on: post, by: users[2], content: "c", parent: comment.id)
            }
            try await graph.blocksAndMutes.block(users[1], users[2])
            await #expect(throws: GraphError.commentNotFound) {
                _ = try await graph.comments.comment(on: other, by: users[2], content: "c", parent: comment.id)
            }
            try await graph.posts.deletePost(other, by: users[0])
            await #expect(throws: GraphError.commentNotFound) {
                try await graph.comments.deleteComment(comment.id, by: users[1])
            }
            await #expect(throws: GraphError.postNotFound) {
                _ = try await graph.comments.comment(on: other, by: users[1], content: "c")
            }
            while try await graph.posts.purgeLeftovers(of: other, limit: 1) {}
            #expect(try await fixture.integer("SELECT COUNT(*) FROM comment") == 0)
        }
    }

    @Test
    func `lists are the latest first, page by page`() async throws {
        try await withPost { fixture, users, post in
            let graph = fixture.graph
            var tops: [CommentID] = []
            var replies: [CommentID] = []
            for _ in 0..<5 { tops.append(try await graph.comments.comment(on: post, by: users[1], content: "c").id) }
            for _ in 0..<4 {
                replies.append(
                    try await graph.comments.comment(on: post, by: users[2], content: "r", parent: tops[2]).id)
            }
            func walk(_ thread: CommentThread) async throws -> [CommentID] {
                var found: [CommentID] = []
                while true {
                    let page = try await graph.comments.comments(
                        of: post, thread, below: found.last?.rawValue, limit: 2)
                    found += page.map(\.id)
                    if page.isEmpty { return found }
                }
            }
            #expect(try await walk(.topLevel) == tops.reversed())
            #expect(try await walk(.replies(to: tops[2])) == replies.reversed())
            #expect(try await walk(.replies(to: tops[1])).isEmpty)
            #expect(try await walk(.everything) == (tops + replies).reversed())
            let theirs = try await graph.comments.comments(by: users[2], below: nil, limit: 3)
            #expect(theirs.items.map(\.id) == Array(replies.reversed().prefix(3)) && theirs.next != nil)
        }
    }
}
