import Database
import TestSupport
import Testing

@testable import SocialGraph

/// Encoding of changes in the log.
@Suite(.timeLimit(.unit))
struct GraphChangeTests {
    /// Kinds with fewer parts have 0 for the others in the log.
    @Test(arguments: GraphChange.Kind.allCases, [(1, 0), (0, 1), (7, 9), (IDSequence.maximum, IDSequence.maximum)])
    func `every kind comes back from the log as it was written`(
        kind: GraphChange.Kind, parts: (subject: Int64, object: Int64)
    ) {
        let change = GraphChange(kind: kind.rawValue, subject: parts.subject, object: parts.object)
        #expect(change.kind == kind)
        let row = change.row
        #expect(row.kind == kind.rawValue)
        #expect([0, 1, parts.subject].contains(row.subject) && [0, 1, parts.object].contains(row.object))
        #expect(GraphChange(kind: row.kind, subject: row.subject, object: row.object) == change)
    }

    @Test func `parts are told apart`() {
        let (ann, bob) = (UserID(rawValue: 1), UserID(rawValue: 2))
        let (post, comment) = (PostID(rawValue: 3), CommentID(rawValue: 4))
        #expect(GraphChange.followed(follower: ann, followee: bob).row == (3, 1, 2))
        #expect(GraphChange.postPublished(post, author: ann).row == (1, 3, 1))
        #expect(GraphChange.commentChanged(comment, on: post).row == (22, 4, 3))
        #expect(GraphChange.commentChanged(comment, on: nil).row == (22, 4, 0))
        #expect(GraphChange.accountChanged(ann, isRenamed: true).row == (18, 1, 1))
        #expect(GraphChange.rulesChanged(of: nil).row == (36, 0, 0))
    }

    @Test(arguments: [Int64(0), -1, 39, .max])
    func `a kind that a newer version writes is kept, and known to be unknown`(kind: Int64) {
        let change = GraphChange(kind: kind, subject: 5, object: 6)
        #expect(change == .unknown(kind: kind, subject: 5, object: 6))
        #expect(change.kind == nil && change.row == (kind, 5, 6))
    }

    @Test func `an unknown kind in the log is read, not left out`() async throws {
        try await withGraph { fixture in
            try await fixture.database.write { try $0.log(kind: 99, subject: 5, object: 6) }
            let unknown = GraphChange.unknown(kind: 99, subject: 5, object: 6)
            #expect(try await fixture.graph.changes.changes(above: 0, limit: 9).map(\.change) == [unknown])
            #expect(try await fixture.graph.changes.changes(above: 0, limit: 9).map(\.change) == [unknown])
        }
    }
}
