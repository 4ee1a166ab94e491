import Discovery
import SocialGraph

/// A part of a video in the products' documents. Times are milliseconds.
package struct NamedSegment: Sendable, Equatable {
    let id: SegmentID
    /// The label as one word, `sauceMaking`, unique in the video.
    let name: String
    let label: String
    let start: Int64
    let end: Int64
}

/// The segments of videos, named.
package struct VideoSegments: Sendable {
    package let segments: Segments

    package init(segments: Segments) {
        self.segments = segments
    }

    /// Returns the segments labelled by the author of each of `posts`, ascending by start.
    package func named(of posts: [PostID]) async throws -> [[NamedSegment]] {
        try await segments.segments(of: posts).map { segments in
            zip(segments, Self.names(of: segments.map(\.label))).map { segment, name in
                NamedSegment(
                    id: segment.id, name: name, label: segment.label, start: segment.start, end: segment.end)
            }
        }
    }

    /// Returns the segments of one post.
    package func named(of post: PostID) async throws -> [NamedSegment] { try await named(of: [post])[0] }

    /// Returns a word for each label, all different: repeated ones end with a number.
    static func names(of labels: [String]) -> [String] {
        var (uses, taken): ([String: Int], Set<String>) = ([:], [])
        return labels.map { label in
            let word = word(label)
            var name = word
            repeat {
                let count = uses[word, default: 0] + 1
                uses[word] = count
                name = count == 1 ? word : word + String(count)
            } while !taken.insert(name).inserted
            return name
        }
    }

    /// Returns the name of the segment that contains a place; nil if none does.
    package func name(of place: VideoPlace, in post: PostID) async throws -> String? {
        guard let segment = place.segment else { return nil }
        return try await named(of: post).first { $0.id == segment }?.name
    }

    /// Returns a label as one word: its words joined, all but the first capitalised. A single word keeps its capitals.
    package static func word(_ label: String) -> String {
        let words = label.split { !$0.isLetter && !$0.isNumber }
        guard let first = words.first else { return label }
        let start = words.count == 1 ? first.prefix(1).lowercased() + first.dropFirst() : first.lowercased()
        return words.dropFirst().reduce(start) { $0 + $1.prefix(1).uppercased() + $1.dropFirst().lowercased() }
    }
}
