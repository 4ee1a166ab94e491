import Text

/// A condition on an attribute of a post: a text, or an entry of a list, equal to a given one ignoring letter case; a
/// number in a range; a flag that is `true` or `false`.
package struct AttributeCondition: Sendable, Hashable {
    package let name: String
    /// The folded text; nil: only a number matches.
    package let key: String?
    /// The range of numbers; nil: the value asked for is not a number.
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

    /// The feed of the posts that meet the condition; nil unless the condition asks for a text.
    package var source: FeedSource? {
        switch (AttributeVocabulary.posts[name], key) {
        case (.text, let key?), (.list, let key?): .attribute(name: name, key: key)
        default: nil
        }
    }

    private static func range(_ text: String) -> ClosedRange<Double>? {
        // Bytes are compared because a search by letters would look for combining marks.
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
