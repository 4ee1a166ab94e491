import Database
import SocialGraph
import TestSupport
import Testing
import Text

@testable import Timeline

@Suite(.timeLimit(.unit))
struct LateEventsTests {
    private func concerned(
        _ kind: GraphChange.Kind, _ subject: Int64, _ object: Int64, _ reader: ViewerContext
    ) -> Bool {
        let late = LateEvents()
        let mark = late.mark
        late.observe([GraphChange(kind: kind.rawValue, subject: subject, object: object)])
        return late.concern(reader, since: mark)
    }

    private let reader = ViewerContext.sample(1, follows: [2], mutedPosts: [3], blocked: [4])

    @Test(arguments: [
        GraphChange.Kind.followed, .unfollowed, .preferencesChanged, .membershipChanged, .blockOrMuteChanged,
    ])
    func `a reader's own relations concern the reader`(kind: GraphChange.Kind) {
        #expect(concerned(kind, 1, 9, reader))
        #expect(!concerned(kind, 9, 8, reader))
        // New followers and members do not concern the reader. Blocks and unblocks of the reader do.
        #expect(concerned(kind, 9, 1, reader) == (kind == .blockOrMuteChanged))
        #expect(!concerned(kind, 2, 9, reader), "what those do whom the reader follows")
    }

    @Test(arguments: [GraphChange.Kind.unreshared, .collaborationEnded])
    func `what an actor brings or takes back late concerns followers, and those from whom the actor hid a post`(
        kind: GraphChange.Kind
    ) {
        for actor: Int64 in [1, 2, 3, 4] { #expect(concerned(kind, 100, actor, reader), "\(actor)") }
        #expect(!concerned(kind, 100, 5, reader))
        #expect(!concerned(kind, 2, 5, reader), "the subject is a post, not a user")
    }

    /// An author who joins brings a post of suspended or silenced ones to those who follow its topics.
    @Test(arguments: [GraphChange.Kind.postModerated, .communityChanged, .graphImported, .collaborationAccepted])
    func `what moderators, importers and new authors do concerns everybody`(kind: GraphChange.Kind) {
        #expect(concerned(kind, 77, 0, reader))
    }

    @Test(arguments: [GraphChange.Kind.postPublished, .postDeleted, .reshared, .invitationChanged, .hubChanged])
    func `what comes on top, or only goes, concerns nobody`(kind: GraphChange.Kind) {
        #expect(!concerned(kind, 1, 1, reader) && !concerned(kind, 2, 2, reader))
    }

    @Test
    func `an edit concerns those from whom words may have hidden the post`() {
        var reader = reader
        #expect(!concerned(.postEdited, 77, 0, reader))
        reader.mutedWords = MutedWords([(word: "spoiler", isWhole: true)])
        #expect(concerned(.postEdited, 77, 0, reader))
    }

    @Test
    func `a change of a kind that a newer version writes concerns everybody`() {
        let late = LateEvents()
        let mark = late.mark
        late.observe([GraphChange(kind: 9_999, subject: 77, object: 78)])
        #expect(late.concern(reader, since: mark) && late.concern(.sample(7), since: mark))
    }

    @Test
    func `events before the mark are known, and those after it are looked at each`() {
        let late = LateEvents()
        late.observe([GraphChange.followed(follower: UserID(rawValue: 1), followee: UserID(rawValue: 2))])
        let mark = late.mark
        #expect(!late.concern(reader, since: mark))
        late.observe([
            GraphChange.followed(follower: UserID(rawValue: 8), followee: UserID(rawValue: 2)),
            GraphChange.unfollowed(follower: UserID(rawValue: 1), followee: UserID(rawValue: 2)),
        ])
        late.observe([GraphChange.postPublished(PostID(rawValue: 5), author: UserID(rawValue: 2))])
        #expect(late.concern(reader, since: mark) && late.concern(reader, since: 0))
        #expect(!late.concern(reader, since: late.mark))
        #expect(!late.concern(.sample(7), since: mark))
    }

    @Test
    func `only so many are kept: a mark of before them may be concerned by anything`() {
        let late = LateEvents()
        let stranger = ViewerContext.sample(7)
        let first = late.mark
        let kept = LateEvents.capacity
        late.observe(
            Array(
                repeating: GraphChange.followed(follower: UserID(rawValue: 8), followee: UserID(rawValue: 2)),
                count: kept))
        #expect(late.mark == kept && !late.concern(stranger, since: first))
        late.observe([GraphChange.followed(follower: UserID(rawValue: 8), followee: UserID(rawValue: 2))])
        #expect(late.mark == kept + 1)
        #expect(late.concern(stranger, since: first), "one event is forgotten")
        #expect(!late.concern(stranger, since: first + 1))
    }
}
