/// Scores labels and passages against the words of a command.
extension SegmentSearch {
    /// Largest number of terms of a command; more would only take longer.
    private static let termLimit = 24
    /// Share of a score for the coverage of the label by the command.
    private static let labelShare = 0.15
    /// Weight of a term that the video lacks: less than that of a term it has, because people say more than they must.
    private static let unknownWeight = 0.7
    /// Weight of the verb in "how to blanch vegetables".
    private static let verbWeight = 1.3
    /// Length of a passage in milliseconds.
    private static let passage: Int64 = 15_000
    /// Weight of terms elsewhere in a passage that nobody has labelled.
    private static let context = 0.5
    private static let openingBonus = 0.05
    private static let previewPenalty = 0.15

    /// Returns the best match of `words`; nil if none is good enough.
    func best(_ words: [String], towards command: JumpCommand) -> Match? {
        var terms = terms(words)
        guard !terms.isEmpty else { return nil }
        if command.asksHow, terms[0].alternatives.keys.contains(where: index.has) { terms[0].weight *= Self.verbWeight }
        let scores = labelScores(terms)
        let label = index.isDerived ? nil : favourite(scores, command)
        let passage = bestPassage(terms)
        if let label, label.score >= Threshold.label, label.score >= (passage?.score ?? 0) * Threshold.spoken {
            return label
        }
        return passage ?? label.flatMap { $0.score >= Threshold.label ? $0 : nil }
    }

    /// Returns the terms of `words`, which are computed once.
    func terms(_ words: [String]) -> [QueryTerm] {
        knownTerms.terms(of: words) { queries.terms(words, limit: Self.termLimit) }
    }

    /// Returns one unit among those with the best score: the next or the previous one if the command asks for it,
    /// otherwise the first.
    private func favourite(_ scores: [Double], _ command: JumpCommand) -> Match? {
        guard let best = scores.max(), best > 0 else { return nil }
        let equal = scores.indices.filter { scores[$0] >= best * Threshold.equal }
        var chosen = equal.first { scores[$0] == best }
        if let position {
            let ahead = equal.first { index.units[$0].start > position }
            let behind = equal.last { index.units[$0].start <= position }
            if command.isBackwards { chosen = behind ?? chosen } else if command.isForwards { chosen = ahead ?? chosen }
        }
        return chosen.map { Match(found: .unit($0), score: scores[$0]) }
    }

    /// Returns the score of each unit, 0...1.
    func labelScores(_ terms: [QueryTerm]) -> [Double] {
        let nearness = index.units.map { unit in terms.map { Self.nearness($0, unit) } }
        let weights = terms.indices.map { term in
            let matches = nearness.count { $0[term].value > 0 }
            let isKnown = matches > 0 || terms[term].alternatives.keys.contains { index.postings[$0] != nil }
            let rarity = matches > 0 ? 1 / Double(matches).squareRoot() : isKnown ? 1 : Self.unknownWeight
            return terms[term].weight * rarity
        }
        let total = weights.reduce(0, +)
        return index.units.indices.map { unit in
            let matched = zip(weights, nearness[unit]).reduce(0) { $0 + $1.0 * $1.1.value } / total
            let covered = Set(nearness[unit].compactMap(\.range).joined())
            let share = Double(covered.count) / Double(max(1, index.units[unit].stems.count))
            return matched * (1 - Self.labelShare + Self.labelShare * share)
        }
    }

    private static func nearness(_ term: QueryTerm, _ unit: SegmentIndex.Unit) -> (value: Double, range: Range<Int>?) {
        var best = (value: 0.0, range: Range<Int>?.none)
        for (phrase, occurrence) in unit.phrases {
            guard let nearness = term.alternatives[phrase] else { continue }
            let (value, range) = (nearness * occurrence.strength, occurrence.range)
            // Ties go to the longer, then the earlier range, so that the order of a dictionary decides nothing.
            let length = best.range.map { ($0.count, -$0.lowerBound) } ?? (0, 0)
            if value > best.value || value == best.value && (range.count, -range.lowerBound) > length {
                best = (value, range)
            }
        }
        return best
    }

    /// Returns the passage of the transcript with most of the terms; ties go to the first.
    func bestPassage(_ terms: [QueryTerm]) -> Match? {
        guard !index.cues.isEmpty else { return nil }
        let hits = terms.map(cues(with:))
        let weights = zip(terms, hits).map { term, hits in
            // Frequent words count less, though the reduction is weaker than in labels.
            term.weight * (hits.isEmpty ? Self.unknownWeight : (1 / Double(hits.count)).squareRoot().squareRoot())
        }
        let total = weights.reduce(0, +)
        // Terms that the transcript lacks add nothing to a score except their weight.
        var spoken = zip(weights, hits).filter { !$0.1.isEmpty }.map { weight, hits in
            SpokenTerm(weight: weight, hits: hits, contexts: contexts(of: hits))
        }
        var best: (cue: Int, score: Double)?
        var next = 0
        for first in Set(hits.flatMap(\.keys)).sorted() {
            let end = index.cues[first].start + Self.passage
            next = max(next, first + 1)
            while next < index.cues.count, index.cues[next].start < end { next += 1 }
            var score = 0.0
            for term in spoken.indices {
                score += spoken[term].score(of: first..<next, in: index.isDerived ? index.passages[first] : nil)
            }
            score /= total
            if index.openings.contains(first) { score = min(1, score + Self.openingBonus) }
            if index.previews.contains(first) { score -= Self.previewPenalty }
            if score > best?.score ?? Threshold.passage.nextDown { best = (first, score) }
        }
        return best.map { best in
            let cue = index.isDerived ? heart(of: best.cue, hits, weights) : best.cue
            return Match(found: .cue(cue), score: best.score)
        }
    }

    /// Returns the nearness of a term to each passage, less than if its words were beside the others.
    private func contexts(of hits: [Int: Double]) -> [Int: Double] {
        guard index.isDerived else { return [:] }
        return hits.reduce(into: [:]) { found, hit in
            found[index.passages[hit.key]] = max(found[index.passages[hit.key]] ?? 0, hit.value * Self.context)
        }
    }

    /// Returns the cue with most of the terms in what is said from the cue `first` on; ties go to the first.
    private func heart(of first: Int, _ hits: [[Int: Double]], _ weights: [Double]) -> Int {
        func own(_ cue: Int) -> Double { zip(weights, hits).reduce(0) { $0 + $1.0 * ($1.1[cue] ?? 0) } }
        let end = index.cues[first].start + Self.passage
        var (heart, most) = (first, own(first))
        for cue in (first + 1)..<max(first + 1, index.cues.count) {
            guard index.cues[cue].start < end else { break }
            let share = own(cue)
            if share > most * Threshold.heart { (heart, most) = (cue, share) }
        }
        return heart
    }

    /// Returns the cues that contain `term`, with the nearness of each.
    private func cues(with term: QueryTerm) -> [Int: Double] {
        var found: [Int: Double] = [:]
        for (phrase, nearness) in term.alternatives {
            for cue in index.postings[phrase] ?? [] { found[cue] = max(found[cue] ?? 0, nearness) }
        }
        return found
    }
}
