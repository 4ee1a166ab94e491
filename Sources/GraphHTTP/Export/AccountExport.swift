import Database
import Discovery
import GraphAPI
import GraphServices
import Hummingbird
import Moderation
import NIOCore
import Privacy
import Push
import Saves
import Sessions
import SocialGraph
import Timeline

/// All data that the server has on a user, as one JSON object that is written page by page: only one page is in memory,
/// however large the export is.
struct AccountExport: Sendable {
    static let pageLength = 200
    /// A transcript may be as long as a request.
    private static let transcriptsAtOnce = 4
    /// Embeddings are as long as a hundred posts each.
    private static let embeddingPageLength = 25

    let graph: GraphStore
    let account: Account
    let encoding: PostEncoding
    /// The details of the user's own posts and comments.
    private let details: ItemDetails

    init(graph: GraphStore, account: Account, encoding: PostEncoding) {
        self.graph = graph
        self.account = account
        self.encoding = encoding
        details = ItemDetails(author: encoding.card(of: AuthorProfile(account)), viewer: nil)
    }

    /// The parts of the object, in this order. Each is read when it is its turn.
    enum Part: String, CaseIterable, Sendable {
        case account, identities, sessions, logins, posts, collaborations, reshares, comments, likes, externalShares
        case saves, collections, watches
        case following, followers, followRequests, sentFollowRequests, blocks, mutes, mutedWords
        case topics, communities
        case notifications, media
        case segments, embeddings, devices, webhooks, pushSettings, reminders
        case reports, appeals, moderation

        /// The tables that the part exports.
        var tables: [String] {
            switch self {
            case .account: ["account", "preference", "selected_algorithm", "confirmed_email"]
            case .identities: ["identity"]
            case .sessions: ["session"]
            case .logins: ["login_event"]
            case .posts: ["post", "author_post"]
            case .collaborations: ["post_collaborator"]
            case .reshares: ["reshare"]
            case .comments: ["comment"]
            case .likes: ["post_like"]
            case .externalShares: ["external_share"]
            case .saves: ["saved_post"]
            case .collections: ["collection", "collection_post"]
            case .watches: ["watch"]
            case .following, .followers: ["follow"]
            case .followRequests, .sentFollowRequests: ["follow_request"]
            case .blocks: ["block"]
            case .mutes: ["mute"]
            case .mutedWords: ["muted_word"]
            case .topics: ["topic_follow"]
            case .communities: ["community_member", "community_ban", "community_request"]
            case .notifications: ["notification", "notification_group"]
            case .media: ["media"]
            case .segments: ["segmentation", "segment"]
            case .embeddings: ["embedding"]
            case .devices: ["device"]
            case .webhooks: ["webhook"]
            case .pushSettings: ["push_setting"]
            case .reminders: ["reminder"]
            case .reports: ["report"]
            case .appeals: ["appeal"]
            case .moderation: ["moderation_entry"]
            }
        }
    }

    /// Tables that name users but hold nothing about them that is not exported elsewhere.
    static let derivedTables: [String: String] = [
        "hub": "follows from the number of followers", "idempotency": "repeats what a request asked, for a day",
        "idempotent_request": "repeats answers that the user has had, for a day",
        "recommendation_list": "follows from what else is told, and is kept for minutes",
        "community_participant": "follows from memberships that have been, and from comments",
        "known_address": "digests of addresses, which the log of log-ins names",
        "media_usage": "follows from the files", "media_job": "follows from the videos",
        "mail": "a mail to the user until it is sent", "account_token": "digests of tokens that mails had, for a day",
        "totp": "the secret of the user's authenticator", "recovery_code": "digests of codes that the user has",
        "opened_account": "marks an account that was made public, until the requests that waited are approved",
        "erasure": "empty while the account is there",
        "push_event": "repeats notifications, and posts that match preferences, for a day",
        "push_delivery": "repeats the same, until it is sent",
    ]

    /// - Parameter watch: told of each write to `body`.
    func write(to body: inout any ResponseBodyWriter, _ watch: WriteWatch) async throws {
        var stream = JSONStream(watch: watch)
        stream.json.beginObject()
        for part in Part.allCases { try await write(part, &stream, &body) }
        stream.json.endObject()
        try await stream.finish(to: &body)
    }

