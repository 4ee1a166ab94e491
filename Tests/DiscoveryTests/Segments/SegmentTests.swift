import Database
import TestSupport
import Testing

@testable import Discovery
@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct SegmentTests {
    private static func new(_ label: String, _ start: Int64, _ end: Int64) -> NewSegment {
        NewSegment(label: label, start: start, end: end)
    }

    @Test
    func `segments keep their ids from one upload to the next`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let (post, other) = (try await fixture.post(ann), try await fixture.post(ann))
            let first = try await fixture.graph.segments.replaceSegments(
                of: post, by: ann,
                with: [Self.new("squats", 50, 90), Self.new("intro", 0, 50), Self.new("squats", 90, 99)])
            #expect(first.map(\.label) == ["intro", "squats", "squats"])
            let second = try await fixture.graph.segments.replaceSegments(
                of: post, by: ann,
                with: [
                    Self.new("squats", 90, 99), Self.new("squats", 10, 20), Self.new("rest", 0, 10),
                    Self.new("squats", 1, 2),
                ])
            #expect(second.map(\.start) == [0, 1, 10, 90])
            // The same label and times keep their id, then the same label in order, and then come new ids.
            #expect(second[3].id == first[2].id && second[1].id == first[1].id)
            #expect(Set(first.map(\.id)).isDisjoint(with: [second[0].id, second[2].id]))
            let elsewhere = try await fixture.graph.segments.replaceSegments(
                of: other, by: ann, with: [Self.new("squats", 1, 2)])
            #expect(Set((first + second).map(\.id)).isDisjoint(with: elsewhere.map(\.id)))
            #expect(try await fixture.graph.segments.segmentation(of: post).segmentation?.segments == second)
        }
    }

    @Test
    func `authors may, others may not, and nothing is left of a deleted post`() async throws {
        try await withGraph { fixture in
            let users = try await fixture.users(3)
            try await fixture.graph.follows.follow(users[1], users[0])
            let post = try await fixture.post(users[0], with: [users[1], users[2]])
            for author in users.prefix(2) {
                try await fixture.graph.segments.replaceSegments(of: post, by: author, with: [Self.new("a", 0, 1)])
                try await fixture.graph.segments.replaceTranscript(of: post, by: author, with: "WEBVTT")
            }
            // The user is invited and has not accepted.
            await #expect(throws: GraphError.notAuthor) {
                try await fixture.graph.segments.replaceSegments(of: post, by: users[2], with: [])
            }
            await #expect(throws: GraphError.notAuthor) {
                try await fixture.graph.segments.replaceTranscript(of: post, by: users[2], with: nil)
            }
            for author in users.prefix(2) {
                let own = try await fixture.graph.segments.ownSegmentations(of: author, below: nil, limit: 5).items
                #expect(own.map(\.post) == [post] && own[0].segmentation.transcript == "WEBVTT")
                #expect(own[0].segmentation.segments.map(\.label) == ["a"])
            }
            try await fixture.graph.posts.deletePost(post, by: users[0])
            for table in ["segment", "segmentation"] {
                #expect(try await fixture.database.read { try !$0.exists("SELECT 1 FROM \(table)", []) })
            }
            await #expect(throws: GraphError.postNotFound) {
                try await fixture.graph.segments.replaceSegments(of: post, by: users[0], with: [])
            }
        }
    }

    /// Random uploads compared with a plain model: the last upload counts, versions rise, and each id names one label.
    @Test
    func `a segmentation is what was uploaded last`() async throws {
        try await withGraph { fixture in
            var random = SplitMix64(seed: 5)
            let ann = try await fixture.user("ann")
            var posts: [PostID] = []
            for _ in 0..<3 { posts.append(try await fixture.post(ann)) }
            var model: [PostID: (segments: [NewSegment], transcript: String?)] = [:]
            var labels: [SegmentID: String] = [:]
            var versions: [PostID: Int64] = [:]
            for step in 0..<150 {
                let post = posts[Int.random(in: 0..<3, using: &random)]
                var state = model[post] ?? ([], nil)
                if Bool.random(using: &random) {
                    state.segments = (0..<Int.random(in: 0...6, using: &random)).map { _ in
                        let start = Int64.random(in: 0...5, using: &random)
                        let label = ["a", "b", "c"].randomElement(using: &random) ?? ""
                        return Self.new(label, start, start + Int64.random(in: 1...3, using: &random))
                    }
                    try await fixture.graph.segments.replaceSegments(of: post, by: ann, with: state.segments)
                } else {
                    state.transcript = Bool.random(using: &random) ? "WEBVTT \(step)" : nil
                    try await fixture.graph.segments.replaceTranscript(of: post, by: ann, with: state.transcript)
                }
                model[post] = state
                let reading = try await fixture.graph.segments.segmentation(of: post)
                let stored = try #require(reading.segmentation)
                #expect(stored.transcript == state.transcript)
                #expect(
                    stored.segments.map { "\($0.start) \($0.end) \($0.label)" }.sorted()
                        == state.segments.map { "\($0.start) \($0.end) \($0.label)" }.sorted())
                #expect(stored.segments.map(\.start) == stored.segments.map(\.start).sorted())
                #expect(Set(stored.segments.map(\.id)).count == stored.segments.count)
                for segment in stored.segments {
                    #expect(labels.updateValue(segment.label, forKey: segment.id) ?? segment.label == segment.label)
                }
                let version = try #require(reading.version)
                #expect(version > versions[post] ?? 0)
                versions[post] = version
                let again = try await fixture.graph.segments.segmentation(of: post, known: version)
                #expect(again.version == version && again.segmentation == nil)
            }
        }
    }
}
