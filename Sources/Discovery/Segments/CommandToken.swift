/// A word of a command, or a value in digits and signs.
enum CommandToken: Equatable {
    case word(String)
    /// A clock time such as `3:20`, in milliseconds.
    case clock(Int64)
    /// A decimal number such as `2.5`.
    case decimal(Double)
    /// A percentage such as `25%`, as a share.
    case share(Double)

    var word: String? {
        guard case .word(let word) = self else { return nil }
        return word
    }

    func `is`(_ words: Set<String>) -> Bool { word.map(words.contains) ?? false }

    /// Returns the tokens of a command. A comma does not separate tokens.
    static func tokens(of command: String) -> [CommandToken] {
        command.split(whereSeparator: \.isWhitespace).flatMap { chunk -> [CommandToken] in
            let trimmed = chunk.trimming { !$0.isNumber && !$0.isLetter && $0 != "%" }
            if let clock = clock(trimmed) { return [.clock(clock)] }
            if let share = share(trimmed) { return [.share(share)] }
            if let decimal = decimal(trimmed) { return [.decimal(decimal)] }
            return WordFolding.words(String(chunk)).map(CommandToken.word)
        }
    }

    /// Parses `1:02:03`, `3:20` or `3:20.5`.
    private static func clock(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count) else { return nil }
        var total: Int64 = 0
        for part in parts.dropLast() {
            guard (1...4).contains(part.utf8.count), let number = UInt16(part) else { return nil }
            total = (total + Int64(number)) * 60
        }
        guard let seconds = decimal(parts[parts.count - 1], digits: 2) else { return nil }
        return total * 1_000 + Int64((seconds * 1_000).rounded())
    }

    private static func share(_ text: Substring) -> Double? {
        guard text.last == "%", let percent = decimal(text.dropLast(), digits: 3) else { return nil }
        return min(percent / 100, 1)
    }

    private static func decimal(_ text: Substring) -> Double? {
        text.contains(".") ? decimal(text, digits: 6) : nil
    }

    /// Parses digits, optionally with a point and more digits.
    private static func decimal(_ text: Substring, digits: Int) -> Double? {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), (1...digits).contains(parts[0].count),
            parts.allSatisfy({ (1...6).contains($0.count) && $0.allSatisfy { (0x30...0x39).contains($0) } })
        else { return nil }
        return Double(text)
    }
}

extension Substring {
    /// Returns the text without characters that meet `condition` at either end.
    fileprivate func trimming(_ condition: (Character) -> Bool) -> Substring {
        var text = self
        while let first = text.first, condition(first) { text.removeFirst() }
        while let last = text.last, condition(last) { text.removeLast() }
        return text
    }
}
