import Database
import SocialGraph

/// A post and its similarity: the cosine of the angle between its embedding and the given one. Nearest first; ties go
/// to the newer post.
package struct SimilarPost: Sendable, Equatable, Comparable {
    package let post: PostID
    /// Similarity from -1 to 1, apart from rounding.
    package let similarity: Float

    package init(post: PostID, similarity: Float) {
        self.post = post
        self.similarity = similarity
    }

    /// Orders nearer posts first.
    package static func < (lhs: Self, rhs: Self) -> Bool {
        (rhs.similarity, rhs.post) < (lhs.similarity, lhs.post)
    }
}

/// A position in a list of similar posts, after this post. Encoded as `<similarity>.<post>`, with the similarity as the
/// bits of its Float32, so that it is exact. Each page computes the list anew: a changed post appears at its new
/// position, and nothing else moves.
package struct SimilarCursor: Sendable, Equatable {
    package let last: SimilarPost

    package init(last: SimilarPost) { self.last = last }

    /// Parses a cursor; nil for other text. Each cursor has one spelling.
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

/// A page of similar posts. `next` is nil only at the true end.
package struct SimilarPage<Item: Sendable>: Sendable {
    package struct Entry: Sendable {
        package let item: Item
        package let similarity: Float
    }

    package let entries: [Entry]
    package let next: SimilarCursor?
}
