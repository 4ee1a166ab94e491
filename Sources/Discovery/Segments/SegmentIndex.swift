import Algorithms
import SocialGraph

/// The words of a video's labels and transcript, indexed for matching. Built once for each version of a segmentation.
package struct SegmentIndex: Sendable {
    /// A labelled segment, or a passage of the transcript if there are no segments.
    struct Unit: Sendable {
        /// Id of the segment; nil for a passage.
        let id: SegmentID?
        let label: String
        let start: Int64
        let end: Int64
        /// Stems of the label, in order, without stop words.
        let stems: [String]
        /// Phrases that match the label: stems, phrases of the thesaurus, and neighbouring words joined into one.
        let phrases: [String: Occurrence]
        /// Numbers in the label: 2 for "set 2".
        let numbers: [Int]
    }

    /// The position of a phrase in a label.
    struct Occurrence: Sendable {
        /// Range of stem indices.
        let range: Range<Int>
        /// Share of the phrase's meaning that applies here: less for the verb of "warm up".
        let strength: Double
    }

    let units: [Unit]
    let cues: [Cue]
    /// Indices of the cues that contain each phrase, ascending.
    let postings: [String: [Int]]
    /// Cues that begin a part of the talk ("next …"); ``previews`` holds cues that announce a later part.
    let openings: Set<Int>
    let previews: Set<Int>
    /// All words, as written.
    let vocabulary: Vocabulary
    let stems: Set<String>
    /// All phrases that match labels.
    private let labelPhrases: Set<String>
    /// Pairs of neighbouring words in labels.
    private let pairs: Set<String>
    /// Words of a transcript with the number that follows, if there are no segments.
    private let numberedNames: Set<String>
    /// The passage of each cue; empty if there are segments.
    let passages: [Int]
    /// Latest end of a segment or cue; nil without any.
    let lastEnd: Int64?
    /// True if the units are passages of the transcript.
    let isDerived: Bool
    /// Memory that the index takes, in bytes: an estimate that tends to be too high.
    private(set) var bytes = 0

    package init(segments: [VideoSegment], transcript: Transcript?, thesaurus: Thesaurus = .standard) {
        self.init(segments: segments, transcript: transcript, thesaurus: thesaurus, beforeEachCue: {})
    }

    /// - Parameter beforeEachCue: callback that throws an error to end the work.
    init(
        segments: [VideoSegment], transcript: Transcript?, thesaurus: Thesaurus, beforeEachCue: () throws -> Void
    ) rethrows {
        var builder = IndexBuilder(thesaurus: thesaurus)
        cues = transcript?.cues ?? []
        for (index, cue) in cues.enumerated() {
            try beforeEachCue()
            builder.add(cue, at: index)
        }
        isDerived = segments.isEmpty && !cues.isEmpty
        if isDerived {
            let passages = TranscriptPassages.passages(
                of: cues, stems: builder.cueStems, openings: builder.openings, thesaurus: thesaurus)
            units = passages.map { builder.unit(nil, $0.label, $0.start, $0.end) }
        } else {
            units = segments.map { builder.unit($0.id, $0.label, $0.start, $0.end) }
        }
        postings = builder.postings
        openings = builder.openings
        previews = builder.previews
        vocabulary = Vocabulary(builder.stems.keys)
        stems = Set(builder.stems.values)
        labelPhrases = Set(units.flatMap(\.phrases.keys))
        pairs = isDerived ? [] : builder.pairs
        numberedNames = isDerived ? builder.numberedNames : []
        passages = isDerived ? Self.passages(of: cues, units) : []
        lastEnd = (units.map(\.end) + cues.map(\.end)).max()
        bytes = estimatedBytes()
    }

    func hasInLabel(_ first: String, _ second: String) -> Bool { pairs.contains(first + " " + second) }

    func hasNumberedName(_ name: String, _ number: Int) -> Bool { numberedNames.contains("\(name) \(number)") }

    /// Returns the passage of each cue; both are in order.
    private static func passages(of cues: [Cue], _ units: [Unit]) -> [Int] {
        var passage = 0
        return cues.map { cue in
            while passage + 1 < units.count, units[passage + 1].start <= cue.start { passage += 1 }
            return passage
        }
    }

    /// Index of a video without segments or transcript.
    static let empty = SegmentIndex(segments: [], transcript: nil)

    /// Returns true if `phrase` occurs in a label or in the transcript.
    func has(_ phrase: String) -> Bool { labelPhrases.contains(phrase) || postings[phrase] != nil }

    /// Returns the unit that plays at `time`; among several, the one that began last.
    func unit(at time: Int64) -> Int? {
        units.indices.last { units[$0].start <= time && time < units[$0].end }
    }

    /// Returns the first unit that begins at or after `time`, less the ``slack``.
    func unit(following time: Int64) -> Int? {
        units.indices.filter { units[$0].start >= time - Self.slack }.min { units[$0].start < units[$1].start }
    }

    /// Largest overlap, in milliseconds, of segments that follow one another.
    static let slack: Int64 = 1_500
}

