import Discovery
import Moderation
import Saves
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

/// Posts that are hidden from some or all readers, one of each kind, and the readers. Every post carries a unique word
/// in each of its texts, so that any answer that reveals it can be recognised.
struct HiddenWorld: Sendable {
    enum Kind: String, CaseIterable {
        case deleted, takenDown, held, removed, suspended, silenced, blockedByAuthor, blockedByReader, muted
        case followersOnly, privateAccount, privateCommunity

        /// A word that occurs in no other text and in no other canary.
        var canary: String { "kestrel\(rawValue.lowercased())" }
    }

    enum Reader: String, CaseIterable {
        case anonymous, stranger, follower, blocked, blocking, muting, member, moderator, author
    }

    struct Hidden: Sendable {
        let kind: Kind
        let post: PostID
        let comment: CommentID
        let author: Person
    }

    let server: GraphdServer
    let readers: [Reader: Person]
    let hidden: [Hidden]
    /// A post for everybody, with comments that moderators hide.
    let open: PostID
    let openComments: [CommentID]
    let communities: [CommunityID]
    let authors: [Person]
    let collections: [CollectionID]

    /// Returns true if `reader` may open a post of that kind, according to the design.
    static func mayOpen(_ kind: Kind, _ reader: Reader) -> Bool {
        switch kind {
        case .deleted, .takenDown, .suspended: false
        case .held: reader == .author
        case .removed: reader == .author || reader == .moderator
        case .silenced, .privateAccount: reader == .follower
        case .blockedByAuthor: reader != .anonymous && reader != .blocked
        case .blockedByReader: reader != .anonymous && reader != .blocking
        case .muted: reader != .anonymous
        case .followersOnly: reader == .author || reader == .follower
        case .privateCommunity: [.author, .member, .moderator].contains(reader)
        }
    }

    /// Returns true if feeds and lists may show `reader` a post of that kind.
    static func mayMeet(_ kind: Kind, _ reader: Reader) -> Bool {
        mayOpen(kind, reader) && !(kind == .muted && reader == .muting)
    }

    func client(_ reader: Reader) -> APIClient { server.client(readers[reader]) }
}

// MARK: Making it

extension HiddenWorld {
    /// Fills the data directory of a server that has not been started.
    static func made(by server: GraphdServer) async throws -> HiddenWorld {
        var readers: [Reader: Person] = [:]
        for reader in Reader.allCases where reader != .anonymous {
            readers[reader] = try await server.person(reader.rawValue)
        }
        let cast = try await Cast(server, readers)
        var hidden: [Hidden] = []
        for kind in Kind.allCases { hidden.append(try await cast.publish(kind)) }
        let open = try await cast.publishOpen()
        try await cast.engage(with: hidden.map(\.post) + [open.post])
        for item in hidden { try await cast.hide(item) }
        return HiddenWorld(
            server: server, readers: readers, hidden: hidden, open: open.post, openComments: open.comments,
            communities: [cast.club, cast.closed], authors: Array(cast.authors.values), collections: cast.collections)
    }
}

/// The people and acts that create the world.
private struct Cast {
    private let server: GraphdServer
    private let readers: [HiddenWorld.Reader: Person]
    let authors: [HiddenWorld.Kind: Person]
    let (club, closed): (CommunityID, CommunityID)
    let collections: [CollectionID]
    private let commenter: Person

    private var graph: GraphStore { server.graph }

