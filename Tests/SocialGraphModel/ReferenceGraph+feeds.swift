@testable import SocialGraph
import Database

/// The content of timelines, as the design defines it.
extension ReferenceGraph {
    /// The reader and the reader's followees.
    func actors(_ viewer: UserID) -> Set<UserID> {
        let followees =
            defect == .keepsUnfollowedPosts ? everFollowed[viewer, default: []] : Set(following[viewer, default: []])
        let actors = defect == .forgetsOwnPosts ? followees : followees.union([viewer])
        return defect == .suspendedAreReasons ? actors : actors.subtracting(suspended)
    }

    /// The authors who are not suspended.
    func authors(_ post: Post) -> [UserID] {
        let authors = defect == .forgetsCoauthors ? [post.author] : post.authors
        return defect == .suspensionIsIgnored ? authors : authors.filter { !suspended.contains($0) }
    }

    /// Returns true if the post has an author who is neither suspended nor silenced for the viewer.
    private func isBySomebodyShown(_ post: Post, to viewer: UserID) -> Bool {
        let authors = authors(post)
        if defect == .suspendedPartnersAreHidden, authors.count < post.authors.count { return false }
        if defect == .silenceIsIgnored { return !authors.isEmpty }
        return authors.contains { author in
            if !silenced.contains(author) { return true }
            return defect != .silenceHidesAll && (author == viewer || follows(viewer, author))
        }
    }

    /// The whole home timeline, newest first.
    func home(_ viewer: UserID) -> [FeedEntry] {
        let reader = Reader(viewer, self)
        return posts.compactMap { post in
            guard let first = reasons(post, reader).min(), isVisible(post, to: viewer) else { return nil }
            return FeedEntry(position: first, post: post.id)
        }.sorted(by: newestFirst)
    }

    /// All proposals of the sources of a home timeline, visible or not.
    func proposals(_ viewer: UserID) -> [FeedEntry] {
        let reader = Reader(viewer, self)
        var found = Set(
            posts.filter { post in reachesDirectly(post, reader) }.map { FeedEntry($0.id) })
        found.formUnion(reshares.filter { reader.resharers.contains($0.user) }.map(\.entry))
        return found.sorted(by: newestFirst)
    }

    private func newestFirst(_ one: FeedEntry, _ other: FeedEntry) -> Bool { one.position > other.position }

    /// A reader, with the data to compare every post with.
    struct Reader {
        let actors: Set<UserID>
        let resharers: Set<UserID>
        let topics: Set<String>
        let communities: Set<CommunityID>
        var resharesOf: [PostID: [FeedPosition]] = [:]

        init(_ viewer: UserID, _ model: ReferenceGraph) {
            let actors = model.actors(viewer)
            self.actors = actors
            resharers = model.resharers(viewer, among: actors)
            let ignoresTopics = model.defect == .topicSwitchIsIgnored
            topics = Set(
                model.topics[viewer, default: []].filter { $0.isInHome || ignoresTopics }.map { $0.name.lowercased() }
            ).filter { _ in model.topicsInHome[viewer] ?? true || ignoresTopics }
            let ignoresCommunities = model.defect == .communitySwitchIsIgnored
            communities = Set(
                model.communities.filter { _, community in
                    community.members[viewer].map { $0.isInHome || ignoresCommunities } ?? false
                }.keys
            ).filter { _ in model.communitiesInHome[viewer] ?? true || ignoresCommunities }
            for act in model.reshares where resharers.contains(act.user) {
                resharesOf[act.post, default: []].append(act.entry.position)
            }
        }
    }

    /// The actors whose reshares are a reason, or those whose reshares windows hold: these follow mutes as stored.
    func resharers(_ viewer: UserID, among actors: Set<UserID>, inWindow: Bool = false) -> Set<UserID> {
        if defect == .forgetsReshares { return [] }
        return actors.filter { actor in
            if defect == .forgetsOwnReshares, actor == viewer { return false }
            let kinds = inWindow ? storedMute(viewer, actor)?.kinds ?? [] : muted(viewer, actor)
            return defect == .muteOfResharesIsIgnored || !kinds.contains(.reshares)
        }
    }

    private func reachesDirectly(_ post: Post, _ reader: Reader) -> Bool {
        if authors(post).contains(where: reader.actors.contains) { return true }
        if let community = post.community, reader.communities.contains(community) { return true }
        guard !reader.topics.isEmpty else { return false }
        let names = defect == .topicsAreTagsAlone ? Set(post.tags.map { $0.lowercased() }) : post.topics
        return !names.isDisjoint(with: reader.topics)
    }

    /// The positions at which the reader reaches the post.
    private func reasons(_ post: Post, _ reader: Reader) -> [FeedPosition] {
        var reshares = reader.resharesOf[post.id] ?? []
        if defect == .latestReshareCounts { reshares = reshares.suffix(1) }
        guard reachesDirectly(post, reader) else { return reshares }
        return defect == .reshareOutranksAuthor && !reshares.isEmpty ? reshares : [FeedPosition(post.id)]
    }

    // MARK: Visibility

