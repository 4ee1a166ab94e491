import SocialGraph

/// A user's act on a post, as evidence of taste.
package struct TasteAct: Sendable, Equatable {
    package enum Kind: Sendable, CaseIterable { case like, save, comment, reshare, externalShare, watch }

    package let kind: Kind
    /// Id from the common sequence: the time of the act.
    package let id: Int64
    package let post: PostID
    package let user: UserID
    /// Watched share of the video, 0 to 1; 1 for other acts.
    package let share: Double

    package init(kind: Kind, id: Int64, post: PostID, user: UserID, share: Double = 1) {
        self.kind = kind
        self.id = id
        self.post = post
        self.user = user
        self.share = share
    }
}
