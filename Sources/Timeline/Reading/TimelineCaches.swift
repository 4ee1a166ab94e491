import SocialGraph
import Synchronization

/// Posts as fragments, what is known of recent readers, the first reshares of posts, the newest entries of pulled
/// feeds, and who is a hub. Brought up to date by every commit before it is acknowledged, so that what a read takes
/// from here is never older than what its caller was told.
package final class TimelineCaches: Sendable {
    /// Encoded posts kept in memory.
    private static let cachedPosts = 100_000
    /// Size of all that is known of readers, in followee ids.
    private static let cachedContexts = 4_000_000
    /// Size of all lists of reshares, in reshares.
    private static let cachedReshares = 1_000_000
    /// Size of the heads of all pulled feeds, in entries.
    private static let cachedHeads = 4_000_000
    /// Names of topics kept in memory, and as many names of no topic.
    private static let cachedTopics = 100_000
    /// First reshares of a post that are kept in memory.
    private static let resharesKept = 64
    /// Newest entries of a pulled feed that are kept in memory.
    private static let headLength = 128

    private let fragments: VersionedCache<PostID, PostFragment>
    private let readers: VersionedCache<UserID, TimelineViewer>
    private let reshares: VersionedCache<PostID, ReshareList>
    private let heads: VersionedCache<FeedSource, FeedRun>
    private let hubs: VersionedCache<Int, HubList>
    /// Topics never change their name or go, so what is known stays right.
    private let topics: VersionedCache<TopicName, TopicID>
    /// Names of no topic, until the next topic comes into use.
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

    /// What a commit of this process has changed.
    package func observe(_ record: CommitRecord) {
        for source in record.touched { heads.invalidate(source) }
        for change in record.changes { apply(change) }
    }

    /// Takes over the changes of another process.
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
        // A name stands in the fragments of all posts that its user made or collaborates on.
        case .accountChanged(_, let isRenamed): if isRenamed { fragments.invalidateAll() }
        case .communityVisibilityChanged: fragments.invalidateAll()
        // Posts of somebody who is gone have no fragments.
        case .accountDeleted, .accountModerated: fragments.invalidateAll()
        case .followed, .unfollowed, .preferencesChanged, .membershipChanged, .relationChanged, .postPublished,
            .communityChanged, .sessionsChanged, .notified, .notificationsChanged, .savesChanged,
            .watched, .segmentsChanged, .embeddingChanged, .reportChanged, .rulesChanged:
            break
        case .graphImported: hubs.invalidateAll()
        case .unknown: invalidateAll()
        }
    }

    /// Empties every cache but that of readers.
    private func invalidateAll() {
        heads.invalidateAll()
        fragments.invalidateAll()
        reshares.invalidateAll()
        hubs.invalidateAll()
        unknownTopics.invalidateAll()
    }

    func forgetReaders(_ viewers: [UserID]) {
        for viewer in viewers { readers.invalidate(viewer) }
    }

    /// The live posts among `ids`, nil where there is none.
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

    /// The topics of that kind and those names, nil where there is none yet.
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
        if let known = readers.value(for: viewer) { return known }
        let load = readers.beginLoad()
        let loaded = TimelineViewer(context: try await graph.viewerContext(of: viewer))
        readers.finish(load, viewer, loaded)
        return loaded
    }

    /// The first reshares of each of `posts`. What is not known yet is asked for together.
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

    /// As above, out of the first reshares of the post.
    func firstReshare(of post: PostID, in list: ReshareList, _ rule: VisibilityRule) async throws -> Reshare? {
        if let first = list.reshares.first(where: { rule.counts(reshareBy: $0.user) }) { return first }
        return list.isWhole ? nil : try await graph.firstReshare(of: post, for: rule.context)
    }

    /// The feeds that are merged into the reader's home timeline at the read.
    func pulledSources(of viewer: TimelineViewer) async throws -> [FeedSource] {
        if let hubs = hubs.value(for: 0) { return viewer.pulledSources(hubs) }
        let load = hubs.beginLoad()
        let loaded = HubList(users: try await graph.hubs().map(\.user).sorted())
        hubs.finish(load, 0, loaded)
        return viewer.pulledSources(loaded)
    }

    /// Up to `limit` entries strictly below `cursor` of all of `sources` together.
    func run(of sources: [FeedSource], below cursor: FeedPosition, limit: Int) async throws -> FeedRun {
        guard !sources.isEmpty else { return .nothing }
        var runs = heads.values(for: sources)
        let missing = sources.indices.filter { runs[$0] == nil }
        if !missing.isEmpty {
            let load = heads.beginLoad()
            let loaded = try await graph.runs(
                of: missing.map { sources[$0] }, below: .end, limit: Self.headLength)
            for (index, run) in zip(missing, loaded) {
                heads.finish(load, sources[index], run)
                runs[index] = run
            }
        }
        var merge = HeadMerge(below: cursor, limit: limit)
        var deep: [FeedSource] = []
        for (source, run) in zip(sources, runs) {
            guard let run else { continue }
            if !merge.offer(run) { deep.append(source) }
        }
        if !deep.isEmpty {
            for run in try await graph.runs(of: deep, below: cursor, limit: limit) { _ = merge.offer(run) }
        }
        return merge.result
    }
}

/// A reader as reads know it.
final class TimelineViewer: Sendable {
    let context: ViewerContext
    private let pulled = Mutex<(hubs: HubList?, sources: [FeedSource])>((nil, []))

    init(context: ViewerContext) { self.context = context }

    /// Whatever can bring a post into the reader's home timeline, the suspended included, who may come back.
    var sources: [FeedSource] {
        [.actor(context.viewer)] + (context.followees + context.suspendedFollowees).map(FeedSource.actor)
            + context.homeTopics.map(FeedSource.topic) + context.homeCommunities.map(FeedSource.community)
    }

    /// Followed hubs, topics and communities. Worked out once for each list of hubs.
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

/// All hubs, ascending. Its identity is its version.
final class HubList: Sendable {
    let users: [UserID]
    init(users: [UserID]) { self.users = users }
}

struct ReshareList: Sendable {
    /// Oldest first.
    let reshares: [Reshare]
    let isWhole: Bool
}

/// A topic as a request names it: not folded, since folding costs more than another entry.
private struct TopicName: Hashable, Sendable {
    let kind: TopicKind
    let name: String
}
