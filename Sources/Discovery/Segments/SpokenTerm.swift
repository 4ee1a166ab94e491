/// A term of a command that a transcript contains. The ranges of cues that it scores only move forwards, so each hit
/// enters and leaves a sliding window once, and all of them together take linear time.
struct SpokenTerm {
    /// Weight of terms after the first cue of a passage.
    private static let laterCue = 0.9

    private typealias Hit = (cue: Int, nearness: Double)

    private let weight: Double
    /// Nearness of the term to each cue that contains it.
    private let hits: [Int: Double]
    /// Nearness of the term to each passage of a derived index.
    private let contexts: [Int: Double]
    private let ordered: [Hit]
    /// The first hit that has not entered the window.
    private var entering = 0
    /// Hits from the place `front` on, of falling nearness, each the nearest of the window from its cue on.
    private var window: [Hit] = []
    private var front = 0

    init(weight: Double, hits: [Int: Double], contexts: [Int: Double]) {
        self.weight = weight
        self.hits = hits
        self.contexts = contexts
        ordered = hits.sorted { $0.key < $1.key }.map { (cue: $0.key, nearness: $0.value) }
    }

    /// Returns the share of this term in the score of `cues`, not yet divided by the weight of all terms. Neither bound
    /// of `cues` may be less than in the call before. `passage`: passage of the first cue in a derived index.
    mutating func score(of cues: Range<Int>, in passage: Int?) -> Double {
        let context = passage.flatMap { contexts[$0] } ?? 0
        return weight * max(hits[cues.lowerBound] ?? 0, context, nearest(in: cues.dropFirst()) * Self.laterCue)
    }

    /// Returns the largest nearness of a hit in `cues`; 0 without hits.
    private mutating func nearest(in cues: Range<Int>) -> Double {
        while entering < ordered.count, ordered[entering].cue < cues.upperBound {
            while window.count > front, window[window.count - 1].nearness <= ordered[entering].nearness {
                window.removeLast()
            }
            window.append(ordered[entering])
            entering += 1
        }
        while front < window.count, window[front].cue < cues.lowerBound { front += 1 }
        return front < window.count ? window[front].nearness : 0
    }
}
