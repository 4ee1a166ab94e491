import SocialGraph

/// The explanation of a recommendation.
package struct RecommendationReason: Sendable, Equatable {
    /// Kinds of reasons; the raw values are stable, stored and sent to clients.
    package enum Kind: String, Sendable, CaseIterable {
        // The user's act on another post, which ``RecommendationReason/post`` names.
        case liked, saved, commented, shared, watched
        /// The user follows an author of the post, ``RecommendationReason/user``.
        case follows
        /// The user has engaged with posts of the author, ``RecommendationReason/user``.
        case author
        /// The post meets the preference named by ``RecommendationReason/value``.
        case preference
        case popular, new
        /// The post is public, and nothing counts against it.
        case everybody = "public"
    }

    package let kind: Kind
    package var post: PostID?
    package var user: UserID?
    package var value: String?

    package init(_ kind: Kind, post: PostID? = nil, user: UserID? = nil, value: String? = nil) {
        self.kind = kind
        self.post = post
        self.user = user
        self.value = value
    }

    /// Text for the user.
    package var text: String {
        switch kind {
        case .liked: "Because you liked a similar post."
        case .saved: "Because you saved a similar post."
        case .commented: "Because you commented on a similar post."
        case .shared: "Because you shared a similar post."
        case .watched: "Because you watched a similar video."
        case .follows: "Because you follow one of its authors."
        case .author: "Because you like other posts by its author."
        case .preference: value.flatMap(PreferenceMatch.text(of:)) ?? "It matches your preferences."
        case .popular: "Popular now."
        case .new: "New."
        case .everybody: "You have not seen it yet."
        }
    }
}

extension TasteAct.Kind {
    /// Kind of reason that an act gives for similar posts.
    var reason: RecommendationReason.Kind {
        switch self {
        case .like: .liked
        case .save: .saved
        case .comment: .commented
        case .reshare, .externalShare: .shared
        case .watch: .watched
        }
    }
}
