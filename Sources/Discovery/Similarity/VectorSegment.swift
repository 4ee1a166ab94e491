import SocialGraph

/// Codes of up to ``VectorSegment/rows`` posts, with each field in one contiguous buffer. Heads are stored apart,
/// so a sweep reads little else.
struct VectorSegment: Sendable {
    /// Number of posts in a segment.
    static let rows = 1_024

    private let head: Int
    private let tail: Int
    private(set) var posts: [PostID] = []
    private var heads: [Int16] = []
    private var tails: [Int8] = []
    private var steps: [Float] = []
    private var headSquares: [Float] = []
    private var errors: [Float] = []

    init(_ coder: VectorCoder) {
        head = coder.head
        tail = coder.dimension - coder.head
        posts.reserveCapacity(Self.rows)
        heads.reserveCapacity(Self.rows * head)
        tails.reserveCapacity(Self.rows * tail)
    }

    var isFull: Bool { posts.count == VectorSegment.rows }

    mutating func append(_ post: PostID, _ code: VectorCode) {
        posts.append(post)
        heads += code.coordinates[..<head].lazy.map(Int16.init)
        tails += code.coordinates[head...]
        steps.append(code.step)
        headSquares.append(code.headSquare)
        errors.append(code.error)
    }

    mutating func replace(_ row: Int, by code: VectorCode) {
        heads.replaceSubrange(row * head..<(row + 1) * head, with: code.coordinates[..<head].lazy.map(Int16.init))
        tails.replaceSubrange(row * tail..<(row + 1) * tail, with: code.coordinates[head...])
        (steps[row], headSquares[row], errors[row]) = (code.step, code.headSquare, code.error)
    }

    /// Removes and returns the last row.
    mutating func removeLast() -> (post: PostID, code: VectorCode) {
        let code = VectorCode(
            coordinates: heads.suffix(head).map { Int8($0) } + tails.suffix(tail), step: steps.removeLast(),
            headSquare: headSquares.removeLast(), error: errors.removeLast())
        heads.removeLast(head)
        tails.removeLast(tail)
        return (posts.removeLast(), code)
    }

    /// Replaces a row by another post.
    mutating func replace(_ row: Int, by other: (post: PostID, code: VectorCode)) {
        posts[row] = other.post
        replace(row, by: other.code)
    }

    /// Offers the posts that may be near the query; a non-nil `wanted` restricts them.
    func sweep(_ query: VectorQuery, among wanted: Set<PostID>?, into nearest: inout NearestCandidates) {
        query.coordinates.withUnsafeBufferPointer { coordinates in
            heads.withUnsafeBufferPointer { heads in
                tails.withUnsafeBufferPointer { tails in
                    guard let query0 = coordinates.baseAddress, let head0 = heads.baseAddress else { return }
                    for row in posts.indices {
                        if let wanted, !wanted.contains(posts[row]) { continue }
                        let scale = query.step * steps[row]
                        var product = scale * Float(DotProduct.of(query0, head0 + row * head, head))
                        if query.headSquare + headSquares[row] - 2 * product > nearest.headLimit { continue }
                        if let tail0 = tails.baseAddress {
                            product += scale * Float(DotProduct.of(query0 + head, tail0 + row * tail, tail))
                        }
                        nearest.offer(posts[row], product, error: query.error(with: errors[row]))
                    }
                }
            }
        }
    }
}