extension SegmentIndex {
    /// Bytes of the parts of an index, without those of their text. Tables are at least 3/8 full, and arrays half.
    private enum Size {
        static let index = 500
        static let cue = 100
        static let unit = 200
        /// A phrase with the array of its cues.
        static let phrase = 100
        static let posting = 16
        static let word = 32
    }

    /// Bytes for each cue of a usual transcript.
    static let usualCueBytes = 500

    private func estimatedBytes() -> Int {
        let spoken = cues.reduce(0) { $0 + Size.cue + $1.text.utf8.count }
        let labelled = units.reduce(0) { $0 + Size.unit + $1.label.utf8.count + Size.phrase * $1.phrases.count }
        let posted = postings.reduce(0) { $0 + Size.phrase + $1.key.utf8.count + Size.posting * $1.value.count }
        let words = [stems, labelPhrases, pairs, numberedNames].joined().reduce(0) { $0 + Size.word + $1.utf8.count }
        return Size.index + spoken + labelled + posted + words + vocabulary.bytes
    }
}

/// Collects the contents of an index. Each word is stemmed once.
private struct IndexBuilder {
    let thesaurus: Thesaurus
    /// The stem of each word as written.
    var stems: [String: String] = [:]
    var postings: [String: [Int]] = [:]
    var cueStems: [[String]] = []
    var openings: Set<Int> = []
    var previews: Set<Int> = []
    var pairs: Set<String> = []
    var numberedNames: Set<String> = []
    /// The last cue that continues an announcement.
    private var lastPreview = -1

    /// Number of cues in which an announcement goes on.
    private static let previewLength = 2
    /// Particles that change the meaning of a verb.
    private static let particles: Set = ["up", "down", "out", "off"]
    private static let verbStrength = 0.5

    init(thesaurus: Thesaurus) { self.thesaurus = thesaurus }

    mutating func add(_ cue: Cue, at index: Int) {
        let spoken = WordFolding.words(cue.text)
        if DiscourseMarkers.opens(spoken) { openings.insert(index) }
        if DiscourseMarkers.previews(spoken) { lastPreview = index + Self.previewLength }
        if index <= lastPreview, DiscourseMarkers.previews(spoken) || !openings.contains(index) {
            previews.insert(index)
        } else {
            lastPreview = -1
        }
        for (name, number) in spoken.adjacentPairs() {
            if let number = NumberWords.cardinal(number) { numberedNames.insert("\(name) \(number)") }
        }
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
            if let known = stems[word] { return known }
            let stem = PorterStemmer.stem(word)
            stems[word] = stem
            return stem
        }
    }

    /// Returns single stems and the phrases that the thesaurus knows; with `joining`, also two neighbouring words as
    /// one.
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

/// Words that mark a speaker's progress through a talk.
private enum DiscourseMarkers {
    private static let opening: Set = ["now", "next", "first", "finally", "lastly", "okay", "alright", "then", "time"]
    private static let openingPairs: Set = [
        "lets start", "lets move", "lets go", "lets get", "lets do", "moving on", "move on", "on to", "time for",
        "time to", "we start", "welcome to", "switch to", "ready for", "lets begin", "lets talk",
    ]
    private static let preview: Set = ["today", "later", "coming", "upcoming", "recap"]
    private static let previewPairs: Set = [
        "ill show", "ill tell", "ill also", "well also", "well save", "well do", "stay for", "the end",
    ]

    static func opens(_ words: [String]) -> Bool {
        words.first.map(opening.contains) == true
            || words.adjacentPairs().prefix(8).contains { openingPairs.contains($0 + " " + $1) }
    }

    static func previews(_ words: [String]) -> Bool {
        words.contains(where: preview.contains)
            || !opens(words) && words.adjacentPairs().contains { previewPairs.contains($0 + " " + $1) }
    }
}
