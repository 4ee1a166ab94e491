import Database
import Foundation
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// Accuracy of the matcher, on commands that were used while it was written and on held-out ones, compared with plain
/// full-text search. `swift test --filter LabelledSetTests` prints the figures of docs/decisions/0019-segments.md.
@Suite(.timeLimit(.unit))
struct LabelledSetTests {
    let set: LabelledSet

    init() throws { set = try LabelledSet() }

    private struct Score: CustomStringConvertible {
        var right = 0
        var total = 0
        var rightRefusals = 0
        var refusals = 0

        mutating func count(_ query: LabelledSet.Query, _ answer: Int64?) {
            let isMet = query.isMet(by: answer)
            (right, total) = (right + (isMet ? 1 : 0), total + 1)
            guard query.place == nil else { return }
            (rightRefusals, refusals) = (rightRefusals + (isMet ? 1 : 0), refusals + 1)
        }

        var share: Double { Double(right) / Double(max(1, total)) }
        var description: String {
            let percent = (share * 1_000).rounded() / 10
            return "\(right) of \(total) (\(percent) %); of the refusals \(rightRefusals) of \(refusals)"
        }
    }

    private func score(
        _ use: LabelledSet.Use, of videos: [LabelledSet.Video],
        _ answer: (LabelledSet.Video, LabelledSet.Query) throws -> Int64?
    ) rethrows -> Score {
        var score = Score()
        for video in videos {
            for query in video.queries where query.use == use { score.count(query, try answer(video, query)) }
        }
        return score
    }

    private static func matched(_ video: LabelledSet.Video, _ query: LabelledSet.Query) -> Int64? {
        SegmentMatcher().place(
            for: query.command, in: video.index, title: video.title, duration: video.length, position: query.position
        )?.timestamp
    }

    @Test func `the labelled set is as large as it says`() {
        let queries = set.videos.flatMap(\.queries)
        #expect(set.videos.count == 40 && queries.count >= 300)
        #expect(queries.count { $0.place == nil } >= 40)
        #expect((queries.count / 5...queries.count / 3).contains(queries.count { $0.use == .heldOut }))
        #expect(queries.count { $0.use == .fresh } == 133)
        for video in set.videos {
            #expect(Set(video.queries.map(\.command)).count == video.queries.count, "\(video.title)")
            #expect(video.queries.allSatisfy { $0.place.map { $0 <= video.length } ?? true }, "\(video.title)")
            #expect(video.segments.allSatisfy { $0.start < $0.end && $0.end <= video.length }, "\(video.title)")
        }
    }

    @Test func `commands are answered right`() async throws {
        try await expectRight(set.videos, [(.tuning, 0.97), (.heldOut, 0.95), (.fresh, 0.94)])
    }

    @Test func `the set of transcripts is as large as it says`() throws {
        let videos = try LabelledSet.transcripts()
        let queries = videos.flatMap(\.queries)
        #expect(videos.count == 12 && videos.allSatisfy { $0.segments.isEmpty && !$0.cues.isEmpty })
        #expect(queries.count == 192 && queries.count { $0.place == nil } >= 20)
        #expect((queries.count / 5...queries.count / 2).contains(queries.count { $0.use == .heldOut }))
        for video in videos {
            // A place is the second at which a cue begins.
            let starts = Set(video.cues.map(\.start))
            #expect(video.queries.allSatisfy { $0.place.map(starts.contains) ?? true }, "\(video.title)")
            #expect(Set(video.queries.map(\.command)).count == video.queries.count, "\(video.title)")
        }
    }

    @Test func `commands are answered with the second of the sentence in a transcript`() async throws {
        try await expectRight(try LabelledSet.transcripts(), [(.tuning, 0.74), (.heldOut, 0.79)], margin: 0)
    }

    private func expectRight(
        _ videos: [LabelledSet.Video], _ uses: [(LabelledSet.Use, atLeast: Double)], margin: Double = 0.1
    ) async throws {
        let plain = try await plainSearch(videos)
        for (use, share) in uses {
            let matched = score(use, of: videos, Self.matched)
            let searched = score(use, of: videos) { video, query in plain["\(video.title)|\(query.command)"] }
            print("\(use): \(matched)\n\(use), plain FTS5: \(searched)")
            #expect(matched.share >= share, "\(use)")
            #expect(matched.share > searched.share + margin, "\(use)")
        }
    }

    /// Checks commands that are answered by words: the share of right answers equals the mean confidence.
    @Test func `confidence is how often answers are right`() {
        var (confidence, right, total) = (0.0, 0.0, 0.0)
        for video in set.videos {
            for query in video.queries where query.use != .tuning {
                let place = SegmentMatcher().place(
                    for: query.command, in: video.index, title: video.title, duration: video.length,
                    position: query.position)
                guard let place, place.kind != .time else { continue }
                confidence += place.confidence
                right += query.isMet(by: place.timestamp) ? 1 : 0
                total += 1
            }
        }
        print("answered by words: \(right / total) right, mean confidence \(confidence / total)")
        #expect(abs(confidence / total - right / total) < 0.05)
    }

    /// The places that FTS5 would jump to: the best of labels and cues by BM25 for any of the command's words.
    private func plainSearch(_ videos: [LabelledSet.Video]) async throws -> [String: Int64] {
        var places: [String: Int64] = [:]
        try await withDiscovery(on: .sqlite) { fixture in
            for video in videos {
                let rows = video.segments.map { ($0.label, $0.start) } + video.cues.map { ($0.text, $0.start) }
                try await fixture.database.write { transaction in
                    try transaction.execute("DROP TABLE IF EXISTS plain", [])
                    try transaction.execute(
                        "CREATE VIRTUAL TABLE plain USING fts5 (text, start UNINDEXED, tokenize = 'porter unicode61')",
                        [])
                    for row in rows {
                        try transaction.execute(
                            "INSERT INTO plain (text, start) VALUES (?1, ?2)", [.text(row.0), .integer(row.1)])
                    }
                }
                for query in video.queries {
                    let words = query.command.split { !$0.isLetter && !$0.isNumber }.map { "\"\($0)\"" }
                    guard !words.isEmpty else { continue }
                    let start = try await fixture.database.read { reader in
                        try reader.first(
                            "SELECT start FROM plain WHERE plain MATCH ?1 ORDER BY rank LIMIT 1",
                            [.text(words.joined(separator: " OR "))]
                        ) { $0.integer(0) }
                    }
                    places["\(video.title)|\(query.command)"] = start
                }
            }
        }
        return places
    }
}
