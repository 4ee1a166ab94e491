import SocialGraph

/// Why a post is recommended.
package struct RecommendationReason: Sendable, Equatable {
    /// Stable: stored and on the wire.
    package enum Kind: String, Sendable, CaseIterable {
        // Because of what the user did with another post, which ``RecommendationReason/post`` names.
        case liked, saved, commented, shared, watched
        /// An author of it, ``RecommendationReason/user``, is followed.
        case follows
        /// The user has had to do with posts of its author, ``RecommendationReason/user``.
        case author
        /// It meets a preference, whose name is ``RecommendationReason/value``.
        case preference
        case popular, new
        /// It is public, and nothing speaks against it.
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

    /// For the user to read.
    package var text: String {
        switch kind {
        case .liked: "Because you liked a post like it."
        case .saved: "Because you saved a post like it."
        case .commented: "Because you commented on a post like it."
        case .shared: "Because you shared a post like it."
        case .watched: "Because you watched a video like it."
        case .follows: "Because you follow an author of it."
        case .author: "Because you like other posts of its author."
        case .preference: value.flatMap(PreferenceMatch.text(of:)) ?? "It matches your preferences."
        case .popular: "Popular now."
        case .new: "New."
        case .everybody: "You have not seen it yet."
        }
    }
}

extension TasteAct.Kind {
    /// The reason that an act gives for posts that are like its own.
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
