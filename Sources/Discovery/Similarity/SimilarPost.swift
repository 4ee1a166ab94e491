import Database
import SocialGraph

/// A post and how near it is: the cosine of the angle between its embedding and the one asked for. Nearest first; of
/// equally near ones the newer first.
package struct SimilarPost: Sendable, Equatable, Comparable {
    package let post: PostID
    /// From -1 to 1, but for what is lost by rounding.
    package let similarity: Float

    package init(post: PostID, similarity: Float) {
        self.post = post
        self.similarity = similarity
    }

    /// Nearer ones are smaller: they come first.
    package static func < (lhs: Self, rhs: Self) -> Bool {
        (rhs.similarity, rhs.post) < (lhs.similarity, lhs.post)
    }
}

/// A place in a list of similar posts: after this one. On the wire `<similarity>.<post>`, the first as the bits of its
/// Float32, so that it is exact. The list is worked out anew for each page, and what has changed meanwhile stands at
/// its place; nothing else moves.
package struct SimilarCursor: Sendable, Equatable {
    package let last: SimilarPost

    package init(last: SimilarPost) { self.last = last }

    /// Nil for what is no cursor; each cursor has one spelling.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let bits = UInt32(parts[0]), let id = Int64(parts[1]),
            (1...IDSequence.maximum).contains(id)
        else { return nil }
        let similarity = Float(bitPattern: bits)
        guard (-2...2).contains(similarity) else { return nil }
        last = SimilarPost(post: PostID(rawValue: id), similarity: similarity)
        guard self.text == text else { return nil }
    }

    package var text: String { "\(last.similarity.bitPattern).\(last.post.rawValue)" }
}

/// A page of similar posts. `next` is nil at the true end only.
package struct SimilarPage<Item: Sendable>: Sendable {
    package struct Entry: Sendable {
        package let item: Item
        package let similarity: Float
    }

    package let entries: [Entry]
    package let next: SimilarCursor?
}