    private func write(
        _ part: Part, _ stream: inout JSONStream, _ body: inout any ResponseBodyWriter
    ) async throws {
        let user = account.id
        stream.json.key(escaping: part.rawValue)
        switch part {
        case .account:
            stream.json.ownAccount(
                account, try await graph.accounts.preferences(of: user),
                isEmailConfirmed: try await graph.accountTokens.isEmailConfirmed(of: user), encoding.urls.shared)
        case .identities, .sessions, .mutedWords, .topics, .communities, .devices, .webhooks, .reminders:
            try await writeBounded(part, &stream)
        case .logins:
            try await pages(&stream, &body) {
                try await graph.sessions.loginEvents(of: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.login($1)
            }
        case .posts:
            try await pages(&stream, &body) {
                try await graph.exports.ownPosts(of: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.post(encoding.fragment(of: $1), details, for: user)
            }
        case .collaborations:
            try await pages(&stream, &body) {
                try await graph.exports.collaborations(of: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.collaboration($1)
            }
        case .reshares:
            try await pages(&stream, &body) {
                try await graph.exports.reshares(by: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.reshare($1)
            }
        case .comments, .likes, .externalShares, .watches, .notifications:
            try await writeEngagement(part, &stream, &body)
        case .saves, .collections: try await writeSaves(part, &stream, &body)
        case .following, .followers, .followRequests, .sentFollowRequests, .blocks, .mutes:
            try await writeRelations(part, &stream, &body)
        case .pushSettings: stream.json.pushSettings(try await graph.pushSettings.pushSettings(of: user))
        case .media, .segments, .embeddings: try await writeContent(part, &stream, &body)
        case .reports, .appeals, .moderation: try await writeModeration(part, &stream, &body)
        }
    }

    /// Writes lists of people.
    private func writeRelations(
        _ part: Part, _ stream: inout JSONStream, _ body: inout any ResponseBodyWriter
    ) async throws {
        let user = account.id
        switch part {
        case .following, .followers:
            try await pages(&stream, &body) {
                let direction = part == .followers ? FollowDirection.followers : .following
                return try await graph.follows.followList(of: user, direction, below: $0, limit: Self.pageLength)
            } write: {
                $0.userReference($1.user, $1.username)
            }
        case .followRequests, .sentFollowRequests:
            try await pages(&stream, &body) {
                try await part == .followRequests
                    ? graph.followRequests.requests(to: user, below: $0, limit: Self.pageLength)
                    : graph.followRequests.sentRequests(by: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.userReference($1.user, $1.username)
            }
        case .blocks:
            try await pages(&stream, &body) {
                try await graph.blocksAndMutes.blocks(of: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.userReference($1.user, $1.username)
            }
        default:
            try await pages(&stream, &body) {
                try await graph.blocksAndMutes.mutes(of: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.mute($1)
            }
        }
    }

    /// Writes the data of the user's posts.
    private func writeContent(
        _ part: Part, _ stream: inout JSONStream, _ body: inout any ResponseBodyWriter
    ) async throws {
        let user = account.id
        switch part {
        case .media:
            try await pages(&stream, &body) {
                try await graph.exports.ownFiles(of: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.ownFile($1, encoding.urls.absolute)
            }
        case .segments:
            try await pages(&stream, &body) {
                try await graph.segments.ownSegmentations(of: user, below: $0, limit: Self.transcriptsAtOnce)
            } write: {
                $0.ownSegmentation($1)
            }
        default:
            try await pages(&stream, &body) {
                try await graph.embeddings.ownEmbeddings(of: user, below: $0, limit: Self.embeddingPageLength)
            } write: {
                $0.embedding($1)
            }
        }
    }

    private func writeEngagement(
        _ part: Part, _ stream: inout JSONStream, _ body: inout any ResponseBodyWriter
    ) async throws {
        let user = account.id
        switch part {
        case .comments:
            try await pages(&stream, &body) {
                try await graph.comments.comments(by: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.comment($1, details)
            }
        case .likes:
            try await pages(&stream, &body) {
                try await graph.likes.likes(by: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.ownLike($1)
            }
        case .externalShares:
            try await pages(&stream, &body) {
                try await graph.engagement.externalShares(by: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.exportedShare($1)
            }
        case .watches:
            try await pages(&stream, &body) {
                try await graph.watches.watches(by: user, below: $0, limit: Self.pageLength)
            } write: {
                $0.watch($1)
            }
        default:
            try await pages(&stream, &body) {
                let told = try await graph.notifications.notifications(of: user, below: $0, limit: Self.pageLength)
                let notices = try await graph.notices.notices(told.map { ($0.kind, $0.subject) })
                return Page(
                    items: Array(zip(told, notices)), next: told.count == Self.pageLength ? told.last?.id : nil)
            } write: {
                $0.notification($1.0, $1.1)
            }
        }
    }

    private func writeSaves(
        _ part: Part, _ stream: inout JSONStream, _ body: inout any ResponseBodyWriter
    ) async throws {
        let user = account.id
        guard part == .collections else {
            return try await pages(&stream, &body) {
                let saves = try await graph.saves.saves(by: user, below: $0, limit: Self.pageLength)
                return Page(items: saves, next: saves.count == Self.pageLength ? saves.last?.id : nil)
            } write: {
                $0.save($1)
            }
        }
        stream.json.beginArray()
        for collection in try await graph.collections.collections(of: user) {
            stream.json.beginObject()
            stream.json.collectionMembers(collection)
            stream.json.key("postIds")
            try await pages(&stream, &body) {
                let entries = try await graph.collections.posts(
                    in: collection.id, of: user, above: $0, limit: Self.pageLength)
                return Page(items: entries, next: entries.count == Self.pageLength ? entries.last?.position : nil)
            } write: {
                $0.id($1.post.rawValue)
            }
            stream.json.endObject()
        }
        stream.json.endArray()
    }

    /// Writes lists that are short for every user.
    private func writeBounded(_ part: Part, _ stream: inout JSONStream) async throws {
        stream.json.beginArray()
        switch part {
        case .identities:
            for identity in try await graph.exports.identities(of: account.id) {
                stream.json.identity(issuer: identity.issuer, subject: identity.subject)
            }
        case .sessions:
            for session in try await graph.sessions.sessions(of: account.id) { stream.json.session(listed: session) }
        case .mutedWords:
            for word in try await graph.mutedWords.words(of: account.id) { stream.json.mutedWord(word) }
        case .topics:
            for topic in try await graph.topics.followedTopics(of: account.id) { stream.json.followedTopic(topic) }
        case .devices: for device in try await graph.devices.devices(of: account.id) { stream.json.device(device) }
        case .webhooks:
            for webhook in try await graph.webhooks.webhooks(of: account.id) { stream.json.webhook(webhook) }
        case .reminders:
            for reminder in try await graph.pushSettings.reminders(of: account.id) { stream.json.reminder(reminder) }
        default:
            for tie in try await graph.exports.communityTies(of: account.id) { stream.json.communityTie(tie) }
        }
        stream.json.endArray()
    }

    func pages<Item>(
        _ stream: inout JSONStream, _ body: inout any ResponseBodyWriter,
        read: (Int64?) async throws -> Page<Item, Int64>, write: (inout JSONWriter, Item) -> Void
    ) async throws {
        stream.json.beginArray()
        var cursor: Int64?
        repeat {
            let page = try await read(cursor)
            for item in page.items { write(&stream.json, item) }
            try await stream.flush(to: &body)
            cursor = page.next
        } while cursor != nil
        stream.json.endArray()
    }
}

/// JSON that is sent piece by piece.
struct JSONStream {
    let watch: WriteWatch
    var json = JSONWriter(reservingCapacity: 65_536)

    /// Sends the written bytes, except the last one: from it the writer decides whether a comma comes next.
    mutating func flush(to body: inout any ResponseBodyWriter) async throws {
        let bytes = json.bytes
        guard let last = bytes.last else { return }
        try await write(ByteBuffer(bytes: bytes.dropLast()), to: &body)
        json.removeAll()
        json.raw([last])
    }

    /// Sends everything. Nothing may follow.
    mutating func finish(to body: inout any ResponseBodyWriter) async throws {
        try await write(ByteBuffer(bytes: json.bytes), to: &body)
        json.removeAll()
    }

    private func write(_ bytes: ByteBuffer, to body: inout any ResponseBodyWriter) async throws {
        watch.begin()
        defer { watch.end() }
        try await body.write(bytes)
    }
}
