import SocialGraph

/// Finds the part of a video that a command in natural language means. A stateless value: the same command, video and
/// position give the same answer, without calls to a service.
///
/// A label or passage is scored by the share of the command's terms that it contains. Each term is weighted by its
/// information (inverse document frequency: the fewer labels have it, the more it counts, Spärck Jones 1972) and by the
/// quality of the match: same stem, synonym, one letter off. As with the fields of BM25F (Robertson, Zaragoza, Taylor
/// 2004), text in a label counts for more than speech.
package struct SegmentMatcher: Sendable {
    let thesaurus: Thesaurus

    package init(thesaurus: Thesaurus = .standard) { self.thesaurus = thesaurus }

    /// Returns the place that `command` means; nil if the video has no such part. `title`: title of the video.
    /// `duration`: duration of the video; if it is unknown, the last end of a segment or cue applies. `position`:
    /// current position of playback, for "next" and "back 10 seconds". All times are milliseconds.
    package func place(
        for command: String, in index: SegmentIndex, title: String? = nil, duration: Int64?, position: Int64? = nil
    ) -> VideoPlace? {
        let reader = JumpCommandReader(
            thesaurus: thesaurus, isInLabel: index.hasInLabel, isNumberedName: index.hasNumberedName)
        let command = reader.read(String(command.unicodeScalars.prefix(DiscoveryLimits.commandLength)))
        let topic = Set(title.map(WordFolding.words)?.map(PorterStemmer.stem) ?? [])
        // The attribute is user input and may hold any value.
        let length = duration.flatMap { $0 > 0 ? min($0, DiscoveryLimits.videoLength) : nil }
        let search = SegmentSearch(
            index: index, queries: QueryReader(index: index, thesaurus: thesaurus, topic: topic),
            length: length ?? index.lastEnd, position: position)
        return search.place(for: command)
    }
}

/// One command applied to one video.
struct SegmentSearch {
    var thesaurus: Thesaurus { queries.thesaurus }

    let index: SegmentIndex
    let queries: QueryReader
    /// Length of the video in milliseconds; nil if unknown.
    let length: Int64?
    let position: Int64?
    /// The terms of each list of words that the command was asked for.
    let knownTerms = KnownTerms()

    func place(for command: JumpCommand) -> VideoPlace? {
        if let time = command.time, let place = place(at: time, of: command.words) { return place }
        guard command.time == nil else { return nil }
        if let relation = command.relation { return place(relation, command) }
        if let order = command.order { return place(order, command) }
        return best(command.words, towards: command).flatMap(place(of:))
    }

    /// A match and its score, 0...1.
    struct Match {
        enum Found {
            case unit(Int)
            /// A passage that begins with this cue.
            case cue(Int)
        }

        let found: Found
        let score: Double
    }

    // MARK: Places

    func place(of match: Match) -> VideoPlace? {
        let confidence = Confidence.of(match.score)
        switch match.found {
        case .unit(let number):
            let unit = index.units[number]
            return VideoPlace(
                kind: unit.id == nil ? .transcript : .segment, segment: unit.id, label: unit.label, start: unit.start,
                end: unit.end, confidence: confidence)
        case .cue(let number):
            let cue = index.cues[number]
            let unit = index.unit(at: cue.start).map { index.units[$0] }
            let label = String(cue.text.split(separator: "\n").joined(separator: " ").prefix(100))
            return VideoPlace(
                kind: .transcript, segment: unit?.id, label: label, start: cue.start,
                end: max(cue.end, unit?.end ?? 0), confidence: confidence)
        }
    }

    /// Returns the place from `start` to `end`, or to the end of the unit that plays there.
    func place(
        _ kind: VideoPlace.Kind, from start: Int64, to end: Int64? = nil, confidence: Double = 1
    ) -> VideoPlace {
        let start = clamped(start)
        let unit = index.unit(at: start).map { index.units[$0] }
        let end = end ?? unit?.end ?? length ?? start
        return VideoPlace(
            kind: kind, segment: unit?.id, label: unit?.label ?? Self.clock(start), start: start, end: max(start, end),
            confidence: confidence)
    }

