/// Reads commands. It removes polite words and verbs at the front, then times, then the words that relate one part to
/// another, then order words. The rest names the wanted part.
struct JumpCommandReader {
    let thesaurus: Thesaurus
    /// Returns true if the label has the two words in sequence: "jump squats" is then not a jump to squats.
    let isInLabel: (String, String) -> Bool
    /// Returns true if speech has the word before the number: "warrior two" is then not the second warrior.
    var isNumberedName: (String, Int) -> Bool = { _, _ in false }

    private struct Lead {
        var skips = false
        var back = false
        var forward = false
        var replays = false
        var hasTarget = false
        var restarts = false
    }

    func read(_ command: String) -> JumpCommand {
        var tokens = lastClause(CommandToken.tokens(of: command))
        var result = JumpCommand()
        let lead = takeLead(&tokens)
        result.isBackwards = lead.back || lead.replays
        result.isForwards = lead.skips || lead.forward
        if lead.restarts || isStartingOver(tokens) {
            result.time = .start
            return result
        }
        var times = TimeReader(tokens: tokens)
        let moves: TimeReader.Moves = .init(
            back: lead.back || lead.replays, forward: lead.forward || lead.skips, hasTarget: lead.hasTarget)
        if let (time, rest) = times.take(moves, isContent: isContent) {
            result.time = time
            tokens = rest
            // The only thing to skip is the time itself.
            if !hasContent(tokens) { return result }
        }
        result.asksHow = CommandToken.tokens(of: command).contains { $0.is(["how"]) }
        // "How long does it last": "last" is not an order word here.
        if tokens.count > 1, tokens.last?.is(["last", "lasts"]) == true { tokens.removeLast() }
        takePosition(&tokens, &result)
        relate(&tokens, &result, skipping: lead.skips && !lead.hasTarget)
        result.order = takeOrder(&tokens) ?? result.order
        result.words = content(tokens)
        guard result.words.isEmpty, result.order == nil, result.relation == nil else { return result }
        result.order = order(of: lead)
        // "What do I need": words that say little may still form a phrase.
        if result.order == nil { result.words = CommandToken.tokens(of: command).compactMap(\.word) }
        return result
    }

    /// Returns the order implied by a verb alone.
    private func order(of lead: Lead) -> JumpCommand.Order? {
        if lead.replays { return .current }
        if lead.back { return .previous }
        return lead.forward || lead.skips ? .next : nil
    }

    // MARK: The front

    private static let verbs: Set = [
        "show", "find", "play", "open", "take", "bring", "get", "give", "navigate", "scroll", "seek", "search",
        "display", "tell", "direct", "return", "resume", "continue", "move", "go", "jump", "skip", "advance", "rewind",
        "repeat", "replay", "rewatch", "put", "send", "lead", "locate", "head", "switch", "see", "watch", "look",
        "hear", "view", "learn", "know", "pull", "flip", "hop", "leap", "drop", "cut", "start", "begin", "fast",
        "forward", "forwards", "ahead", "back", "backward", "backwards", "straight", "right", "directly", "over",
        "past", "through", "again", "want", "wanna", "need", "like", "love", "let", "lets", "id", "ill", "im",
        "trying", "looking", "interested", "remind", "explain", "teach", "launch", "reach", "check",
    ]
    private static let politeness: Set = [
        "please", "can", "could", "would", "will", "you", "i", "we", "us", "me", "just", "now", "hey", "ok", "okay",
        "kindly", "quickly", "maybe", "hi", "so", "then", "and", "all", "way", "be", "able",
    ]

    /// "Skip the intro and show me the squats": the last clause counts.
    private func lastClause(_ tokens: [CommandToken]) -> [CommandToken] {
        let verbs: Set = ["go", "jump", "skip", "show", "take", "play", "move", "start", "bring"]
        let index = tokens.indices.last { index in
            index > 0 && index + 1 < tokens.count && tokens[index].is(["and", "then"]) && tokens[index + 1].is(verbs)
        }
        return index.map { Array(tokens[($0 + 1)...]) } ?? tokens
    }

