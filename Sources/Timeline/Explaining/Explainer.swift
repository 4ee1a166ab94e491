import Database
import SocialGraph

/// Explains pages by the rule that made them, and adds the names to the ids that the rule found for the reader.
package struct Explainer: Sendable {
    let feeds: FeedStore
    let home: HomeReader

    private var caches: TimelineCaches { home.sources.caches }

    /// Returns the reasons of each of `items`, never empty, in the order of the items.
    package func reasons(
        for items: [TimelineItem], of viewer: UserID, in feed: ExplainedFeed, filter: NamedFilter
    ) async throws -> [[Reason]] {
        let rule = try await caches.rule(for: viewer)
        var sketches: [[Sketch]] = []
        for item in items { sketches.append(try await sketch(item.post, rule, feed)) }
        let names = try await feeds.usernames(of: sketches.joined().compactMap(\.user))
        return zip(items, sketches).map { item, sketch in
            sketch.map { $0.reason(names) } + filter.matched(item.post)
        }
    }

    /// Explains why a post that `viewer` may open is, or is not, in the viewer's home timeline under `filter`. Throws
    /// ``GraphError/postNotFound`` for every other post: one that never existed, is gone, or is hidden.
    package func why(_ id: PostID, for viewer: UserID, filter: NamedFilter = .none) async throws -> Verdict {
        let rule = try await caches.rule(for: viewer)
        guard let post = try await caches.fragments(of: [id])[0], rule.isShownByItself(post) else {
            throw GraphError.postNotFound
        }
        return try await verdict(on: post, rule, filter)
    }

    /// Same as ``why(_:for:filter:)``, for moderators of the site, who may know why a post is hidden from `viewer`.
    /// Throws ``GraphError/postNotFound`` for a post that never existed.
    package func whyForModerators(_ id: PostID, of viewer: UserID) async throws -> Verdict {
        if let post = try await caches.fragments(of: [id])[0] {
            return try await verdict(on: post, caches.rule(for: viewer), .none)
        }
        return switch try await feeds.removalReason(of: id) {
        case nil: throw GraphError.postNotFound
        case .deleted: .no("deleted", "The post has been deleted.")
        case .takenDown: .no("taken_down", "The post has been taken down by the moderators of this site.")
        case .suspended: .no("suspended", "All authors of the post are suspended.")
        }
    }

    private func verdict(
        on post: PostFragment, _ rule: VisibilityRule, _ filter: NamedFilter
    ) async throws -> Verdict {
        let viewer = rule.context.viewer
        switch rule.conceals(post) {
        case nil: break
        case .muted(let user):
            let name = try await feeds.usernames(of: [user])[user] ?? ""
            return .no("muted", "You have muted the posts of \(name).")
        case .mutedWord(let word):
            return .no("muted_word", "The post contains a word that you have muted: \(word).")
        case .held: return .no("held", "The post is held for review.")
        // Only moderators get explanations of posts that cannot be opened.
        case .blocked: return .no("blocked", "The user and an author of the post have a block between them.")
        case .silenced: return .no("silenced", "The post's authors are silenced; only their followers see it.")
        case .followersOnly: return .no("followers_only", "The post is visible only to followers of its authors.")
        case .privateCommunity: return .no("private", "The post is visible only to members of its community.")
        case .bannedFromCommunity: return .no("banned", "The user is banned from the post's community.")
        case .removedFromCommunity:
            return .no("removed", "The post has been removed by the moderators of its community.")
        }
        guard let place = try await caches.place(of: post, rule) else { return try await unreached(post, rule) }
        guard filter.filter.matches(post) else {
            return .no("filtered", "The post is in your home timeline, but does not match this filter.")
        }
        let item = TimelineItem(post: post, position: place)
        // Uses the query of a page, so that the answer cannot differ from the page.
        let above = FeedPosition(rawValue: place.rawValue + 1)
        let page = try await home.page(of: viewer, below: above, limit: 1, filter: filter.filter)
        guard page.items.first?.post.id == post.id else {
            return .no("not_yet_delivered", "The post is on its way to your home timeline.")
        }
        let reasons = try await reasons(for: [item], of: viewer, in: .home, filter: filter)[0]
        return Verdict(isVisible: true, grounds: reasons.map { Verdict.Ground(kind: $0.kind, text: $0.text) })
    }

    /// Explains that no reason brings the post to the reader, and lists the near misses.
    private func unreached(_ post: PostFragment, _ rule: VisibilityRule) async throws -> Verdict {
        var grounds = [Verdict.Ground(kind: "not_followed", text: "You follow none of its authors.")]
        let context = rule.context
        if let community = post.community, context.memberships[community.id] != nil {
            grounds.append(
                .init(kind: "switched_off", text: "You have switched off \(community.name) in your home timeline."))
        }
        for topic in context.topics where post.topics.binaryContains(topic.id) {
            let ground = Verdict.Ground(
                kind: "switched_off", text: "You have switched off the topic \(topic.name) in your home timeline.")
            // A category and a tag with the same name are two topics.
            if !grounds.contains(ground) { grounds.append(ground) }
        }
        let muted = try await caches.reshares(of: [post.id])[0].reshares.contains {
            context.follows($0.user) && context.mutedReshares.contains($0.user)
        }
        if muted {
            grounds.append(
                .init(kind: "reshares_muted", text: "You have muted the reshares of a user who reshared it."))
        }
        return Verdict(isVisible: false, grounds: grounds)
    }
}

