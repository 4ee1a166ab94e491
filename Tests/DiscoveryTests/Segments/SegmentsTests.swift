import Database
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// The service over the graph. Stored segments are found at once.
@Suite(.timeLimit(.unit))
struct SegmentsTests {
    @Test func `a new segmentation is used by the next question`() async throws {
        try await withDiscovery { fixture in
            let segments = Segments(graph: fixture.graph, threads: InlineThreads())
            let (post, ann) = (try await fixture.post(), try await fixture.user())
            #expect(try await segments.contents(of: post, for: ann) == Contents(.empty))
            #expect(try await segments.find("squats", in: post, for: ann) == nil)
            for start in [Int64(10_000), 20_000] {
                _ = try await segments.replaceSegments(
                    of: post, by: ann, with: [NewSegment(label: "Squats", start: start, end: 30_000)])
                // Two searches: one reads the database, the other one the cache.
                for _ in 0..<2 { #expect(try await segments.find("squats", in: post, for: ann)?.timestamp == start) }
            }
            let cues = [
                Cue(start: 1_500, end: 2_000, text: "Now the lunges"), Cue(start: 9_000, end: 12_345, text: "b"),
            ]
            try await segments.replaceTranscript(of: post, by: ann, with: Transcript(cues: cues))
            #expect(try await segments.transcript(of: post, for: ann) == Transcript(cues: cues))
            #expect(try await segments.find("lunges", in: post, for: ann)?.timestamp == 1_500)
            #expect(try await segments.contents(of: post, for: ann).isDerived == false)
            _ = try await segments.replaceSegments(of: post, by: ann, with: [])
            let contents = try await segments.contents(of: post, for: ann)
            #expect(contents.isDerived && contents.entries.first?.label == "Lunges, b")
            try await segments.replaceTranscript(of: post, by: ann, with: nil)
            #expect(try await segments.contents(of: post, for: ann).entries.isEmpty)
            #expect(try await segments.find("lunges", in: post, for: ann) == nil)
        }
    }

    @Test func `the attribute says how long a video is`() async throws {
        try await withDiscovery { fixture in
            let segments = Segments(graph: fixture.graph, threads: InlineThreads())
            let ann = try await fixture.user()
            let post = try await fixture.graph.posts.publish(
                NewPost(
                    author: ann, caption: "c", mediaURL: "https://example.org/1",
                    attributes: ["duration": .number(600.5)])
            ).id
            #expect(try await segments.find("last five minutes", in: post, for: ann)?.timestamp == 300_500)
            #expect(try await segments.find("99:00", in: post, for: ann)?.timestamp == 600_500)
            let other = try await fixture.post()
            #expect(try await segments.find("last five minutes", in: other, for: ann) == nil)
            #expect(try await segments.find("3:20", in: other, for: ann)?.timestamp == 200_000)
        }
    }

    @Test func `the cache keeps what is used and is bounded`() {
        let cache = SegmentIndexCache(capacity: 20)
        func post(_ id: Int64) -> PostID { PostID(rawValue: id) }
        for id in 1...100 {
            cache.keep(.empty, of: post(Int64(id)), version: 1)
            #expect(cache.entry(of: post(1))?.version == 1, "what is asked for all the time stays")
        }
        #expect((1...100).count { cache.entry(of: post($0)) != nil } <= 21)
        cache.keep(.empty, of: post(1), version: 2)
        #expect(cache.entry(of: post(1))?.version == 2)
    }

    @Test func `passages of a transcript follow one another`() throws {
        var random = SplitMix64(seed: 3)
        let topics = [["dough", "flour", "knead"], ["sauce", "tomato", "basil"], ["oven", "bake", "crust"]]
        let cues = (0..<90).map { number in
            let words = (0..<6).compactMap { _ in topics[number / 30].randomElement(using: &random) }
            return Cue(
                start: Int64(number) * 4_000, end: Int64(number) * 4_000 + 3_000, text: words.joined(separator: " "))
        }
        let contents = Contents(SegmentIndex(segments: [], transcript: Transcript(cues: cues)))
        let starts = contents.entries.map(\.start)
        #expect(contents.isDerived && contents.entries.allSatisfy { $0.segment == nil && !$0.label.isEmpty })
        #expect(starts.first == 0 && contents.entries.last?.end == 359_000)
        for (entry, next) in zip(contents.entries, contents.entries.dropFirst()) { #expect(entry.end == next.start) }
        // A passage begins where the topic changes.
        #expect(starts.contains(120_000) && starts.contains(240_000), "\(starts)")
    }
}
