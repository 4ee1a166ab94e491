/// The number of rows that a scan of indexes may examine. A row counts when it is fetched, whether or not it matches.
/// Each step of a stream fetches at least once, so a scan that starts with a full budget makes progress.
package final class ScanBudget {
    package private(set) var examined = 0
    private let limit: Int

    /// - Parameter limit: rows.
    package init(_ limit: Int) { self.limit = limit }

    var left: Int { max(limit - examined, 0) }
    var isSpent: Bool { examined >= limit }

    func spend(_ rows: Int) { examined += rows }
}

/// The scan has used up its budget. Nothing at or above `place` is left to be found.
struct ScanBudgetSpent: Error {
    let place: Int64
}

/// The outcome of a scan for posts.
package struct PostSlice: Sendable, Equatable {
    /// The posts in the order of the scan.
    package let posts: [PostID]
    /// The place down to which everything has been examined, inclusive; nil: there are no more posts.
    package let end: PostID?
    /// Rows.
    package let examined: Int

    package init(posts: [PostID], end: PostID?, examined: Int) {
        self.posts = posts
        self.end = end
        self.examined = examined
    }

    package static let nothing = PostSlice(posts: [], end: nil, examined: 0)
}
