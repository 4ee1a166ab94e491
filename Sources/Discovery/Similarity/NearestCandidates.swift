import HeapModule
import SocialGraph

/// The posts that may be among the `count` nearest, judged by their codes: all whose product may reach the `count`-th
/// largest certain product.
struct NearestCandidates: Sendable {
    private struct Candidate {
        let post: PostID
        /// Upper bound of the product.
        let high: Float
    }

    let count: Int
    /// Largest wanted product; nil for no limit.
    private let ceiling: Float?
    private let headShare: Float
    /// Smallest product that can be among the nearest.
    private(set) var floor = -Float.infinity
    /// Largest squared distance over the head that can be among the nearest.
    private(set) var headLimit = Float.infinity
    /// The largest certain products, at most `count`.
    private var lows = Heap<Float>()
    private var candidates: [Candidate] = []
    private var room: Int

    init(count: Int, ceiling: Float?, headShare: Float) {
        self.count = count
        self.ceiling = ceiling
        self.headShare = headShare
        room = 4 * count
    }

    /// The posts, in no particular order.
    var posts: [PostID] { candidates.lazy.filter { $0.high >= floor }.map(\.post) }

    /// True while fewer than `count` are certain; until then no offered post is discarded.
    var isEverything: Bool { floor == -.infinity }

    /// Offers a post whose product is `product`, plus or minus `error`.
    mutating func offer(_ post: PostID, _ product: Float, error: Float) {
        let (low, high) = (product - error, product + error)
        guard high >= floor else { return }
        if let ceiling {
            if low > ceiling { return }
            if high < ceiling { raiseFloor(low) }
        } else {
            raiseFloor(low)
        }
        candidates.append(Candidate(post: post, high: high))
        guard candidates.count >= room else { return }
        candidates.removeAll { $0.high < floor }
        room = max(room, 2 * candidates.count)
    }

    private mutating func raiseFloor(_ low: Float) {
        if lows.count == count {
            guard let least = lows.min, low > least else { return }
            lows.replaceMin(with: low)
        } else {
            lows.insert(low)
        }
        guard lows.count == count, let least = lows.min else { return }
        floor = least
        headLimit = (2 - 2 * least) * headShare
    }
}
