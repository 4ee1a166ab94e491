/// The rows that a look through indexes may examine. A row is examined where it is fetched, whether or not it leads to
/// anything. Each step of a stream fetches at least once, so that a look that starts with a whole budget gets further.
package final class ScanBudget {
    package private(set) var examined = 0
    private let limit: Int

    /// - Parameter limit: rows.
    package init(_ limit: Int) { self.limit = limit }

    var left: Int { max(limit - examined, 0) }
    var isSpent: Bool { examined >= limit }

    func spend(_ rows: Int) { examined += rows }
}

/// A look has examined as many rows as it may. Nothing at or above `place` is left to be found.
struct ScanBudgetSpent: Error {
    let place: Int64
}

/// The outcome of a look for posts.
package struct PostRun: Sendable, Equatable {
    /// In the order of the look.
    package let posts: [PostID]
    /// Everything above, and at, this place has been looked at; nil: there are no more.
    package let end: PostID?
    /// Rows.
    package let examined: Int

    package init(posts: [PostID], end: PostID?, examined: Int) {
        self.posts = posts
        self.end = end
        self.examined = examined
    }

    package static let nothing = PostRun(posts: [], end: nil, examined: 0)
}
