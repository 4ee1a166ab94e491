import Database
import SocialGraph
import Synchronization
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

    @Test func `segments of many posts take one round trip, whatever is said in them`() async throws {
        try await withDiscovery { fixture in
            let segments = Segments(graph: fixture.graph, threads: InlineThreads())
            let (posts, ann) = (try await fixture.posts(5), try await fixture.user())
            var stored: [[VideoSegment]] = []
            for (count, post) in posts.enumerated() {
                let parts = (0..<Int64(count)).map {
                    NewSegment(label: "part \($0)", start: $0 * 1_000, end: $0 * 1_000 + 900)
                }
                stored.append(try await segments.replaceSegments(of: post, by: ann, with: parts))
                let said = Transcript(cues: [Cue(start: 0, end: 1_000, text: "part")])
                try await segments.replaceTranscript(of: post, by: ann, with: said)
            }
            #expect(stored.map(\.count) == [0, 1, 2, 3, 4])
            let trips = try await fixture.roundTrips { graph in
                let found = try await Segments(graph: graph, threads: InlineThreads()).segments(of: posts)
                #expect(found == stored)
            }
            #expect(trips == 1)
        }
    }

    @Test func `each command is matched in turn for its user`() async throws {
        try await withDiscovery { fixture in
            let threads = RecordingThreads()
            let segments = Segments(graph: fixture.graph, threads: threads)
            let (post, ann, bob) = (
                try await fixture.post(), try await fixture.user(), try await fixture.user("bob")
            )
            _ = try await segments.replaceSegments(
                of: post, by: ann, with: [NewSegment(label: "Squats", start: 10_000, end: 30_000)])
            #expect(try await segments.find("squats", in: post, for: ann)?.timestamp == 10_000)
            #expect(threads.users == [ann, ann], "indexed, then matched")
            #expect(try await segments.find("squats", in: post, for: bob)?.timestamp == 10_000)
            #expect(threads.users == [ann, ann, bob])
        }
    }

    @Test func `indexing ends when nobody waits`() async throws {
        try await withDiscovery { fixture in
            let (post, ann) = (try await fixture.post(), try await fixture.user())
            let cues = (0..<9).map { Cue(start: $0 * 1_000, end: $0 * 1_000 + 900, text: "squats") }
            try await Segments(graph: fixture.graph, threads: InlineThreads())
                .replaceTranscript(of: post, by: ann, with: Transcript(cues: cues))
            let cancelled = Segments(graph: fixture.graph, threads: InlineThreads(isCancelled: true))
            await #expect(throws: CancellationError.self) { try await cancelled.contents(of: post, for: ann) }
        }
    }

    @Test func `an index is ended before any cue`() {
        let cues = (0..<9).map { Cue(start: $0 * 1_000, end: $0 * 1_000 + 900, text: "squats") }
        var asked = 0
        #expect(throws: CancellationError.self) {
            try SegmentIndex(segments: [], transcript: Transcript(cues: cues), thesaurus: .standard) {
                asked += 1
                if asked == 4 { throw CancellationError() }
            }
        }
        #expect(asked == 4)
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
        let cache = SegmentIndexCache(capacity: 20 * SegmentIndex.empty.bytes)
        func post(_ id: Int64) -> PostID { PostID(rawValue: id) }
        for id in 1...100 {
            cache.keep(.empty, of: post(Int64(id)), version: 1)
            #expect(cache.entry(of: post(1))?.version == 1, "what is asked for all the time stays")
        }
        #expect((1...100).count { cache.entry(of: post($0)) != nil } <= 21)
        cache.keep(.empty, of: post(1), version: 2)
        #expect(cache.entry(of: post(1))?.version == 2)
    }

    @Test func `an index is weighed by its words`() {
        let index = Self.index(ofWords: 20_000)
        #expect((100...250).contains(index.bytes / 20_000), "\(index.bytes)")
        let cache = SegmentIndexCache(capacity: 8 * index.bytes)
        let posts = (1...100).map { PostID(rawValue: $0) }
        for post in posts { cache.keep(index, of: post, version: 1) }
        let kept = posts.count { cache.entry(of: $0) != nil }
        #expect((1...8).contains(kept), "\(kept)")
    }

    @Test func `an index of more than half a generation is not kept`() {
        let index = Self.index(ofWords: 2_000)
        let (small, large) = (PostID(rawValue: 1), PostID(rawValue: 2))
        for (capacity, isKept) in [(4 * index.bytes, true), (4 * index.bytes - 1, false)] {
            let cache = SegmentIndexCache(capacity: capacity)
            cache.keep(.empty, of: small, version: 1)
            for version in 1...9 { cache.keep(index, of: large, version: Int64(version)) }
            #expect((cache.entry(of: large) != nil) == isKept)
            if !isKept { #expect(cache.entry(of: small) != nil) }
        }
    }

    @Test func `a usual transcript takes no more than is reckoned for it`() {
        var random = SplitMix64(seed: 11)
        let words = (0..<2_000).map(Self.word)
        let cues = (0..<5_000).map { number in
            let spoken = (0..<8).compactMap { _ in words.randomElement(using: &random) }
            return Cue(
                start: Int64(number) * 1_000, end: Int64(number) * 1_000 + 900, text: spoken.joined(separator: " "))
        }
        let index = SegmentIndex(segments: [], transcript: Transcript(cues: cues))
        #expect((100...SegmentIndex.usualCueBytes).contains(index.bytes / cues.count), "\(index.bytes)")
        DiscoveryLimits.assertConsistency()
    }

    /// Returns an index of one cue with `count` different words.
    private static func index(ofWords count: Int) -> SegmentIndex {
        let text = (0..<count).map(word).joined(separator: " ")
        return SegmentIndex(segments: [], transcript: Transcript(cues: [Cue(start: 0, end: 1_000, text: text)]))
    }

    /// Returns a word of five consonants, another one for each number below 100,000.
    private static func word(_ number: Int) -> String {
        let letters = Array("bcdfghjklm")
        return String([10_000, 1_000, 100, 10, 1].map { letters[number / $0 % 10] })
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

/// Runs work on the caller's thread and records whose it was.
private final class RecordingThreads: WorkThreads {
    private let recorded = Mutex<[UserID]>([])

    var users: [UserID] { recorded.withLock { $0 } }

    func run<Value: Sendable>(
        for user: UserID, _ body: @escaping @Sendable (_ isCancelled: @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value {
        recorded.withLock { $0.append(user) }
        return try body { false }
    }
}
