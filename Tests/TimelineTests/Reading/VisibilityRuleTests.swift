import Database
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

/// The visibility rule. The reader is user 1. Posts are by user 2, and in community 50 if they are in one.
@Suite(.timeLimit(.unit))
struct VisibilityRuleTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reader: ViewerContext
        let post: PostFragment
        let outcome: VisibilityRule.Concealment?

        init(
            _ what: String, _ reader: ViewerContext, _ post: PostFragment, _ outcome: VisibilityRule.Concealment?
        ) {
            testDescription = what
            self.reader = reader
            self.post = post
            self.outcome = outcome
        }
    }

    private static let community = CommunityID(rawValue: 50)
    private static let closed = PostCommunity.sample(isForMembers: true)
    private static let removed = PostCommunity.sample(isRemoved: true)

    static let single: [Row] = [
        Row("a public post of a stranger", .sample(), .sample(), nil),
        Row("a block, of the author", .sample(blocked: [2]), .sample(), .blocked),
        Row("a block, of a co-author", .sample(blocked: [3]), .sample(by: [2, 3]), .blocked),
        Row("a block, of somebody else", .sample(blocked: [4]), .sample(by: [2, 3]), nil),
        Row("a mute, of the author", .sample(mutedPosts: [2]), .sample(), .muted(UserID(rawValue: 2))),
        Row("a mute, of a co-author", .sample(mutedPosts: [3]), .sample(by: [2, 3]), .muted(UserID(rawValue: 3))),
        Row(
            "a mute, of a followed author", .sample(follows: [2], mutedPosts: [2]), .sample(),
            .muted(UserID(rawValue: 2))),
        Row("a mute of reshares hides no post", .sample(mutedReshares: [2]), .sample(), nil),
        Row("for followers, to a stranger", .sample(), .sample(visibility: .followers), .followersOnly),
        Row("for followers, to one", .sample(follows: [2]), .sample(visibility: .followers), nil),
        Row(
            "for followers, to a co-author's", .sample(follows: [3]), .sample(by: [2, 3], visibility: .followers), nil),
        Row("for followers, to the author", .sample(2), .sample(visibility: .followers), nil),
        Row("for followers, to a co-author", .sample(3), .sample(by: [2, 3], visibility: .followers), nil),
        Row(
            "for followers, to a follower of its topic", .sample(homeTopics: [7]),
            .sample(visibility: .followers, tags: [7]), .followersOnly),
        Row("a private account, to a stranger", .sample(), .sample(isPrivate: true), .followersOnly),
        Row("a private account, to a follower", .sample(follows: [2]), .sample(isPrivate: true), nil),
        Row("a private account, to a co-author's", .sample(follows: [3]), .sample(by: [2, 3], isPrivate: true), nil),
        Row("a private account, in a community", .sample(), .sample(community: .sample(), isPrivate: true), nil),
        Row(
            "a muted word", .sample(mutedWords: ["pear", "apple pie"]), .sample(caption: "An ÀPPLE\tpie!"),
            .mutedWord("apple pie")),
        Row("a muted word within another", .sample(mutedWords: ["apple"]), .sample(caption: "pineapple"), nil),
        Row("a muted word, to the author", .sample(2, mutedWords: ["apple"]), .sample(caption: "apple"), nil),
        Row("an open community, to a stranger", .sample(), .sample(community: .sample()), nil),
        Row("a private one, to a stranger", .sample(), .sample(community: closed), .privateCommunity(community)),
        Row(
            "a private one, to a follower", .sample(follows: [2]), .sample(community: closed),
            .privateCommunity(community)),
        Row(
            "a private one, to its author who has left", .sample(2), .sample(community: closed),
            .privateCommunity(community)),
        Row("a private one, to a member", .sample(member: [50: .member]), .sample(community: closed), nil),
        Row(
            "another's member", .sample(member: [51: .member]), .sample(community: closed), .privateCommunity(community)
        ),
        Row("a ban", .sample(bannedFrom: [50]), .sample(community: .sample()), .bannedFromCommunity(community)),
        Row(
            "a ban, of the author", .sample(2, bannedFrom: [50]), .sample(community: .sample()),
            .bannedFromCommunity(community)),
        Row("a ban elsewhere", .sample(bannedFrom: [51]), .sample(community: .sample()), nil),
        Row("removed, to a stranger", .sample(), .sample(community: removed), .removedFromCommunity(community)),
        Row(
            "removed, to a member", .sample(member: [50: .member]), .sample(community: removed),
            .removedFromCommunity(community)),
        Row("removed, to a moderator", .sample(member: [50: .moderator]), .sample(community: removed), nil),
        Row("removed, to the owner", .sample(member: [50: .owner]), .sample(community: removed), nil),
        Row(
            "removed, to another's moderator", .sample(member: [51: .moderator]), .sample(community: removed),
            .removedFromCommunity(community)),
        Row("removed, to its author", .sample(2), .sample(community: removed), nil),
        Row("removed, to a co-author", .sample(3), .sample(by: [2, 3], community: removed), nil),
        Row("held, to a follower", .sample(follows: [2]), .sample(isHeld: true), .held),
        Row("silenced, to a stranger", .sample(homeTopics: [7]), .sample(tags: [7], isSilenced: true), .silenced),
        Row("silenced, to a follower", .sample(follows: [2]), .sample(isSilenced: true), nil),
        Row("silenced, to a co-author's", .sample(follows: [3]), .sample(by: [2, 3], isSilenced: true), nil),
        Row("silenced, to the author", .sample(2), .sample(isSilenced: true), nil),
    ]

    @Test(arguments: single)
    func `each reason to hide, and whom it spares`(row: Row) {
        #expect(VisibilityRule(context: row.reader).conceals(row.post) == row.outcome)
    }

    @Test
    func `of several reasons the first counts: ban, private, removed, block, followers only, mute`() {
        let post = PostFragment.sample(visibility: .followers, community: .sample(isForMembers: true, isRemoved: true))
        func outcome(_ reader: ViewerContext) -> VisibilityRule.Concealment? {
            VisibilityRule(context: reader).conceals(post)
        }
        let (muted, blocked) = ([2] as [Int64], [2] as [Int64])
        #expect(
            outcome(.sample(mutedPosts: muted, blocked: blocked, bannedFrom: [50]))
                == .bannedFromCommunity(Self.community))
        #expect(outcome(.sample(mutedPosts: muted, blocked: blocked)) == .privateCommunity(Self.community))
        #expect(
            outcome(.sample(mutedPosts: muted, blocked: blocked, member: [50: .member]))
                == .removedFromCommunity(Self.community))
        #expect(outcome(.sample(mutedPosts: muted, blocked: blocked, member: [50: .moderator])) == .blocked)
        #expect(outcome(.sample(mutedPosts: muted, member: [50: .moderator])) == .followersOnly)
        #expect(
            outcome(.sample(follows: [2], mutedPosts: muted, member: [50: .moderator]))
                == .muted(UserID(rawValue: 2)))
        #expect(outcome(.sample(follows: [2], member: [50: .moderator])) == nil)
    }

    @Test(arguments: single)
    func `by itself a muted author's post is shown, whatever else hides it stays hidden`(row: Row) {
        let isMute =
            switch row.outcome {
            case .muted, .mutedWord: true
            default: false
            }
        #expect(VisibilityRule(context: row.reader).isShownByItself(row.post) == (row.outcome == nil || isMute))
    }

    @Test(arguments: [
        PostFragment.sample(visibility: .followers), .sample(isPrivate: true), .sample(isSilenced: true),
    ])
    func `a mute opens nothing that is hidden without it`(post: PostFragment) {
        #expect(!VisibilityRule(context: .sample(mutedPosts: [2])).isShownByItself(post))
        #expect(VisibilityRule(context: .sample(follows: [2], mutedPosts: [2])).isShownByItself(post))
    }

    @Test
    func `what is held is there for its authors, by itself and in no feed`() {
        for (reader, isShown): (ViewerContext, Bool) in [
            (.sample(2), true), (.sample(3), true), (.sample(), false), (.sample(2, bannedFrom: [50]), false),
        ] {
            let rule = VisibilityRule(context: reader)
            let post = PostFragment.sample(by: [2, 3], community: .sample(), isHeld: true)
            #expect(rule.isShownByItself(post) == isShown && rule.conceals(post) == .held)
        }
    }

    @Test
    func `a post is reached by author, co-author, topic or community, and by nothing else`() {
        let post = PostFragment.sample(by: [2, 3], community: .sample(), category: 7, tags: [8])
        func reaches(_ reader: ViewerContext, without left: Int64? = nil) -> Bool {
            VisibilityRule(context: reader).reachesDirectly(post, leavingOut: left.map(UserID.init(rawValue:)))
        }
        #expect(!reaches(.sample()))
        #expect(!reaches(.sample(follows: [4], homeTopics: [6, 9], homeCommunities: [49, 51])))
        for reader: ViewerContext in [
            .sample(2), .sample(3), .sample(follows: [2]), .sample(follows: [3]), .sample(homeTopics: [7]),
            .sample(homeTopics: [8]), .sample(homeCommunities: [50]),
        ] { #expect(reaches(reader)) }
        // Includes a joined community that is switched off.
        #expect(!reaches(.sample(member: [50: .owner])))
        #expect(!reaches(.sample(follows: [3]), without: 3))
        #expect(!reaches(.sample(3), without: 3))
        #expect(reaches(.sample(follows: [2, 3]), without: 3))
        #expect(reaches(.sample(follows: [3], homeTopics: [8]), without: 3))
    }

    @Test
    func `a reshare counts if it is the reader's own or a followed user's whose reshares are not muted`() {
        let rule = VisibilityRule(context: .sample(follows: [2, 3], mutedPosts: [2], mutedReshares: [3]))
        #expect([1, 2, 3, 4].map { rule.counts(reshareBy: UserID(rawValue: $0)) } == [true, true, false, false])
    }

    @Test
    func `public is what is for everyone, in no closed community, and not held or silenced`() {
        #expect(PostFragment.sample().isPublic && PostFragment.sample(community: .sample()).isPublic)
        #expect(!PostFragment.sample(visibility: .followers).isPublic)
        #expect(!PostFragment.sample(community: Self.closed).isPublic)
        #expect(!PostFragment.sample(community: Self.removed).isPublic)
        #expect(!PostFragment.sample(isHeld: true).isPublic && !PostFragment.sample(isSilenced: true).isPublic)
    }
}