/// A reason with ids in place of names.
private enum Sketch {
    case ready(Reason)
    case follows(UserID)
    case collaborator(UserID)
    case reshare(UserID)

    var user: UserID? {
        switch self {
        case .ready: nil
        case .follows(let user), .collaborator(let user), .reshare(let user): user
        }
    }

    func reason(_ names: [UserID: String]) -> Reason {
        switch self {
        case .ready(let reason): reason
        case .follows(let user): .follows(user, username: names[user] ?? "")
        case .collaborator(let user): .collaborator(user, username: names[user] ?? "")
        case .reshare(let user): .reshare(by: user, username: names[user] ?? "")
        }
    }
}

extension Explainer {
    private func sketch(
        _ post: PostFragment, _ rule: VisibilityRule, _ feed: ExplainedFeed
    ) async throws -> [Sketch] {
        switch feed {
        case .everybody: return [.ready(.everybody)]
        case .ranked(let reason): return [.ready(.everybody), .ready(reason)]
        case .community:
            return post.community.map { [.ready(.community($0.id, name: $0.name))] } ?? [.ready(.everybody)]
        case .home: break
        }
        let direct = directReasons(post, rule)
        guard direct.isEmpty else { return direct }
        guard let reshare = try await caches.firstReshare(of: post.id, rule) else { return [] }
        return [reshare.user == rule.context.viewer ? .ready(.own) : .reshare(reshare.user)]
    }

    private func directReasons(_ post: PostFragment, _ rule: VisibilityRule) -> [Sketch] {
        let context = rule.context
        var reasons: [Sketch] = post.authors.contains(context.viewer) ? [.ready(.own)] : []
        for author in post.authors where context.follows(author) {
            reasons.append(author == post.publisher ? .follows(author) : .collaborator(author))
        }
        for topic in context.topics where topic.isInHome && context.topicsInHome {
            let isNamed = reasons.contains { if case .ready(.topic(topic.name)) = $0 { true } else { false } }
            if post.topics.binaryContains(topic.id), !isNamed { reasons.append(.ready(.topic(name: topic.name))) }
        }
        if let community = post.community, context.homeCommunities.binaryContains(community.id) {
            reasons.append(.ready(.community(community.id, name: community.name)))
        }
        return reasons
    }
}

extension NamedFilter {
    fileprivate func matched(_ post: PostFragment) -> [Reason] {
        var reasons: [Reason] = []
        if case .topic(let topic) = filter.category, let name = names[topic] { reasons.append(.category(name: name)) }
        for topic in filter.algorithms ?? [] where post.topics.binaryContains(topic) {
            if let name = names[topic] { reasons.append(.algorithm(tag: name)) }
        }
        return reasons
    }
}

extension Verdict {
    fileprivate static func no(_ kind: String, _ text: String) -> Verdict {
        Verdict(isVisible: false, grounds: [Ground(kind: kind, text: text)])
    }
}

extension Reason {
    fileprivate var text: String {
        switch self {
        case .own: "You wrote or reshared it."
        case .follows(_, let name): "You follow \(name)."
        case .collaborator(_, let name): "You follow \(name), a collaborator on it."
        case .reshare(_, let name): "\(name), whom you follow, has reshared it."
        case .topic(let name): "You follow the topic \(name)."
        case .community(_, let name): "You are a member of \(name)."
        case .algorithm(let tag): "It has the algorithm tag \(tag)."
        case .category(let name): "It is in the category \(name)."
        case .everybody: "It is public."
        case .trending(let window): "It has had likes, comments or shares within \(window)."
        case .businessTrend(let window): "Its likes can be compared with those of the preceding \(window)."
        }
    }
}
