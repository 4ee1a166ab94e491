import SocialGraph

/// Posts as fragments, and the followees of recent readers. Brought up to date by every commit before it is
/// acknowledged, so that what a read takes from here is never older than what its caller was told.
package struct TimelineCaches: Sendable {
    private let fragments: VersionedCache<PostID, PostFragment>
    private let followees: VersionedCache<UserID, [UserID]>
    private let graph: any TimelineGraph
    private let encode: @Sendable (Post) -> PostFragment

    package init(graph: any TimelineGraph, encode: @escaping @Sendable (Post) -> PostFragment) {
        self.graph = graph
        self.encode = encode
        fragments = VersionedCache(capacity: TimelineLimits.cachedPosts)
        followees = VersionedCache(capacity: TimelineLimits.cachedFollowees) { $0.count + 8 }
    }

    package func observe(_ changes: [GraphChange]) {
        for change in changes {
            switch change.kind {
            case .postDeleted: fragments.invalidate(PostID(rawValue: change.subject))
            case .followed, .unfollowed: followees.invalidate(UserID(rawValue: change.subject))
            case .graphImported: followees.invalidateAll()
            case .postPublished: break
            }
        }
    }

    func forgetFollowees(of viewers: [UserID]) {
        for viewer in viewers { followees.invalidate(viewer) }
    }

    /// The live posts among `ids`, in their order.
    func fragments(of ids: [PostID]) async throws -> [PostFragment] {
        var found = fragments.values(for: ids)
        let missing = zip(ids, found).filter { $0.1 == nil }.map(\.0)
        if !missing.isEmpty {
            let load = fragments.beginLoad()
            var loaded: [PostID: PostFragment] = [:]
            for post in try await graph.posts(missing) {
                let fragment = encode(post)
                loaded[post.id] = fragment
                fragments.finish(load, post.id, fragment)
            }
            for (index, id) in ids.enumerated() where found[index] == nil { found[index] = loaded[id] }
        }
        return found.compactMap(\.self)
    }

    /// Ascending.
    func followees(of viewer: UserID) async throws -> [UserID] {
        if let known = followees.value(for: viewer) { return known }
        let load = followees.beginLoad()
        let loaded = try await graph.followees(of: viewer)
        followees.finish(load, viewer, loaded)
        return loaded
    }
}
