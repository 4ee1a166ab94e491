import SocialGraph

/// Divides a transcript into passages by topic, for the contents of videos without labelled segments: TextTiling (M.
/// Hearst, Computational Linguistics 23, 1997). A passage ends at a gap between cues whose surrounding words have least
/// in common. A pause and words such as "next" count in favour of a gap, an unfinished sentence against it. Passages
/// are labelled by their ``KeyPhrases``.
enum TranscriptPassages {
    struct Passage: Equatable {
        let label: String
        let start: Int64
        let end: Int64
    }

    /// Shortest passage in milliseconds; the next constants bound the number of passages and set their average length.
    private static let shortest: Int64 = 15_000
    private static let most = 40
    private static let usual: Int64 = 45_000
    /// Number of cues compared on either side of a gap.
    private static let block = 4
    private static let labelLength = 60
    /// The share of cues with punctuation at the end from which a cue without it is an unfinished sentence.
    private static let punctuated = 0.3

    /// `stems`: stems of each cue. `openings`: cues that begin a part.
    static func passages(
        of cues: [Cue], stems: [[String]], openings: Set<Int>, thesaurus: Thesaurus
    ) -> [Passage] {
        guard let first = cues.first, let end = cues.map(\.end).max() else { return [] }
        let wanted = min(most, Int((end - first.start) / usual))
        let unfinished = unfinished(cues)
        let scores = cues.indices.dropFirst().map { gap in
            let depth = 1 - similarity(stems[max(0, gap - block)..<gap], stems[gap..<min(stems.count, gap + block)])
            let pause = Double(max(0, cues[gap].start - cues[gap - 1].end)) / 4_000
            let sentence = (openings.contains(gap) ? 0.5 : 0) - (unfinished.contains(gap - 1) ? 0.5 : 0)
            return (gap: gap, score: depth + min(pause, 0.5) + sentence)
        }
        var starts = [0]
        for gap in scores.sorted(by: { ($1.score, $0.gap) < ($0.score, $1.gap) }).map(\.gap)
        where starts.count <= wanted {
            let time = cues[gap].start
            let isApart = starts.allSatisfy { abs(cues[$0].start - time) >= shortest } && end - time >= shortest / 2
            if isApart { starts.append(gap) }
        }
        starts.sort()
        let ranges = zip(starts, starts.dropFirst() + [cues.count]).map { $0..<$1 }
        let phrases = KeyPhrases(passages: ranges.map { cues[$0].map(\.text) }, thesaurus: thesaurus)
        return ranges.indices.map { index in
            let (first, next) = (cues[ranges[index].lowerBound], ranges[index].upperBound)
            return Passage(
                label: phrases.label(of: index, length: labelLength) ?? label(of: first), start: first.start,
                end: max(next < cues.count ? cues[next].start : end, first.end))
        }
    }

    /// Returns the cues that end within a sentence; none if the transcript is hardly punctuated.
    private static func unfinished(_ cues: [Cue]) -> Set<Int> {
        let finished = cues.indices.filter { cues[$0].text.last.map { ".!?…".contains($0) } ?? false }
        guard Double(finished.count) >= punctuated * Double(cues.count) else { return [] }
        return Set(cues.indices).subtracting(finished)
    }

    /// Returns the cosine of the counts of each stem.
    private static func similarity(_ left: ArraySlice<[String]>, _ right: ArraySlice<[String]>) -> Double {
        func counts(_ stems: ArraySlice<[String]>) -> [String: Double] {
            stems.joined().reduce(into: [:]) { $0[$1, default: 0] += 1 }
        }
        func norm(_ counts: [String: Double]) -> Double { counts.values.reduce(0) { $0 + $1 * $1 }.squareRoot() }
        let (before, after) = (counts(left), counts(right))
        let product = before.sorted { $0.key < $1.key }.reduce(0) { $0 + $1.value * (after[$1.key] ?? 0) }
        let length = norm(before) * norm(after)
        return length > 0 ? product / length : 0
    }

    /// Returns the first words of a cue.
    private static func label(of cue: Cue) -> String {
        var label = ""
        for word in cue.text.split(whereSeparator: \.isWhitespace) {
            guard label.unicodeScalars.count + word.unicodeScalars.count < labelLength else {
                return label.isEmpty ? String(word.prefix(labelLength)) : label + "…"
            }
            label += (label.isEmpty ? "" : " ") + word
        }
        return label
    }
}