    private func clamped(_ time: Int64) -> Int64 { max(0, min(time, length ?? DiscoveryLimits.videoLength)) }

    /// Formats a time as `3:20`.
    private static func clock(_ milliseconds: Int64) -> String {
        func padded(_ number: Int64) -> String { number < 10 ? "0\(number)" : String(number) }
        let seconds = milliseconds / 1_000
        let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60)
        let tail = padded(seconds % 60)
        return hours > 0 ? "\(hours):\(padded(minutes)):\(tail)" : "\(minutes):\(tail)"
    }

    // MARK: Times

    /// Returns the place of a time; nil if it is unknown. A shift needs the current position, and a time from the end
    /// needs the length of the video or of the part. Also nil if `words` name a part that the video does not have.
    private func place(at time: JumpCommand.Time, of words: [String]) -> VideoPlace? {
        guard !words.isEmpty else { return place(at: time, within: 0...(length ?? 0), hasEnd: length != nil) }
        if time == .end {
            // "The finish" may be a part of its own.
            let part = best(words, towards: JumpCommand())
            if let part, part.score >= Threshold.exact { return place(of: part) }
            return place(at: time, of: [])
        }
        guard time.isOfAPart else { return place(at: time, of: []) }
        if let match = best(words, towards: JumpCommand()) {
            let span = span(of: match)
            return place(at: time, within: span, hasEnd: true)
        }
        return isGeneric(terms(words)) ? place(at: time, of: []) : nil
    }

    private func place(
        at time: JumpCommand.Time, within span: ClosedRange<Int64>, hasEnd: Bool
    ) -> VideoPlace? {
        let (start, end) = (span.lowerBound, span.upperBound)
        switch time {
        case .at(let time): return place(.time, from: time)
        case .start: return place(.time, from: start)
        case .first(let length): return place(.time, from: start, to: hasEnd ? min(end, start + length) : nil)
        case .last(let length): return hasEnd ? place(.time, from: max(start, end - length), to: end) : nil
        case .share(let share):
            return hasEnd ? place(.time, from: start + Int64((Double(end - start) * share).rounded())) : nil
        case .end: return hasEnd ? place(.time, from: end) : nil
        case .shift(let distance): return position.map { place(.time, from: $0 + distance) }
        }
    }

    func span(of match: Match) -> ClosedRange<Int64> {
        switch match.found {
        case .unit(let number): index.units[number].start...index.units[number].end
        case .cue(let number):
            if index.isDerived, let unit = index.unit(at: index.cues[number].start) {
                index.units[unit].start...index.units[unit].end
            } else {
                index.cues[number].start...index.cues[number].end
            }
        }
    }

    func isGeneric(_ terms: [QueryTerm]) -> Bool {
        terms.allSatisfy { $0.stem.map(queries.isGeneric) ?? false }
    }
}

/// Smallest scores that count as a match. Chosen on two thirds of the labelled set.
enum Threshold {
    static let label = 0.47
    static let passage = 0.55
    /// Smallest score that is as good as the label itself.
    static let exact = 0.9
    /// Share of the best score from which other matches count as meant too.
    static let equal = 0.9
    /// Ratio by which a later cue must have more of the terms than the first.
    static let heart = 1.1
    /// Weight of speech relative to text in a label.
    static let spoken = 0.8
}

/// The share of right answers by score on two thirds of the labelled set, as a polyline. Smoothed by Laplace's rule,
/// since few answers were wrong.
enum Confidence {
    private static let points: [(score: Double, share: Double)] = [
        (0, 0), (0.5, 0.85), (0.7, 0.92), (0.9, 0.95), (1, 0.98),
    ]

    static func of(_ score: Double) -> Double {
        guard let next = points.firstIndex(where: { $0.score >= score }) else { return points.last?.share ?? 1 }
        guard next > 0 else { return points[0].share }
        let (low, high) = (points[next - 1], points[next])
        return low.share + (high.share - low.share) * (score - low.score) / (high.score - low.score)
    }
}
