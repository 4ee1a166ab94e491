import SocialGraph

/// The rule that decides whether a reader sees a post in the home timeline. It is asked of every candidate at the
/// moment of reading, whatever path the candidate came by, so that what was hidden stays hidden while windows are
/// still being cleaned up.
struct HomeVisibility: Sendable {
    let viewer: UserID
    /// Ascending.
    let followees: [UserID]

    /// `post` is live: fragments of deleted posts do not exist.
    func shows(_ post: PostFragment) -> Bool {
        post.authors.contains { $0 == viewer || follows($0) }
    }

    private func follows(_ author: UserID) -> Bool {
        var low = 0
        var high = followees.count
        while low < high {
            let middle = (low + high) / 2
            if followees[middle] < author { low = middle + 1 } else { high = middle }
        }
        return low < followees.count && followees[low] == author
    }
}