    func isVisible(_ post: Post, to viewer: UserID) -> Bool {
        let authors = authors(post)
        let isAuthor = authors.contains(viewer)
        if post.isTakenDown, defect != .takenDownIsShown { return false }
        if post.isHeld, defect != .heldIsShown { return false }
        guard isBySomebodyShown(post, to: viewer) else { return false }
        if authors.contains(where: { hidesByBlock($0, viewer) || hidesByMute($0, viewer, of: post) }) { return false }
        let isSecluded =
            secluded.contains(post.author) && defect != .privateIsOpen
            && (post.community == nil || defect == .privateHidesInCommunities)
        if post.visibility == .followers || isSecluded, defect != .followersOnlyIsPublic {
            let isOwn = isAuthor && defect != .followersOnlyHidesOwn
            guard isOwn || authors.contains(where: { follows(viewer, $0) }) else { return false }
        }
        guard let id = post.community, let community = communities[id] else { return true }
        if community.banned.contains(viewer), defect != .bannedStillSee { return false }
        let member = community.members[viewer]
        if community.isPrivate, member == nil, defect != .privateIsPublic { return false }
        let isForMembers = post.isForMembers && defect != .openedShowsAll && defect != .privateIsPublic
        if isForMembers, member == nil { return false }
        guard post.isRemoved, defect != .removalIsIgnored else { return true }
        return isAuthor && defect != .removalHidesFromAuthors || member?.role.isModerating == true
    }

    private func hidesByBlock(_ author: UserID, _ viewer: UserID) -> Bool {
        defect == .blockHidesOneWay ? blocks[viewer, default: []].contains(author) : isBlocked(author, viewer)
    }

    private func hidesByMute(_ author: UserID, _ viewer: UserID, of post: Post) -> Bool {
        if defect == .muteOfPostsIsIgnored || defect == .muteOfPostsSparesCoauthors && author != post.author {
            return false
        }
        let kinds = muted(viewer, author)
        return defect == .muteOfAnythingMutesPosts ? !kinds.isEmpty : kinds.contains(.posts)
    }

    // MARK: Stored windows

    /// A reader, with the data to compare every post of a window with.
    struct WindowReader {
        let viewer: UserID
        let actors: Set<UserID>
        /// The reshares that are a reason, oldest first.
        let resharesOf: [PostID: [Act]]

        init(_ viewer: UserID, _ model: ReferenceGraph) {
            let actors = model.actors(viewer)
            let resharers = model.resharers(viewer, among: actors, inWindow: true)
            self.viewer = viewer
            self.actors = actors
            resharesOf = Dictionary(grouping: model.reshares.filter { resharers.contains($0.user) }, by: \.post)
        }
    }

    /// The positions of the post in the window, one for each reason. Those through hubs are included and marked.
    func windowPlaces(_ reader: WindowReader, _ post: Post) -> [(position: FeedPosition, isPulled: Bool)] {
        var places = authors(post).filter(reader.actors.contains).map { author in
            (position: FeedPosition(post.id), isPulled: author != reader.viewer && isPulled(author))
        }
        for act in reader.resharesOf[post.id] ?? [] {
            places.append((act.entry.position, act.user != reader.viewer && isPulled(act.user)))
        }
        return places
    }

    /// The whole window, newest first.
    func window(_ viewer: UserID) -> [FeedEntry] {
        let actors = actors(viewer).filter { $0 == viewer || !isPulled($0) }
        let resharers = resharers(viewer, among: actors, inWindow: true)
        var first: [PostID: FeedPosition] = [:]
        for act in reshares.reversed() where resharers.contains(act.user) { first[act.post] = act.entry.position }
        return posts.compactMap { post in
            if authors(post).contains(where: actors.contains) { return FeedEntry(post.id) }
            return first[post.id].map { FeedEntry(position: $0, post: post.id) }
        }.sorted(by: newestFirst)
    }

    // MARK: Sources and lists

    /// A whole source, newest first.
    func entries(of source: FeedSource, topic: String? = nil, kind: TopicKind? = nil) -> [FeedEntry] {
        switch source {
        case .everything: return posts.reversed().map { FeedEntry($0.id) }
        case .community(let id): return posts.filter { $0.community == id }.reversed().map { FeedEntry($0.id) }
        case .attribute(_, let key):
            return posts.filter { $0.category?.lowercased() == key }.reversed().map { FeedEntry($0.id) }
        case .attributed:
            return posts.filter { $0.category != nil }.reversed().map { FeedEntry($0.id) }
        case .actor(let user):
            let own = posts.filter { $0.authors.contains(user) }.map { FeedEntry($0.id) }
            return (own + reshares.filter { $0.user == user }.map(\.entry)).sorted(by: newestFirst)
        case .topic:
            return posts.filter { post in
                kind == .category
                    ? post.category?.lowercased() == topic : post.tags.contains { $0.lowercased() == topic }
            }.reversed().map { FeedEntry($0.id) }
        }
    }

    func authorFeed(_ author: UserID, below cursor: FeedPosition?, limit: Int) -> [PostID] {
        let cursor = cursor ?? .end
        let all = posts.reversed().filter { post in
            let isBelow =
                defect == .cursorIsInclusive ? post.id.rawValue <= cursor.rawValue : FeedPosition(post.id) < cursor
            return post.authors.contains(author) && isBelow
        }
        return all.prefix(limit).map(\.id)
    }

    /// A user's followers or followees, latest first.
    func list(_ user: UserID, _ direction: FollowDirection) -> [UserID] {
        if defect == .followersOldestFirst, direction == .followers { return followers[user, default: []] }
        return (direction == .followers ? followers : following)[user, default: []].reversed()
    }

    /// The list as it is shown: without suspended users.
    func shownList(_ user: UserID, _ direction: FollowDirection) -> [UserID] {
        list(user, direction).filter { defect == .suspendedAreListed || !suspended.contains($0) }
    }

    func mutuals(_ user: UserID) -> [UserID] { shownList(user, .following).filter { follows($0, user) } }
}