    private func takeLead(_ tokens: inout [CommandToken]) -> Lead {
        var lead = Lead()
        var index = 0
        while index < tokens.count, case .word(let word) = tokens[index] {
            let next = index + 1 < tokens.count ? tokens[index + 1] : nil
            if ["to", "until", "till", "unto", "onto", "into"].contains(word) {
                lead.hasTarget = true
            } else if word == "restart" || word == "start" && next?.is(["over", "again"]) == true {
                lead.restarts = true
            } else if Self.verbs.contains(word) {
                guard isVerb(word, before: next) else { break }
                note(word, &lead)
            } else if !(Self.politeness.contains(word) || isFiller(word, before: next)) {
                break
            }
            index += 1
        }
        tokens.removeFirst(index)
        return lead
    }

    /// Returns true for words without meaning, except those that begin a time.
    private func isFiller(_ word: String, before next: CommandToken?) -> Bool {
        guard thesaurus.stopWords.contains(word), NumberWords.cardinal(word) == nil || next?.word == nil else {
            return false
        }
        if Self.countedNouns.contains(word), next.map(startsTime) == true { return false }
        return !(["a", "an", "at"].contains(word) && next.map(startsTime) == true)
    }

    private func startsTime(_ token: CommandToken) -> Bool {
        guard case .word(let word) = token else { return true }
        return NumberWords.cardinal(word) != nil || TimeReader.unit(word) != nil || TimeReader.shareWords.contains(word)
    }

    private func isVerb(_ word: String, before next: CommandToken?) -> Bool {
        if case .word(let following)? = next {
            let pair = Thesaurus.phrase([word, following].map(PorterStemmer.stem))
            if isInLabel(word, following) || thesaurus.knows(pair) && !["cool", "up"].contains(following) {
                return false
            }
        }
        switch word {
        case "back", "over", "through":
            return next.map { $0.is(["to", "by", "and", "a", "one", "in", "at", "please", "again"]) || startsTime($0) }
                ?? true
        case "start", "begin": return next.map { !$0.is(["of"]) } ?? false
        case "right": return next?.is(["to", "before", "after", "at", "when", "past", "where"]) ?? false
        case "cut", "drop", "head", "pull", "flip", "fast", "learn", "check":
            return next?.is(["to", "forward", "back", "up", "ahead", "straight", "how", "about", "out"]) ?? false
        default: return true
        }
    }

    private func note(_ word: String, _ lead: inout Lead) {
        switch word {
        case "skip", "past", "over": lead.skips = true
        case "back", "backward", "backwards", "rewind", "return": lead.back = true
        case "forward", "forwards", "ahead", "advance": lead.forward = true
        case "repeat", "replay", "rewatch", "again": lead.replays = true
        default: break
        }
    }

    // MARK: The start, other parts, order

    private func isStartingOver(_ tokens: [CommandToken]) -> Bool {
        let words = content(tokens)
        let starts: Set = ["start", "beginning", "top"]
        return words.count == 1 && starts.contains(words[0])
    }

    /// Removes the words for a part before or after another part.
    private func relate(_ tokens: inout [CommandToken], _ result: inout JumpCommand, skipping: Bool) {
        let ends: Set = ["end", "finish", "conclusion"]
        let closings: Set = ["ends", "over", "finishes", "finished", "done", "ended", "complete", "stops", "concludes"]
        let relations: Set = ["after", "following", "once", "before", "preceding", "between"]
        if let index = tokens.firstIndex(where: { $0.is(relations) }) {
            var other = tokens[(index + 1)...].prefix { !$0.is(["and"]) }.filter { !$0.is(closings) }
            let order = takeOrder(&other)
            let anchor = content(other)
            let isBefore = tokens[index].is(["before", "preceding"])
            tokens = Array(tokens[..<index])
            guard !anchor.isEmpty || order != nil else {
                result.order = isBefore ? .previous : .next
                return
            }
            result.relation = isBefore ? .before : .after
            result.anchor = anchor
            result.anchorOrder = order
        } else if let index = tokens.firstIndex(where: { $0.is(ends) }), index + 1 < tokens.count,
            tokens[index + 1].is(["of"]), hasContent(Array(tokens[(index + 1)...]))
        {
            setAnchor(Array(tokens[(index + 1)...]), &result)
            tokens = []
        } else if let index = tokens.lastIndex(where: { $0.is(closings) }), index > 0,
            !hasContent(Array(tokens[(index + 1)...])), hasContent(Array(tokens[..<index]))
        {
            setAnchor(Array(tokens[..<index]), &result)
            tokens = []
        } else if let index = tokens.firstIndex(where: { $0.is(["start", "beginning"]) }), index + 1 < tokens.count,
            tokens[index + 1].is(["of"])
        {
            tokens.removeFirst(index + 2)
        } else if skipping, hasContent(tokens), !tokens.contains(where: { $0.is(["next"]) }) {
            setAnchor(tokens, &result)
            tokens = []
        }
    }

