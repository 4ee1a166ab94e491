/// What an attribute of a post must be: of a text, or an entry of a list, this one, letter case ignored; of a number,
/// in a range; of a flag, `true` or `false`.
package struct AttributeCondition: Sendable, Hashable {
    package let name: String
    /// Folded. Nil: only a number will do.
    package let key: String?
    /// Nil: what was asked for is no number.
    package let range: ClosedRange<Double>?

    /// `text`: a word; for numbers `20`, `10..20`, `..20` or `10..`.
    package init(name: String, text: String) {
        self.name = name
        key = NameFolding.key(text)
        range = Self.range(text)
    }

    /// A number in `range`.
    package init(name: String, range: ClosedRange<Double>) {
        self.name = name
        key = nil
        self.range = range
    }

    package func matches(_ attributes: [String: AttributeValue]) -> Bool {
        switch attributes[name] {
        case nil: false
        case .text(let text): NameFolding.key(text) == key
        case .list(let texts): texts.contains { NameFolding.key($0) == key }
        case .number(let number): range?.contains(number) ?? false
        case .flag(let flag): key == (flag ? "true" : "false")
        }
    }

    /// The feed of the posts that meet the condition, where there is one: of texts.
    package var source: FeedSource? {
        switch (AttributeVocabulary.posts[name], key) {
        case (.text, let key?), (.list, let key?): .attribute(name: name, key: key)
        default: nil
        }
    }

    private static func range(_ text: String) -> ClosedRange<Double>? {
        // By bytes: letters are found only by looking for their marks.
        let (bytes, dots) = (text.utf8, Array("..".utf8))
        guard let between = bytes.firstRange(of: dots) else { return number(text).map { $0...$0 } }
        let (low, high) = (text[..<between.lowerBound], text[between.upperBound...])
        guard !(low.isEmpty && high.isEmpty), let from = low.isEmpty ? -Double.infinity : number(low),
            let to = high.isEmpty ? Double.infinity : number(high), from <= to
        else { return nil }
        return from...to
    }

    private static func number(_ text: some StringProtocol) -> Double? {
        Double(text).flatMap { $0.isFinite ? $0 : nil }
    }
}
