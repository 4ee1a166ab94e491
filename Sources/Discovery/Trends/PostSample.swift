import Database
import SocialGraph

/// Engagement by post: of all posts, or of a sample if memory cannot hold all.
///
/// Membership in the sample depends only on the post's id, never on its engagement, so shares estimated from the sample
/// are unbiased. A full sample is thinned by half. (Adaptive sampling: Flajolet, Computing 43, 1990.)
struct PostSample<Value: Sendable>: Sendable {
    private(set) var values: [PostID: Value] = [:]
    /// Bits that must be zero in the hash of a sampled post.
    private(set) var mask: UInt64 = 0
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    var isWhole: Bool { mask == 0 }

    func contains(_ post: PostID) -> Bool { Self.hash(post) & mask == 0 }

    mutating func update(_ post: PostID, default initial: Value, _ change: (inout Value) -> Void) {
        guard contains(post) else { return }
        change(&values[post, default: initial])
        while values.count > capacity {
            mask = mask << 1 | 1
            values = values.filter { contains($0.key) }
        }
    }

    /// Returns a subset of this sample with at most `capacity` posts.
    func thinned(to capacity: Int) -> PostSample {
        var sample = PostSample(capacity: capacity)
        sample.mask = mask
        for (post, value) in values { sample.update(post, default: value) { _ in } }
        return sample
    }

    /// Hashes a post with SplitMix64's finisher: consecutive ids spread over all bits, in the same way everywhere.
    private static func hash(_ post: PostID) -> UInt64 {
        var mixed = UInt64(bitPattern: post.rawValue) &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
