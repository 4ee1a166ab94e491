import SocialGraph

/// What somebody did with a post, as far as it tells of their taste.
package struct TasteAct: Sendable, Equatable {
    package enum Kind: Sendable, CaseIterable { case like, save, comment, reshare, externalShare, watch }

    package let kind: Kind
    /// Of the common sequence: the time of the act.
    package let id: Int64
    package let post: PostID
    package let user: UserID
    /// Of a watch: how much of the video, 0 to 1. Of others 1.
    package let share: Double

    package init(kind: Kind, id: Int64, post: PostID, user: UserID, share: Double = 1) {
        self.kind = kind
        self.id = id
        self.post = post
        self.user = user
        self.share = share
    }
}
