/// Finds the time in a command and removes it: clock times, lengths of time with their context, shares of the whole,
/// and its ends.
struct TimeReader {
    /// The direction implied by the verb at the front.
    struct Moves {
        let back: Bool
        let forward: Bool
        /// "To" follows the verb: the time is a position rather than a distance.
        let hasTarget: Bool
    }

    static let shareWords: Set = [
        "half", "halfway", "midway", "middle", "midpoint", "quarter", "quarters", "thirds", "percent",
    ]

    let tokens: [CommandToken]

    /// Returns the length of a unit in milliseconds.
    static func unit(_ word: String) -> Int64? {
        switch word {
        case "s", "sec", "secs", "second", "seconds": 1_000
        case "m", "min", "mins", "minute", "minutes": 60_000
        case "h", "hr", "hrs", "hour", "hours": 3_600_000
        default: nil
        }
    }

    /// Returns the time and the remaining tokens; nil if there is no time.
    mutating func take(
        _ moves: Moves, isContent: (CommandToken) -> Bool
    ) -> (JumpCommand.Time, [CommandToken])? {
        if let index = tokens.firstIndex(where: { if case .clock = $0 { true } else { false } }),
            case .clock(let clock) = tokens[index]
        {
            return (.at(clock), [])
        }
        if let found = share() { return found }
        if let found = length(moves, isContent) { return found }
        return end(isContent)
    }

    // MARK: Lengths

    private struct Length {
        let milliseconds: Int64
        let range: Range<Int>
    }

    private func length(
        _ moves: Moves, _ isContent: (CommandToken) -> Bool
    ) -> (JumpCommand.Time, [CommandToken])? {
        guard let length = tokens.indices.lazy.compactMap(length(at:)).first else { return nil }
        let before = tokens[..<length.range.lowerBound]
        let after = tokens[length.range.upperBound...]
        let frame = before.suffix(3)
        let following = after.prefix(3)
        func has(_ words: Set<String>, in part: ArraySlice<CommandToken>) -> Bool { part.contains { $0.is(words) } }
        let isPlace = moves.hasTarget && before.allSatisfy { !isContent($0) } || has(["to", "at", "from"], in: frame)
        let milliseconds = length.milliseconds
        let isLast = has(["last", "final", "closing"], in: frame)
        let time: JumpCommand.Time
        if isLast, moves.back, !moves.hasTarget {
            time = .shift(-milliseconds)
        } else if isLast || has(["end", "left", "remaining"], in: following) {
            time = .last(milliseconds)
        } else if has(["first", "opening", "initial"], in: frame) {
            time = moves.forward && !moves.hasTarget ? .at(milliseconds) : .first(milliseconds)
        } else if has(["back", "earlier", "ago", "backwards"], in: following) || moves.back && !isPlace {
            time = .shift(-milliseconds)
        } else if has(["ahead", "forward", "later", "further", "forwards"], in: following) || moves.forward && !isPlace
        {
            time = .shift(milliseconds)
        } else if isPlace || has(["in", "into", "mark"], in: following) || !hasContentAround(length, isContent) {
            time = .at(milliseconds)
        } else {
            // Part of a label: "the 30 second plank".
            return nil
        }
        return (time, rest(without: length.range))
    }

    private func hasContentAround(_ length: Length, _ isContent: (CommandToken) -> Bool) -> Bool {
        rest(without: length.range).contains(where: isContent)
    }

    /// Returns a length of time that begins at `start`: numbers with their units, largest first.
    private func length(at start: Int) -> Length? {
        if let single = minuteNumber(at: start) ?? singleUnit(at: start) { return single }
        var (index, total, unit) = (start, Int64(0), Int64.max)
        while let (value, used) = number(at: index), index + used < tokens.count,
            let next = tokens[index + used].word.flatMap(Self.unit), next < unit
        {
            let part = value * Double(next)
            guard part < 1e12 else { return nil }
            total += Int64(part.rounded())
            unit = next
            index += used + 1
            if let (half, length) = andAHalf(at: index, of: unit) {
                total += half
                index += length
            }
            if index + 1 < tokens.count, tokens[index].is(["and"]), number(at: index + 1) != nil { index += 1 }
        }
        guard index > start else { return nil }
        // "1 minute 30": the second number has the next smaller unit.
        if unit > 1_000, let (value, used) = number(at: index), value < 60,
            index + used == tokens.count || tokens[index + used].word.flatMap(Self.unit) == nil
        {
            total += Int64((value * Double(unit / 60)).rounded())
            index += used
        }
        if tokens[index - 1].is(["and"]) { index -= 1 }
        return Length(milliseconds: total, range: start..<index)
    }

