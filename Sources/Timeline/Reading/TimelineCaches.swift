import Database
import SocialGraph
import Synchronization

/// In-memory caches of posts as fragments, of data about recent readers, of the first reshares of posts, of the newest
/// entries of pulled feeds, and of hub authors. Every commit updates them before it is acknowledged, so that a cached
/// value is never older than the caller's last acknowledged write.
package final class TimelineCaches: Sendable {
    /// Encoded posts kept in memory.
    private static let cachedPosts = 100_000
    /// Capacity for data about readers, in followee ids.
    private static let cachedContexts = 4_000_000
    /// Capacity for lists of reshares, in reshares.
    private static let cachedReshares = 1_000_000
    /// Capacity for the heads of pulled feeds, in entries.
    private static let cachedHeads = 4_000_000
    /// Capacity for names of topics, and separately for names without a topic.
    private static let cachedTopics = 100_000
    /// Maximum number of first reshares kept for a post.
    private static let resharesKept = 64
    /// Maximum number of newest entries kept for a pulled feed.
    private static let headLength = 128

    private let fragments: VersionedCache<PostID, PostFragment>
    private let readers: VersionedCache<UserID, TimelineViewer>
    private let reshares: VersionedCache<PostID, ReshareList>
    private let heads: VersionedCache<FeedSource, FeedSlice>
    private let hubs: VersionedCache<Int, HubList>
    /// Topics by name. A topic is never renamed or deleted, so entries stay valid.
    private let topics: VersionedCache<TopicName, TopicID>
    /// Names without a topic, valid until the next topic is created.
    private let unknownTopics: VersionedCache<TopicName, Bool>
    private let graph: any CachedGraph
    private let encode: @Sendable (Post) -> PostFragment

    package init(graph: any CachedGraph, encode: @escaping @Sendable (Post) -> PostFragment) {
        self.graph = graph
        self.encode = encode
        fragments = VersionedCache(capacity: Self.cachedPosts)
        readers = VersionedCache(capacity: Self.cachedContexts) { $0.context.weight }
        reshares = VersionedCache(capacity: Self.cachedReshares) { $0.reshares.count + 4 }
        heads = VersionedCache(capacity: Self.cachedHeads) { $0.entries.count + 4 }
        hubs = VersionedCache(capacity: 2)
        topics = VersionedCache(capacity: Self.cachedTopics)
        unknownTopics = VersionedCache(capacity: Self.cachedTopics)
    }

    /// Applies a commit of this process.
    package func observe(_ record: CommitRecord) {
        for source in record.touched { heads.invalidate(source) }
        for change in record.changes { apply(change) }
    }

    /// Applies the changes of another process.
    package func observe(_ groups: LoggedGroups) {
        if let touched = groups.touched {
            for source in touched { heads.invalidate(source) }
        } else {
            heads.invalidateAll()
        }
        for change in groups.changes { apply(change) }
    }

    private func apply(_ change: GraphChange) {
        switch change.affectedReaders {
        case .none: break
        case .some(let users): for user in users { readers.invalidate(user) }
        case .all: readers.invalidateAll()
        }
        switch change {
        case .postDeleted(let post, _), .reshared(_, let post), .unreshared(let post, _):
            fragments.invalidate(post)
            reshares.invalidate(post)
        case .postModerated(let post), .postEdited(let post, _), .collaborationAccepted(let post, _),
            .collaborationEnded(let post, _), .invitationChanged(let post, _), .likesChanged(let post, _),
            .sharedExternally(let post, _), .commented(_, let post):
            fragments.invalidate(post)
        case .commentChanged(_, let post), .commentModerated(_, let post): post.map(fragments.invalidate)
        case .hubChanged: hubs.invalidateAll()
        case .topicCreated: unknownTopics.invalidateAll()
        // The fragments of all posts that the user created or collaborates on contain the name.
        case .accountChanged(_, let isRenamed): if isRenamed { fragments.invalidateAll() }
        case .communityVisibilityChanged: fragments.invalidateAll()
        // Posts of a deleted or suspended user have no fragments.
        case .accountDeleted, .accountModerated, .accountPrivacyChanged: fragments.invalidateAll()
        case .followed, .unfollowed, .preferencesChanged, .membershipChanged, .blockOrMuteChanged, .postPublished,
            .communityChanged, .sessionsChanged, .notified, .notificationsChanged, .savesChanged,
            .watched, .segmentsChanged, .embeddingChanged, .reportChanged, .rulesChanged, .postReleased:
            break
        case .graphImported: hubs.invalidateAll()
        case .unknown: invalidateAll()
        }
    }

    /// Empties every cache except the readers'.
    private func invalidateAll() {
        heads.invalidateAll()
        fragments.invalidateAll()
        reshares.invalidateAll()
        hubs.invalidateAll()
        unknownTopics.invalidateAll()
    }

    func forgetReaders(_ viewers: [UserID]) { for viewer in viewers { readers.invalidate(viewer) } }

    /// Returns the live posts among `ids`, in order, nil for others.
    func fragments(of ids: [PostID]) async throws -> [PostFragment?] {
        let found = fragments.values(for: ids)
        return found.contains { $0 == nil } ? try await complete(found, of: ids) : found
    }

    private func complete(_ found: [PostFragment?], of ids: [PostID]) async throws -> [PostFragment?] {
        let load = fragments.beginLoad()
        var loaded: [PostID: PostFragment] = [:]
        for post in try await graph.posts(zip(ids, found).filter { $0.1 == nil }.map(\.0)) {
            let fragment = encode(post)
            loaded[post.id] = fragment
            fragments.finish(load, post.id, fragment)
        }
        return zip(ids, found).map { $1 ?? loaded[$0] }
    }

    /// Returns the topics with that kind and those names, nil for a name without a topic.
    func topics(_ kind: TopicKind, named names: [String]) async throws -> [TopicID?] {
        let keys = names.map { TopicName(kind: kind, name: $0) }
        var found = topics.values(for: keys)
        let unfound = keys.indices.filter { found[$0] == nil }
        guard !unfound.isEmpty else { return found }
        let unknown = unknownTopics.values(for: unfound.map { keys[$0] })
        let missing = zip(unfound, unknown).filter { $0.1 == nil }.map(\.0)
        guard !missing.isEmpty else { return found }
        let load = topics.beginLoad()
        let unknownLoad = unknownTopics.beginLoad()
        let loaded = try await graph.topics(kind, named: missing.map { names[$0] })
        for (index, topic) in zip(missing, loaded) {
            found[index] = topic
            if let topic {
                topics.finish(load, keys[index], topic)
            } else {
                unknownTopics.finish(unknownLoad, keys[index], true)
            }
        }
        return found
    }

    func viewer(_ viewer: UserID) async throws -> TimelineViewer {
        if let known = readers.value(for: viewer), !hasExpired(known.context) { return known }
        let load = readers.beginLoad()
        let loaded = TimelineViewer(context: try await graph.viewerContext(of: viewer))
        readers.finish(load, viewer, loaded)
        return loaded
    }

    private func hasExpired(_ context: ViewerContext) -> Bool {
        context.nextExpiry.map { $0 <= graph.expiryTime } ?? false
    }

    /// Returns the first reshares of each of `posts`. Missing ones are fetched together.
    func reshares(of posts: [PostID]) async throws -> [ReshareList] {
        var lists = reshares.values(for: posts)
        let missing = lists.indices.filter { lists[$0] == nil }
        if !missing.isEmpty {
            let load = reshares.beginLoad()
            let found = try await graph.reshares(of: missing.map { posts[$0] }, limit: Self.resharesKept)
            for (index, first) in zip(missing, found) {
                let loaded = ReshareList(reshares: first, isWhole: first.count < Self.resharesKept)
                reshares.finish(load, posts[index], loaded)
                lists[index] = loaded
            }
        }
        return lists.compactMap(\.self)
    }

    /// The first reshare of `post` that is a reason for the reader of `rule`.
    func firstReshare(of post: PostID, _ rule: VisibilityRule) async throws -> Reshare? {
        try await firstReshare(of: post, in: reshares(of: [post])[0], rule)
    }

    /// Same as above, from the first reshares of the post.
    func firstReshare(of post: PostID, in list: ReshareList, _ rule: VisibilityRule) async throws -> Reshare? {
        if let first = list.reshares.first(where: { rule.counts(reshareBy: $0.user) }) { return first }
        return list.isWhole ? nil : try await graph.firstReshare(of: post, for: rule.context)
    }

    /// The feeds that are merged into the reader's home timeline at read time.
    func pulledSources(of viewer: TimelineViewer) async throws -> [FeedSource] {
        if let hubs = hubs.value(for: 0) { return viewer.pulledSources(hubs) }
        let load = hubs.beginLoad()
        let loaded = HubList(users: try await graph.hubs().map(\.user).sorted())
        hubs.finish(load, 0, loaded)
        return viewer.pulledSources(loaded)
    }

    /// Returns up to `limit` entries strictly below `cursor` from all of `sources` together.
    func slice(of sources: [FeedSource], below cursor: FeedPosition, limit: Int) async throws -> FeedSlice {
        guard !sources.isEmpty else { return .nothing }
        var slices = heads.values(for: sources)
        let missing = sources.indices.filter { slices[$0] == nil }
        if !missing.isEmpty {
            let load = heads.beginLoad()
            let loaded = try await graph.slices(
                of: missing.map { sources[$0] }, below: .end, limit: Self.headLength)
            for (index, slice) in zip(missing, loaded) {
                heads.finish(load, sources[index], slice)
                slices[index] = slice
            }
        }
        var merge = HeadMerge(below: cursor, limit: limit)
        var deep: [FeedSource] = []
        for (source, slice) in zip(sources, slices) {
            guard let slice else { continue }
            if !merge.offer(slice) { deep.append(source) }
        }
        let found = deep.isEmpty ? [] : try await graph.slices(of: deep, below: cursor, limit: limit)
        for slice in found { _ = merge.offer(slice) }
        var slice = merge.result
        slice.examined += found.reduce(0) { $0 + $1.examined }
        return slice
    }
}

