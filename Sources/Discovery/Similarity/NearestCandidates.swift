import HeapModule
import SocialGraph

/// Which posts may be among the `count` nearest, as far as their codes tell: all whose product may be as large as the
/// `count`-th largest that is certain.
struct NearestCandidates: Sendable {
    private struct Candidate {
        let post: PostID
        /// The product is at most this.
        let high: Float
    }

    let count: Int
    /// Products above it are not looked for; nil: all are.
    private let ceiling: Float?
    private let headShare: Float
    /// Products below it are not among the nearest.
    private(set) var floor = -Float.infinity
    /// A vector whose squared distance over the head is larger is not among the nearest.
    private(set) var headLimit = Float.infinity
    /// The largest products that are certain, at most `count`.
    private var lows = Heap<Float>()
    private var candidates: [Candidate] = []
    private var room: Int

    init(count: Int, ceiling: Float?, headShare: Float) {
        self.count = count
        self.ceiling = ceiling
        self.headShare = headShare
        room = 4 * count
    }

    /// The posts, in no order.
    var posts: [PostID] { candidates.lazy.filter { $0.high >= floor }.map(\.post) }

    /// Whether fewer than `count` are certain: then nothing that was offered has been given up.
    var isEverything: Bool { floor == -.infinity }

    /// Offers a post whose product is `product`, give or take `error`.
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
