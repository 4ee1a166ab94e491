import SocialGraph

/// Parses a pattern: literals, `.`, classes, `\d \w \s \b` and their opposites, groups, `|`, `* + ? {n,m}`, `^` and
/// `$`. Constructs that a linear search does not support, such as a back reference, are refused with their position.
///
/// Patterns are searched for in folded text (``NameFolding``), so letters are folded here, too: matching ignores case.
struct PatternParser {
    private let scalars: [UInt32]
    /// The different sets of the pattern.
    private(set) var sets: [ScalarSet] = []
    private var places: [ScalarSet: Int] = [:]
    private var folding = RangeFolding()
    /// The position of the first range for which the budget of ``RangeFolding`` did not suffice.
    private var unfolded: Int?
    private var position = 0
    private var depth = 0

    private init(_ text: String) { scalars = text.unicodeScalars.map(\.value) }

    /// Parses a pattern. Returns its tree, the sets that the tree refers to, and the position of the first range that
    /// was not folded for lack of budget. Throws ``PatternError``.
    static func parse(_ text: String) throws -> (root: PatternNode, sets: [ScalarSet], unfolded: Int?) {
        guard !text.isEmpty else { throw PatternError(0, "the pattern is empty") }
        var parser = PatternParser(text)
        let node = try parser.alternatives()
        guard parser.position == parser.scalars.count else { throw parser.error("this \")\" has no matching \"(\"") }
        return (node, parser.sets, parser.unfolded)
    }

    private func error(_ message: String, at offset: Int? = nil) -> PatternError {
        PatternError(offset ?? position, message)
    }

    private func peek(_ ahead: Int = 0) -> UInt32? {
        position + ahead < scalars.count ? scalars[position + ahead] : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == character.value else { return false }
        position += 1
        return true
    }

    private mutating func alternatives() throws -> PatternNode {
        var branches = [try sequence()]
        while take("|") { branches.append(try sequence()) }
        return branches.count == 1 ? branches[0] : .either(branches)
    }