    init(
        _ server: GraphdServer, _ readers: [HiddenWorld.Reader: Person]
    ) async throws {
        self.server = server
        self.readers = readers
        let graph = server.graph
        let author = try #require(readers[.author])
        var authors: [HiddenWorld.Kind: Person] = [:]
        for kind in HiddenWorld.Kind.allCases {
            switch kind {
            case .suspended, .silenced, .blockedByAuthor, .blockedByReader, .muted, .privateAccount:
                authors[kind] = try await server.person("author\(kind.rawValue.lowercased())")
            default: authors[kind] = author
            }
        }
        self.authors = authors
        commenter = try await server.person("commenter")
        club = try await graph.communities.createCommunity(name: "club", description: "", by: author.id).id
        closed = try await graph.communities.createCommunity(
            name: "closed", description: "", by: author.id, isPrivate: true
        ).id
        let (member, moderator) = (try #require(readers[.member]), try #require(readers[.moderator]))
        for community in [club, closed] {
            for user in [member.id, moderator.id, commenter.id] {
                if try await graph.communities.joinCommunity(community, by: user) == .requested {
                    try await graph.joinRequests.approveRequest(of: user, to: community, by: author.id)
                }
            }
            try await graph.communities.setRole(.moderator, of: moderator.id, in: community)
        }
        // The commenter must have seen the posts for followers.
        for person in [try #require(readers[.follower]), commenter] {
            for author in Set(authors.values) { try await graph.follows.follow(person.id, author.id) }
        }
        let muted = try #require(authors[.muted])
        try await graph.follows.follow(try #require(readers[.muting]).id, muted.id)
        var collections: [CollectionID] = []
        for person in readers.values.sorted(by: { $0.id < $1.id }) {
            collections.append(try await graph.collections.createCollection(named: "c", by: person.id).id)
        }
        self.collections = collections
    }

    func publish(_ kind: HiddenWorld.Kind) async throws -> HiddenWorld.Hidden {
        let author = try #require(authors[kind])
        let canary = kind.canary
        var post = NewPost(
            author: author.id, caption: "about \(canary)", mediaURL: "https://example.org/\(canary).mp4",
            category: canary, algorithmTags: [canary], title: "title \(canary)",
            thumbnailURL: "https://example.org/\(canary).jpg",
            attributes: [
                "kestrel": .text(canary), "workoutType": .text(canary), "cuisineType": .text(canary),
                "difficultyLevel": .text(canary),
            ])
        if kind == .followersOnly { post.visibility = .followers }
        if kind == .removed { post.community = club }
        if kind == .privateCommunity { post.community = closed }
        let id = try await graph.posts.publish(post).id
        try await graph.segments.replaceSegments(
            of: id, by: author.id, with: [NewSegment(label: canary, start: 0, end: 1_000)])
        try await graph.segments.replaceTranscript(
            of: id, by: author.id, with: "WEBVTT\n\n00:00.000 --> 00:01.000\n\(canary)\n")
        let comment = try await graph.comments.comment(on: id, by: commenter.id, content: "comment \(canary)")
        return HiddenWorld.Hidden(kind: kind, post: id, comment: comment.id, author: author)
    }

    /// Publishes a post with three comments, two of them hidden by moderators. Everybody who hides or is hidden likes
    /// it.
    func publishOpen() async throws -> (post: PostID, comments: [CommentID]) {
        let author = try #require(authors[.deleted])
        var post = NewPost(author: author.id, caption: "open", mediaURL: "https://example.org/open.mp4")
        post.attributes = [
            "workoutType": .text("open"), "cuisineType": .text("open"), "difficultyLevel": .text("open"),
        ]
        post.community = club
        let id = try await graph.posts.publish(post).id
        var comments: [CommentID] = []
        for number in 0..<3 {
            comments.append(try await graph.comments.comment(on: id, by: commenter.id, content: "open \(number)").id)
        }
        for (comment, action) in zip(comments, [ModerationAction.holdComment, .removeComment]) {
            _ = try await graph.moderation.moderate(
                ModerationOrder(action, [.comment(comment)], reason: "hidden"), by: nil)
        }
        for person in Array(authors.values) + Array(readers.values) { try await graph.likes.like(id, by: person.id) }
        return (id, comments)
    }

    /// Adds the readers' acts from the time when they still saw the posts.
    func engage(with posts: [PostID]) async throws {
        for (reader, person) in readers where reader != .author {
            for post in posts {
                try await graph.likes.like(post, by: person.id)
                try await graph.saves.save(post, by: person.id)
                if reader == .stranger || reader == .follower { try await graph.reshares.reshare(post, by: person.id) }
            }
        }
    }

    func hide(_ item: HiddenWorld.Hidden) async throws {
        func moderate(_ action: ModerationAction, _ subject: ModerationSubject) async throws {
            _ = try await graph.moderation.moderate(ModerationOrder(action, [subject], reason: "hidden"), by: nil)
        }
        switch item.kind {
        case .deleted: try await graph.posts.deletePost(item.post, by: item.author.id)
        case .takenDown: try await moderate(.takedownPost, .post(item.post))
        case .held: try await moderate(.holdPost, .post(item.post))
        case .removed: try await moderate(.removePost, .post(item.post))
        case .suspended: try await moderate(.suspendUser, .user(item.author.id))
        case .silenced: try await moderate(.silenceUser, .user(item.author.id))
        case .blockedByAuthor: try await graph.blocksAndMutes.block(item.author.id, try #require(readers[.blocked]).id)
        case .blockedByReader: try await graph.blocksAndMutes.block(try #require(readers[.blocking]).id, item.author.id)
        case .muted: try await graph.blocksAndMutes.mute(try #require(readers[.muting]).id, item.author.id, .everything)
        case .privateAccount:
            try await graph.setPrivate(true, item.author.id)
            // A request opens nothing while it waits.
            try await graph.follows.follow(try #require(readers[.stranger]).id, item.author.id)
        case .followersOnly, .privateCommunity: break
        }
    }
}
