import Database
import SocialGraph
import Text

/// The only rule that decides whether a reader may see a post, and at which position a post stands in the reader's home
/// timeline. Every candidate is checked at the moment of reading, regardless of its source. Hidden posts therefore stay
/// hidden while windows are still being cleaned up, and a page and its explanation cannot disagree.
package struct VisibilityRule: Sendable {
    package let context: ViewerContext

    package init(context: ViewerContext) { self.context = context }

    /// The reason why a live post is hidden from the reader.
    package enum Concealment: Sendable, Equatable {
        /// A block, in either direction. The reader is not told which.
        case blocked
        case muted(UserID)
        /// The post contains a word that the reader has muted.
        case mutedWord(String)
        case followersOnly
        case bannedFromCommunity(CommunityID)
        case privateCommunity(CommunityID)
        case removedFromCommunity(CommunityID)
        /// The post is held for review.
        case held
        /// Its authors are silenced, and the reader neither is one nor follows one.
        case silenced
    }

    /// Returns the reason why `post` is hidden; nil if the reader may see it. The post is live: there are no fragments
    /// of deleted posts, of posts under a takedown, or of posts whose authors are suspended.
    package func conceals(_ post: PostFragment) -> Concealment? {
        post.isHeld ? .held : concealsReleased(post)
    }

    private func concealsReleased(_ post: PostFragment) -> Concealment? {
        if let hidden = concealsInCommunity(post) { return hidden }
        if !context.blocked.isEmpty, post.authors.contains(where: context.blocked.contains) { return .blocked }
        if post.isForFollowers || post.isSilenced, !reachesAuthor(of: post) {
            return post.isSilenced ? .silenced : .followersOnly
        }
        // Mutes come last: a post that is only muted can be opened by direct link.
        if !context.mutedPosts.isEmpty, let muted = post.authors.first(where: context.mutedPosts.contains) {
            return .muted(muted)
        }
        return mutedWord(in: post).map(Concealment.mutedWord)
    }

    /// A muted word in a post by others; nil: there is none.
    private func mutedWord(in post: PostFragment) -> String? {
        guard let words = context.mutedWords, !isAuthor(of: post) else { return nil }
        return post.firstMatch(of: words)
    }

    /// Returns whether a text by `user` contains a word that the reader has muted.
    func mutesWords(of text: String, by user: UserID) -> Bool {
        guard let words = context.mutedWords, user != context.viewer else { return false }
        return words.firstMatch(in: FoldedText(text)) != nil
    }

    /// Returns whether notifications about `post` are hidden from the reader for a muted word.
    func mutesWords(of post: PostFragment) -> Bool { mutedWord(in: post) != nil }

    /// Returns whether the reader may see `post` by direct link. A mute hides only in feeds, and a post held for review
    /// is visible to its authors.
    package func isShownByItself(_ post: PostFragment) -> Bool {
        if post.isHeld, !post.authors.contains(context.viewer) { return false }
        return switch concealsReleased(post) {
        case nil, .muted, .mutedWord: true
        default: false
        }
    }

    /// Returns whether comments by `user` on a post are hidden from the reader.
    package func conceals(commentBy user: UserID) -> Bool {
        context.blocked.contains(user) || context.mutedPosts.contains(user)
    }

    /// The entry shown to the reader for `comment` in the comments on `post`: itself, an empty placeholder, or (nil)
    /// nothing.
    package func shown(_ comment: PostComment, on post: PostFragment) -> PostComment? {
        // A placeholder keeps the replies reachable.
        if comment.isDeleted { return comment.repliesCount > 0 ? comment : nil }
        if conceals(commentBy: comment.author) || concealsSilenced(comment) { return nil }
        if mutesWords(of: comment.content, by: comment.author) { return nil }
        if comment.isHeld || comment.isAuthorSuspended { return comment.repliesCount > 0 ? comment.tombstone : nil }
        return comment.isTakenDown || concealsRemoved(comment, on: post) ? comment.tombstone : comment
    }

    /// Returns whether the reader may see `comment` on `post` by direct link.
    package func isShownByItself(_ comment: PostComment, on post: PostFragment) -> Bool {
        if comment.isHeld, comment.author != context.viewer { return false }
        return !comment.isDeleted && !comment.isTakenDown && !comment.isAuthorSuspended
            && !conceals(commentBy: comment.author) && !concealsSilenced(comment) && !concealsRemoved(comment, on: post)
    }

    /// True if a block or a mute may hide comments from the reader.
    package var concealsSomeComments: Bool {
        !context.blocked.isEmpty || !context.mutedPosts.isEmpty || context.mutedWords != nil
    }

    /// Returns whether `comment` is hidden from the reader, whatever moderators decide on it.
    package func concealsAnyway(_ comment: PostComment) -> Bool {
        conceals(commentBy: comment.author) || concealsSilenced(comment) || comment.isAuthorSuspended
            || mutesWords(of: comment.content, by: comment.author)
    }

    private func concealsSilenced(_ comment: PostComment) -> Bool {
        comment.isAuthorSilenced && comment.author != context.viewer && !context.follows(comment.author)
    }

    private func concealsRemoved(_ comment: PostComment, on post: PostFragment) -> Bool {
        let isModerator = post.community.flatMap { context.memberships[$0.id] }?.role.isModerating == true
        return comment.isRemoved && comment.author != context.viewer && !isModerator
    }

    private func concealsInCommunity(_ post: PostFragment) -> Concealment? {
        guard let community = post.community else { return nil }
        if context.bannedFrom.contains(community.id) { return .bannedFromCommunity(community.id) }
        let membership = context.memberships[community.id]
        if community.isForMembers, membership == nil { return .privateCommunity(community.id) }
        if community.isRemoved, membership?.role.isModerating != true, !post.authors.contains(context.viewer) {
            return .removedFromCommunity(community.id)
        }
        return nil
    }

    package func isAuthor(of post: PostFragment) -> Bool { post.authors.contains(context.viewer) }

    /// Returns whether the reader is, or follows, an author.
    package func reachesAuthor(of post: PostFragment, leavingOut left: UserID? = nil) -> Bool {
        post.authors.contains { $0 != left && ($0 == context.viewer || context.follows($0)) }
    }

    /// Returns whether the post is in the home timeline at its own position: by author, topic or community.
    package func reachesDirectly(_ post: PostFragment, leavingOut left: UserID? = nil) -> Bool {
        reachesAuthor(of: post, leavingOut: left)
            || !context.homeTopics.isEmpty && post.topics.contains(where: context.homeTopics.binaryContains)
            || post.community.map { context.homeCommunities.binaryContains($0.id) } ?? false
    }

    /// Returns whether a reshare by `user` is a reason for the reader.
    package func counts(reshareBy user: UserID) -> Bool {
        (user == context.viewer ? !context.isSuspended : context.follows(user))
            && !context.mutedReshares.contains(user)
    }
}

extension PostFragment {
    /// True if the post belongs in the feed of all public posts.
    package var isPublic: Bool {
        !isForFollowers && !isHeld && !isSilenced
            && community.map { !$0.isForMembers && !$0.isRemoved } ?? true
    }
}