/// The cached data about a reader.
final class TimelineViewer: Sendable {
    let context: ViewerContext
    private let pulled = Mutex<(hubs: HubList?, sources: [FeedSource])>((nil, []))

    init(context: ViewerContext) { self.context = context }

    /// Every source that can bring a post into the reader's home timeline, including suspended users, who may be
    /// reinstated.
    var sources: [FeedSource] {
        [.actor(context.viewer)] + (context.followees + context.suspendedFollowees).map(FeedSource.actor)
            + context.homeTopics.map(FeedSource.topic) + context.homeCommunities.map(FeedSource.community)
    }

    /// Followed hub authors, topics and communities. Computed once for each list of hub authors.
    func pulledSources(_ hubs: HubList) -> [FeedSource] {
        pulled.withLock { pulled in
            if pulled.hubs === hubs { return pulled.sources }
            let followed =
                hubs.users.count < context.followees.count
                ? hubs.users.filter(context.follows) : context.followees.filter(hubs.users.binaryContains)
            pulled = (
                hubs,
                followed.map(FeedSource.actor) + context.homeTopics.map(FeedSource.topic)
                    + context.homeCommunities.map(FeedSource.community)
            )
            return pulled.sources
        }
    }
}

/// All hub authors, ascending. Its identity is its version.
final class HubList: Sendable {
    let users: [UserID]
    init(users: [UserID]) { self.users = users }
}

struct ReshareList: Sendable {
    /// Oldest first.
    let reshares: [Reshare]
    let isWhole: Bool
}

/// A topic's name in a request. Not folded, since folding costs more than another entry.
private struct TopicName: Hashable, Sendable {
    let kind: TopicKind
    let name: String
}
