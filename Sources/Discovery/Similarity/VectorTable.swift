import SocialGraph

/// The codes of all embeddings, in segments. A copy shares them, and a change copies at most one segment. About
/// `dimension` + 130 bytes a post.
struct VectorTable: Sendable {
    let coder: VectorCoder
    private(set) var segments: [VectorSegment] = []
    private var rows: [PostID: Int] = [:]

    init(dimension: Int) { coder = VectorCoder(dimension: dimension) }

    var count: Int { rows.count }

    /// Replaces the code of `post` with `code`, made by ``coder``; nil removes it.
    mutating func set(_ post: PostID, _ code: VectorCode?) {
        guard let code else { return remove(post) }
        if let row = rows[post] {
            segments[row / VectorSegment.rows].replace(row % VectorSegment.rows, by: code)
            return
        }
        if segments.last?.isFull ?? true { segments.append(VectorSegment(coder)) }
        segments[segments.count - 1].append(post, code)
        rows[post] = rows.count
    }

    /// Removes a row; the last row takes its place.
    private mutating func remove(_ post: PostID) {
        guard let row = rows.removeValue(forKey: post) else { return }
        let last = segments[segments.count - 1].removeLast()
        if segments[segments.count - 1].posts.isEmpty { segments.removeLast() }
        guard last.post != post else { return }
        segments[row / VectorSegment.rows].replace(row % VectorSegment.rows, by: last)
        rows[last.post] = row
    }
}