    /// Parses "the last minute".
    private func singleUnit(at start: Int) -> Length? {
        guard start > 0, tokens[start].is(["minute", "hour"]),
            tokens[start - 1].is(["last", "final", "closing", "first", "opening"]),
            let unit = tokens[start].word.flatMap(Self.unit)
        else { return nil }
        return Length(milliseconds: unit, range: start..<(start + 1))
    }

    /// Parses "minute three".
    private func minuteNumber(at start: Int) -> Length? {
        guard tokens[start].is(["minute", "min"]), start == 0 || number(at: start - 1) == nil,
            let (value, used) = number(at: start + 1)
        else { return nil }
        return Length(milliseconds: Int64((value * 60_000).rounded()), range: start..<(start + 1 + used))
    }

    private func andAHalf(at index: Int, of unit: Int64) -> (Int64, Int)? {
        guard index + 2 < tokens.count, tokens[index].is(["and"]), tokens[index + 1].is(["a"]),
            tokens[index + 2].is(["half"])
        else { return nil }
        return (unit / 2, 3)
    }

    /// Returns a number and its count of tokens: `90`, `2.5`, `forty five`, `two and a half`, `a`, `half a`.
    private func number(at index: Int) -> (Double, Int)? {
        guard index < tokens.count else { return nil }
        if case .decimal(let value) = tokens[index] { return (value, 1) }
        guard case .word(let word) = tokens[index] else { return nil }
        let next = index + 1 < tokens.count ? tokens[index + 1] : nil
        if word == "half", next?.is(["a", "an"]) == true { return (0.5, 2) }
        if word == "couple", next?.is(["of"]) == true { return (2, 2) }
        // "A second set" is not a length of one second.
        if word == "a" || word == "an" {
            guard let next else { return nil }
            if next.is(["couple"]), index + 2 < tokens.count { return (2, tokens[index + 2].is(["of"]) ? 3 : 2) }
            if next.is(["half"]) { return (0.5, 2) }
            return next.is(["minute", "min", "hour"]) ? (1, 1) : nil
        }
        guard let value = NumberWords.cardinal(word) else { return nil }
        if NumberWords.isTens(word), let unit = next?.word.flatMap(NumberWords.cardinal), (1...9).contains(unit) {
            return (Double(value + unit), 2)
        }
        if index + 3 < tokens.count, tokens[index + 1].is(["and"]), tokens[index + 2].is(["a"]),
            tokens[index + 3].is(["half"])
        {
            return (Double(value) + 0.5, 4)
        }
        return (Double(value), 1)
    }

    // MARK: Shares and ends

    private func share() -> (JumpCommand.Time, [CommandToken])? {
        for index in tokens.indices {
            if case .share(let share) = tokens[index] { return (.share(share), rest(without: index..<(index + 1))) }
            guard let word = tokens[index].word else { continue }
            let next = index + 1 < tokens.count ? tokens[index + 1] : nil
            switch word {
            case "halfway", "midway", "middle", "midpoint":
                return (.share(0.5), rest(without: index..<(index + 1)))
            case "half", "mid":
                if next?.is(["way", "point", "through"]) == true {
                    return (.share(0.5), rest(without: index..<(index + 2)))
                }
            case "percent":
                if index > 0, let (value, _) = number(at: index - 1) {
                    return (.share(min(value / 100, 1)), rest(without: (index - 1)..<(index + 1)))
                }
            case "third", "thirds", "quarter", "quarters":
                guard tokens[(index + 1)...].contains(where: { $0.is(["way", "through"]) }) else { continue }
                let count = index > 0 ? tokens[index - 1].word.flatMap(NumberWords.cardinal) : nil
                let share = Double(count ?? 1) / (word.hasPrefix("third") ? 3 : 4)
                return (.share(min(share, 1)), rest(without: (count == nil ? index : index - 1)..<(index + 1)))
            default: continue
            }
        }
        return nil
    }

    /// Parses "the end", provided that nothing else is named.
    private func end(_ isContent: (CommandToken) -> Bool) -> (JumpCommand.Time, [CommandToken])? {
        let content = tokens.filter(isContent)
        guard content == [.word("end")] || content == [.word("finish")] else { return nil }
        return (.end, content)
    }

    /// Returns the remaining tokens, without words that only belong to the time.
    private func rest(without range: Range<Int>) -> [CommandToken] {
        let frame: Set = [
            "last", "final", "closing", "first", "opening", "initial", "back", "earlier", "ago", "ahead", "forward",
            "later", "further", "mark", "end", "left", "remaining", "way", "point", "through", "in", "into", "before",
            "around", "about", "roughly", "exactly", "time", "timestamp", "after", "go", "backwards", "forwards", "of",
            "very",
        ]
        let before = tokens[..<range.lowerBound].filter { !$0.is(frame) }
        let after = tokens[range.upperBound...].filter { !$0.is(frame) }
        return before + after
    }
}