    /// Records that the part named by `tokens` is to be skipped.
    private func setAnchor(_ tokens: [CommandToken], _ result: inout JumpCommand) {
        var tokens = tokens
        result.relation = .after
        result.anchorOrder = takeOrder(&tokens)
        result.anchor = content(tokens)
    }

    /// Removes and returns the first order word.
    private func takeOrder(_ tokens: inout [CommandToken]) -> JumpCommand.Order? {
        for index in tokens.indices {
            guard let (order, range) = order(at: index, in: tokens) else { continue }
            tokens.removeSubrange(range)
            return order
        }
        return nil
    }

    private func order(at index: Int, in tokens: [CommandToken]) -> (JumpCommand.Order, ClosedRange<Int>)? {
        guard let word = tokens[index].word else { return nil }
        let next = index + 1 < tokens.count ? tokens[index + 1].word : nil
        let previous = index > 0 ? tokens[index - 1].word : nil
        // "Final relaxation" is a name.
        if let next, isName(word, next) { return nil }
        if let number = NumberWords.ordinal(word) {
            // "Second to last" counts from the end.
            let isFromEnd = next == "to" && index + 2 < tokens.count && tokens[index + 2].is(["last", "final"])
            return isFromEnd ? (.last(number), index...(index + 2)) : (.nth(number), index...index)
        }
        if let number = NumberWords.cardinal(word), number > 0 {
            if let previous, isNumberedName(previous, number) { return nil }
            if let next, NumberWords.ordinalEndings.contains(next) { return (.nth(number), index...(index + 1)) }
            if let previous, Self.countedNouns.contains(previous) { return (.nth(number), (index - 1)...index) }
            if let previous, !thesaurus.stopWords.contains(previous) { return (.nth(number), index...index) }
        }
        return Self.orderWords[word].map { ($0, index...index) }
    }

    private func isName(_ first: String, _ second: String) -> Bool {
        guard !["next", "previous"].contains(first) else { return false }
        return isInLabel(first, second) && NumberWords.ordinal(first) == nil
            || thesaurus.knows(Thesaurus.phrase([first, second].map(PorterStemmer.stem)))
    }

    /// Removes a position: "the stretch at the end", "the poses in the beginning".
    private func takePosition(_ tokens: inout [CommandToken], _ result: inout JumpCommand) {
        guard let last = tokens.last, last.is(["end", "beginning", "start"]),
            let index = tokens.lastIndex(where: { $0.is(["at", "in", "towards", "near"]) }), index > 0,
            !hasContent(Array(tokens[(index + 1)...].dropLast())), hasContent(Array(tokens[..<index]))
        else { return }
        result.order = last.is(["end"]) ? .last(1) : .nth(1)
        tokens = Array(tokens[..<index])
    }

    private static let countedNouns: Set = ["part", "section", "segment", "number", "no"]

    private static let orderWords: [String: JumpCommand.Order] = [
        "next": .next, "upcoming": .next, "previous": .previous, "prior": .previous, "last": .last(1),
        "final": .last(1), "penultimate": .last(2), "current": .current,
    ]

    // MARK: Words

    private func content(_ tokens: [CommandToken]) -> [String] {
        tokens.compactMap(\.word).filter { !thesaurus.stopWords.contains($0) }
    }

    private func isContent(_ token: CommandToken) -> Bool {
        token.word.map { !thesaurus.stopWords.contains($0) } ?? false
    }

    private func hasContent(_ tokens: [CommandToken]) -> Bool { tokens.contains(where: isContent) }
}
