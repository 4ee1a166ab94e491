import SocialGraph

/// Resolves "the second set", "next", "skip the intro" and "after the squats".
extension SegmentSearch {
    // MARK: Order

    func place(_ order: JumpCommand.Order, _ command: JumpCommand) -> VideoPlace? {
        guard let (units, score) = counted(command.words) else { return nil }
        return unit(order, among: units, isNumbered: !command.words.isEmpty)
            .flatMap { place(of: Match(found: .unit($0), score: score)) }
    }

    /// Returns the units that `words` can mean, in order, and their score. Without words, or with words such as
    /// "exercise" that no label has, returns all units except the thesaurus's exceptions, such as an intro that is no
    /// exercise.
    private func counted(_ words: [String]) -> (units: [Int], score: Double)? {
        let terms = terms(words)
        guard !terms.isEmpty else { return (Array(index.units.indices), 1) }
        let scores = labelScores(terms)
        if let best = scores.max(), best >= Threshold.label {
            return (scores.indices.filter { scores[$0] >= best * Threshold.equal }, best)
        }
        guard isGeneric(terms) else { return nil }
        let exceptions = terms.compactMap(\.stem).flatMap(thesaurus.exceptions)
        let units = index.units.indices.filter { unit in
            exceptions.allSatisfy { index.units[unit].phrases[$0] == nil }
        }
        return (units, 1)
    }

    private func unit(_ order: JumpCommand.Order, among units: [Int], isNumbered: Bool) -> Int? {
        switch order {
        case .nth(let number):
            // "Set 2" is the second set, whatever its position.
            if isNumbered, units.contains(where: { !index.units[$0].numbers.isEmpty }) {
                if let named = units.first(where: { index.units[$0].numbers.contains(number) }) { return named }
                guard units.contains(where: { index.units[$0].numbers.isEmpty }) else { return nil }
            }
            return units.indices.contains(number - 1) ? units[number - 1] : nil
        case .last(let number):
            return units.indices.contains(units.count - number) ? units[units.count - number] : nil
        case .next: return position.flatMap { now in units.first { index.units[$0].start > now } }
        case .previous:
            return position.flatMap { now in
                let current = index.unit(at: now).map { index.units[$0].start } ?? now
                return units.last { index.units[$0].start < current }
            }
        case .current: return position.flatMap(index.unit(at:))
        }
    }

    // MARK: Relations

    func place(_ relation: JumpCommand.Relation, _ command: JumpCommand) -> VideoPlace? {
        guard let anchor = anchor(command) else {
            // "What he eats after training" may be one part.
            guard !command.words.isEmpty else { return nil }
            return best(command.words + command.anchor, towards: command).flatMap(place(of:))
        }
        let span = span(of: anchor)
        let confidence = Confidence.of(anchor.score)
        let terms = terms(command.words)
        guard terms.isEmpty || isGeneric(terms) else { return place(relation, span, terms) }
        switch relation {
        case .after:
            let next = index.unit(following: span.upperBound).map { index.units[$0] }
            // The place starts at the end of the anchor, even before a gap: the command does not skip the gap.
            guard let next else { return place(.time, from: span.upperBound, confidence: confidence) }
            return VideoPlace(
                kind: next.id == nil ? .transcript : .segment, segment: next.id, label: next.label,
                start: span.upperBound, end: max(next.end, span.upperBound), confidence: confidence)
        case .before:
            let previous = index.units.indices.last { index.units[$0].start < span.lowerBound }
            return previous.flatMap { place(of: Match(found: .unit($0), score: anchor.score)) }
        }
    }

    /// Returns the part that another part is located by.
    private func anchor(_ command: JumpCommand) -> Match? {
        if let order = command.anchorOrder {
            guard let (units, score) = counted(command.anchor) else { return nil }
            return unit(order, among: units, isNumbered: true).map { Match(found: .unit($0), score: score) }
        }
        if let match = best(command.anchor, towards: command) { return match }
        // "Skip this exercise."
        guard let position, isGeneric(terms(command.anchor)) else { return nil }
        return index.unit(at: position).map { Match(found: .unit($0), score: 1) }
    }

    /// Returns the match of `terms` outside `span`: the first after it, or the last before it.
    private func place(
        _ relation: JumpCommand.Relation, _ span: ClosedRange<Int64>, _ terms: [QueryTerm]
    ) -> VideoPlace? {
        let scores = labelScores(terms)
        let fitting = scores.indices.filter { scores[$0] >= Threshold.label }
        let unit =
            switch relation {
            case .after: fitting.first { index.units[$0].start >= span.upperBound - SegmentIndex.slack }
            case .before: fitting.last { index.units[$0].start < span.lowerBound }
            }
        return unit.flatMap { place(of: Match(found: .unit($0), score: scores[$0])) }
    }
}
