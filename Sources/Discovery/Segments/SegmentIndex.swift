import Algorithms
import SocialGraph

/// What a video has said of itself, ready to be matched: the words of its labels and of its transcript. Made once for a
/// version of a segmentation.
package struct SegmentIndex: Sendable {
    /// A labelled segment, or a passage of the transcript where there are none.
    struct Unit: Sendable {
        /// Nil of a passage.
        let id: SegmentID?
        let label: String
        let start: Int64
        let end: Int64
        /// The stems of the label, in order, without stop words.
        let stems: [String]
        /// Everything that the label can be matched by: stems, phrases of the thesaurus, and neighbours written as one
        /// word.
        let phrases: [String: Occurrence]
        /// The numbers of the label: of set 2, 2.
        let numbers: [Int]
    }

    /// Where a phrase stands in a label.
    struct Occurrence: Sendable {
        /// Places among the stems.
        let range: Range<Int>
        /// How much of what the phrase means it means here: less for the verb of "warm up".
        let strength: Double
    }

    let units: [Unit]
    let cues: [Cue]
    /// Where phrases occur in the transcript: indices of cues, rising.
    let postings: [String: [Int]]
    /// Cues that begin a part of the talk ("next …"), and those that tell what will come later.
    let openings: Set<Int>
    let previews: Set<Int>
    /// All words as they are written.
    let words: Set<String>
    let stems: Set<String>
    /// Everything that labels can be matched by.
    private let labelPhrases: Set<String>
    /// Pairs of neighbours in labels.
    private let pairs: Set<String>
    /// The last end of anything; nil if there is nothing.
    let lastEnd: Int64?
    /// Whether the units are passages of the transcript.
    let isDerived: Bool

    package init(segments: [VideoSegment], transcript: Transcript?, thesaurus: Thesaurus = .standard) {
        var builder = IndexBuilder(thesaurus: thesaurus)
        cues = transcript?.cues ?? []
        for (index, cue) in cues.enumerated() { builder.add(cue, at: index) }
        isDerived = segments.isEmpty && !cues.isEmpty
        if isDerived {
            units = TranscriptPassages.passages(of: cues, stems: builder.cueStems, openings: builder.openings)
                .map { builder.unit(nil, $0.label, $0.start, $0.end) }
        } else {
            units = segments.map { builder.unit($0.id, $0.label, $0.start, $0.end) }
        }
        postings = builder.postings
        openings = builder.openings
        previews = builder.previews
        words = builder.words
        stems = Set(builder.stems.values)
        labelPhrases = Set(units.flatMap(\.phrases.keys))
        pairs = isDerived ? [] : builder.pairs
        lastEnd = (units.map(\.end) + cues.map(\.end)).max()
    }

    func hasInLabel(_ first: String, _ second: String) -> Bool { pairs.contains(first + " " + second) }

    /// Of a video about which nothing is known.
    static let empty = SegmentIndex(segments: [], transcript: nil)

    /// Whether the video says `phrase` anywhere.
    func has(_ phrase: String) -> Bool { labelPhrases.contains(phrase) || postings[phrase] != nil }

    /// The unit that plays at `time`: of several, the one that began last.
    func unit(at time: Int64) -> Int? {
        units.indices.last { units[$0].start <= time && time < units[$0].end }
    }

    /// Units that begin where a unit that ends at `time` makes room for them, or later.
    func unit(following time: Int64) -> Int? {
        units.indices.filter { units[$0].start >= time - Self.slack }.min { units[$0].start < units[$1].start }
    }

    /// Segments that follow one another may overlap by so much.
    static let slack: Int64 = 1_500
}

/// Collects what an index consists of. Words are stemmed once each.
private struct IndexBuilder {
    let thesaurus: Thesaurus
    var stems: [String: String] = [:]
    var postings: [String: [Int]] = [:]
    var cueStems: [[String]] = []
    var openings: Set<Int> = []
    var previews: Set<Int> = []
    var words: Set<String> = []
    var pairs: Set<String> = []

    /// What makes another thing of a verb.
    private static let particles: Set = ["up", "down", "out", "off"]
    private static let verbStrength = 0.5

    init(thesaurus: Thesaurus) { self.thesaurus = thesaurus }

    mutating func add(_ cue: Cue, at index: Int) {
        let spoken = WordFolding.words(cue.text)
        if DiscourseMarkers.opens(spoken) { openings.insert(index) }
        if DiscourseMarkers.previews(spoken) { previews.insert(index) }
        let stems = stems(of: spoken)
        cueStems.append(stems)
        for phrase in phrases(stems, joining: false).keys where postings[phrase]?.last != index {
            postings[phrase, default: []].append(index)
        }
    }

    mutating func unit(
        _ id: SegmentID?, _ label: String, _ start: Int64, _ end: Int64
    ) -> SegmentIndex.Unit {
        let written = WordFolding.words(label)
        for (first, second) in written.adjacentPairs() { pairs.insert(first + " " + second) }
        let stems = stems(of: written)
        return SegmentIndex.Unit(
            id: id, label: label, start: start, end: end, stems: stems, phrases: phrases(stems, joining: true),
            numbers: written.compactMap { NumberWords.cardinal($0) ?? NumberWords.ordinal($0) })
    }

    private mutating func stems(of written: [String]) -> [String] {
        thesaurus.content(written).map { word in
            words.insert(word)
            if let known = stems[word] { return known }
            let stem = PorterStemmer.stem(word)
            stems[word] = stem
            return stem
        }
    }

    /// Single stems; phrases that the thesaurus knows; `joining`, also two neighbours as one word.
    private func phrases(_ stems: [String], joining: Bool) -> [String: SegmentIndex.Occurrence] {
        var found: [String: SegmentIndex.Occurrence] = [:]
        func add(_ phrase: String, _ start: Int, _ length: Int, _ strength: Double = 1) {
            found[phrase] = SegmentIndex.Occurrence(range: start..<(start + length), strength: strength)
        }
        for start in stems.indices {
            let isVerb =
                start + 1 < stems.count && Self.particles.contains(stems[start + 1])
                && thesaurus.knows(stems[start] + " " + stems[start + 1])
            add(stems[start], start, 1, isVerb ? Self.verbStrength : 1)
            for length in 2...max(2, thesaurus.longestPhrase) where start + length <= stems.count {
                let phrase = Thesaurus.phrase(stems[start..<(start + length)])
                if thesaurus.knows(phrase) { add(phrase, start, length) }
            }
            if joining, start + 1 < stems.count { add(stems[start] + stems[start + 1], start, 2) }
        }
        return found
    }
}

/// Words by which a speaker shows where the talk stands.
private enum DiscourseMarkers {
    private static let opening: Set = ["now", "next", "first", "finally", "lastly", "okay", "alright", "then", "time"]
    private static let openingPairs: Set = [
        "lets start", "lets move", "lets go", "lets get", "lets do", "moving on", "move on", "on to", "time for",
        "time to", "we start", "welcome to", "switch to", "ready for", "lets begin", "lets talk",
    ]
    private static let preview: Set = ["today", "later", "coming", "upcoming", "recap"]

    static func opens(_ words: [String]) -> Bool {
        words.first.map(opening.contains) == true
            || words.adjacentPairs().prefix(8).contains { openingPairs.contains($0 + " " + $1) }
    }

    static func previews(_ words: [String]) -> Bool { words.contains(where: preview.contains) }
}
