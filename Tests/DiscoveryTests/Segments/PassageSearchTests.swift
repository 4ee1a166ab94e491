import Database
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// The search for passages, compared with its definition.
@Suite(.timeLimit(.unit))
struct PassageSearchTests {
    private static let thesaurus = Thesaurus("alpha | beta, gamma delta\nomega, epsilon | zeta")
    private static let words = [
        "alpha", "beta", "gamma", "delta", "omega", "epsilon", "zeta", "next", "today", "lambda", "kappa",
    ]

    @Test(arguments: 0..<20 as Range<UInt64>)
    func `the best passage is that of the definition`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var found = 0
        for _ in 0..<50 {
            let search = Self.search(in: Self.index(&random))
            for _ in 0..<6 {
                let query = (0..<Int.random(in: 1...6, using: &random)).map { _ in
                    (Self.words + ["xa", "xb", "lamdba"]).randomElement(using: &random) ?? ""
                }
                let terms = search.terms(query)
                let expected = PassageDefinition(search: search).best(terms)
                let match = search.bestPassage(terms)
                #expect(match?.score == expected?.score, "\(query)")
                #expect(match.flatMap(Self.cue) == expected?.cue, "\(query)")
                found += match == nil ? 0 : 1
            }
        }
        #expect(found > 10)
    }

    /// Terms without hits, and with hits of little nearness, in a passage of all cues.
    @Test func `every cue of the largest transcript may be a hit`() {
        let cues = (0..<DiscoveryLimits.transcriptCues).map {
            Cue(start: Int64($0) / 2, end: Int64($0) / 2 + 5_000, text: "alpha")
        }
        let index = SegmentIndex(segments: [], transcript: Transcript(cues: cues), thesaurus: Self.thesaurus)
        let matcher = SegmentMatcher(thesaurus: Self.thesaurus)
        let unknown = "bcdefghijklmnopqrstuvwxyz".prefix(23).map { "x\($0)" }.joined(separator: " ")
        for word in ["alpha", "beta"] {
            for _ in 0..<20 {
                #expect(matcher.place(for: "\(word) \(unknown)", in: index, duration: nil) == nil)
            }
        }
        #expect(matcher.place(for: "alpha", in: index, duration: nil)?.timestamp == 0)
    }

    @Test func `only words within the limit become terms`() {
        let reader = Self.search(in: Self.index(["alpha", "lambda", "kappa"])).queries
        let words = ["alpha", "lamdba", "gamma", "delta", "kapap", "xa", "lamdba"]
        let all = reader.terms(words, limit: .max)
        #expect(all.count == 6)
        for limit in 0...7 {
            let some = reader.terms(words, limit: limit)
            #expect(some.map(\.alternatives) == all.prefix(limit).map(\.alternatives))
            #expect(some.map(\.weight) == all.prefix(limit).map(\.weight))
            #expect(some.map(\.stem) == all.prefix(limit).map(\.stem))
        }
    }

    private static func cue(of match: SegmentSearch.Match) -> Int? {
        guard case .cue(let cue) = match.found else { return nil }
        return cue
    }

    private static func search(in index: SegmentIndex) -> SegmentSearch {
        let queries = QueryReader(index: index, thesaurus: thesaurus, topic: [])
        return SegmentSearch(index: index, queries: queries, length: nil, position: nil)
    }

    private static func index(_ texts: [String]) -> SegmentIndex {
        let cues = texts.enumerated().map { Cue(start: Int64($0) * 1_000, end: Int64($0) * 1_000 + 900, text: $1) }
        return SegmentIndex(segments: [], transcript: Transcript(cues: cues), thesaurus: thesaurus)
    }

    /// An index with random cues, whose units are labelled or derived from them.
    private static func index(_ random: inout SplitMix64) -> SegmentIndex {
        let gap = Int64.random(in: 0...9_000, using: &random)
        var start: Int64 = 0
        let cues = (0..<Int.random(in: 0...60, using: &random)).map { _ in
            start += Int64.random(in: 0...gap, using: &random)
            let text = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                words.randomElement(using: &random) ?? ""
            }
            return Cue(start: start, end: start + 500, text: text.joined(separator: " "))
        }
        let isLabelled = Bool.random(using: &random)
        let segments = isLabelled ? [VideoSegment(id: SegmentID(rawValue: 1), label: "intro", start: 0, end: 900)] : []
        return SegmentIndex(
            segments: segments, transcript: cues.isEmpty ? nil : Transcript(cues: cues), thesaurus: thesaurus)
    }
}

/// The best passage by definition: each hit is compared with all cues of the 15 s that follow it.
private struct PassageDefinition {
    let search: SegmentSearch
    private var index: SegmentIndex { search.index }

    func best(_ terms: [QueryTerm]) -> (cue: Int, score: Double)? {
        let hits = terms.map(cues(with:))
        let weights = zip(terms, hits).map { term, hits in
            term.weight * (hits.isEmpty ? 0.7 : (1 / Double(hits.count)).squareRoot().squareRoot())
        }
        var best: (cue: Int, score: Double)?
        for first in index.cues.indices where hits.contains(where: { $0[first] != nil }) {
            var score = 0.0
            for (weight, hits) in zip(weights, hits) {
                let context = index.isDerived ? context(of: hits, in: index.passages[first]) : 0
                var nearness = max(hits[first] ?? 0, context)
                for cue in passage(from: first).dropFirst() { nearness = max(nearness, (hits[cue] ?? 0) * 0.9) }
                score += weight * nearness
            }
            score /= weights.reduce(0, +)
            if index.openings.contains(first) { score = min(1, score + 0.05) }
            if index.previews.contains(first) { score -= 0.15 }
            if score > best?.score ?? Threshold.passage.nextDown { best = (first, score) }
        }
        return best.map { (index.isDerived ? heart(of: $0.cue, hits, weights) : $0.cue, $0.score) }
    }

    private func cues(with term: QueryTerm) -> [Int: Double] {
        var hits: [Int: Double] = [:]
        for (phrase, nearness) in term.alternatives {
            for cue in index.postings[phrase] ?? [] { hits[cue] = max(hits[cue] ?? 0, nearness) }
        }
        return hits
    }

    private func passage(from first: Int) -> Range<Int> {
        let end = index.cues[first].start + 15_000
        return first..<(index.cues.indices.first { $0 > first && index.cues[$0].start >= end } ?? index.cues.count)
    }

    private func context(of hits: [Int: Double], in passage: Int) -> Double {
        hits.filter { index.passages[$0.key] == passage }.map { $0.value * 0.5 }.max() ?? 0
    }

    private func heart(of first: Int, _ hits: [[Int: Double]], _ weights: [Double]) -> Int {
        func own(_ cue: Int) -> Double { zip(weights, hits).reduce(0) { $0 + $1.0 * ($1.1[cue] ?? 0) } }
        var heart = first
        for cue in passage(from: first).dropFirst() where own(cue) > own(heart) * Threshold.heart { heart = cue }
        return heart
    }
}