    private mutating func sequence() throws -> PatternNode {
        var nodes: [PatternNode] = []
        while let next = peek(), next != Self.bar, next != Self.closing { nodes.append(try repetition()) }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private mutating func repetition() throws -> PatternNode {
        let start = position
        let isGroup = peek() == UInt32(UInt8(ascii: "("))
        let node = try atom()
        guard let (least, most) = try quantifier() else { return node }
        if case .assertion = node, !isGroup { throw error("an anchor cannot be repeated", at: start) }
        let isGreedy = !take("?")
        if let next = peek(), "*+?{".unicodeScalars.contains(where: { $0.value == next }) {
            throw error("a repetition cannot be repeated; put it into a group")
        }
        return .repeated(node, least: least, most: most, isGreedy: isGreedy)
    }

    private mutating func quantifier() throws -> (least: Int, most: Int?)? {
        if take("*") { return (0, nil) }
        if take("+") { return (1, nil) }
        if take("?") { return (0, 1) }
        let start = position
        guard take("{") else { return nil }
        guard let least = number() else {
            throw error("\"{\" must be followed by a number; write \\{ for the character", at: start)
        }
        var most: Int? = least
        if take(",") { most = number() }
        guard take("}") else { throw error("a repetition must be {n}, {n,} or {n,m}", at: start) }
        let limit = ModerationLimits.patternRepetitions
        guard max(least, most ?? 0) <= limit else { throw error("at most \(limit) repetitions are allowed", at: start) }
        guard least <= most ?? least else {
            throw error("the first number must not be greater than the second", at: start)
        }
        return (least, most)
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = peek(), (0x30...0x39).contains(digit) {
            value = min((value ?? 0) * 10 + Int(digit - 0x30), 1_000_000)
            position += 1
        }
        return value
    }

    private mutating func atom() throws -> PatternNode {
        let start = position
        guard let scalar = peek() else { throw error("the pattern ends too early") }
        position += 1
        switch Unicode.Scalar(scalar) {
        case "(": return try group(from: start)
        case "[": return one(try characterClass(from: start))
        case ".": return one(.anything)
        case "^": return .assertion(.start)
        case "$": return .assertion(.end)
        case "*", "+", "?", "{": throw error("there is nothing to repeat", at: start)
        case "\\": return try escape(from: start)
        default: return literal(scalar)
        }
    }

    private mutating func one(_ set: ScalarSet) -> PatternNode {
        if let place = places[set] { return .one(place) }
        places[set] = sets.count
        sets.append(set)
        return .one(sets.count - 1)
    }

    private mutating func group(from start: Int) throws -> PatternNode {
        depth += 1
        defer { depth -= 1 }
        guard depth <= ModerationLimits.patternDepth else { throw error("groups are nested too deeply", at: start) }
        if take("?") {
            guard take(":") else {
                throw error(
                    "the only group with \"?\" is (?:...); lookaround is not supported", at: start)
            }
        }
        let node = try alternatives()
        guard take(")") else { throw error("this \"(\" is not closed", at: start) }
        return node
    }

    private mutating func escape(from start: Int) throws -> PatternNode {
        guard let scalar = peek() else { throw error("a character must follow \"\\\"", at: start) }
        if scalar == 0x62 || scalar == 0x42 {
            position += 1
            return .assertion(scalar == 0x62 ? .wordBoundary : .noWordBoundary)
        }
        switch try escaped(from: start) {
        case .kind(let kind, let isNegated): return one(ScalarSet(kind, isNegated: isNegated))
        case .scalar(let value): return literal(value)
        }
    }

    private enum Escaped {
        case kind(ScalarSet.Kind, isNegated: Bool)
        case scalar(UInt32)
    }

    /// Parses the text after a backslash, inside or outside a class.
    private mutating func escaped(from start: Int) throws -> Escaped {
        guard let value = peek(), let scalar = Unicode.Scalar(value) else {
            throw error("a character must follow \"\\\"", at: start)
        }
        position += 1
        switch scalar {
        case "d", "D": return .kind(.digit, isNegated: scalar == "D")
        case "w", "W": return .kind(.word, isNegated: scalar == "W")
        case "s", "S": return .kind(.space, isNegated: scalar == "S")
        case "n": return .scalar(0x0A)
        case "t": return .scalar(0x09)
        case "r": return .scalar(0x0D)
        default:
            guard !ScalarSet.Kind.word.contains(value) else {
                let known = "\\d, \\w, \\s, \\b, their negations in capitals, \\n, \\t and \\r"
                throw error("\"\\\(scalar)\" is not supported; the escapes are \(known)", at: start)
            }
            return .scalar(value)
        }
    }

    private mutating func characterClass(from start: Int) throws -> ScalarSet {
        var set = ScalarSet()
        set.isNegated = take("^")
        var inserted: Set<ClosedRange<UInt32>> = []
        var isFirst = true
        while let scalar = peek(), isFirst || scalar != Self.closingBracket {
            isFirst = false
            let place = position
            guard let low = try classMember(&set) else { continue }
            guard peek() == Self.hyphen, let after = peek(1), after != Self.closingBracket else {
                if inserted.insert(low...low).inserted { insert(low...low, from: place, into: &set) }
                continue
            }
            position += 1
            guard let high = try classMember(&set), high >= low else {
                throw error("this range must go from a lower character to a higher one", at: place)
            }
            if inserted.insert(low...high).inserted { insert(low...high, from: place, into: &set) }
        }
        guard take("]") else { throw error("this \"[\" is not closed", at: start) }
        return set
    }

    /// Parses the next member of a class. Returns a single scalar; nil for a kind, which has been added to the set.
    private mutating func classMember(_ set: inout ScalarSet) throws -> UInt32? {
        let start = position
        guard let scalar = peek() else { throw error("a class is not closed") }
        position += 1
        guard scalar == 0x5C else { return scalar }
        switch try escaped(from: start) {
        case .kind(let kind, let isNegated):
            set.insert(kind, isNegated: isNegated)
            return nil
        case .scalar(let value): return value
        }
    }

    /// Inserts a range, and the folded forms of its members that are single scalars.
    private mutating func insert(_ range: ClosedRange<UInt32>, from start: Int, into set: inout ScalarSet) {
        set.insert(range)
        guard let forms = folding.forms(of: range) else {
            unfolded = unfolded ?? start
            return
        }
        for form in forms { set.insert(form) }
    }

    private mutating func literal(_ scalar: UInt32) -> PatternNode {
        let nodes = RangeFolding.fold(scalar).map { one(ScalarSet($0)) }
        return nodes.count == 1 ? nodes[0] : .sequence(nodes)
    }

    private static let bar = UInt32(UInt8(ascii: "|"))
    private static let closing = UInt32(UInt8(ascii: ")"))
    private static let closingBracket = UInt32(UInt8(ascii: "]"))
    private static let hyphen = UInt32(UInt8(ascii: "-"))
}
