import Database
import SocialGraph
import Text

/// Limits on the words of rules.
extension RuleDefinition {
    /// Throws ``ModerationError/invalidOrder(field:_:)`` for words that are blank, or too long, alone or together.
    static func validate(words: [String]) throws {
        let (most, longest) = (ModerationLimits.ruleWords, ModerationLimits.ruleWordLength)
        guard (1...most).contains(words.count) else {
            throw refusal("A rule must have 1 to \(most) words; got \(words.count).")
        }
        let (longestFolded, together) = (ModerationLimits.foldedWordLength, ModerationLimits.foldedWordsPerRule)
        var total = 0
        for (place, word) in words.enumerated() {
            // Folding a word costs more than measuring it.
            let isShort = word.unicodeScalars.count <= longest
            let skeleton = isShort ? FoldedText(word).skeleton : []
            guard skeleton.contains(where: { $0 != 0x20 }) else {
                throw refusal(
                    "Each word must have 1 to \(longest) characters, not all of them white space; "
                        + "word \(place + 1) has not.")
            }
            guard skeleton.count <= longestFolded else {
                throw refusal(
                    "A word may have at most \(longestFolded) characters when folded; word \(place + 1) has "
                        + "\(skeleton.count).")
            }
            total += skeleton.count
            guard total <= together else {
                throw refusal(
                    "The words of a rule may have at most \(together) characters together when folded; "
                        + "word \(place + 1) exceeds that.")
            }
        }
    }

    /// Throws ``ModerationError/invalidOrder(field:_:)`` if the words of this definition and of the other `rules` of
    /// the scope are longer together than ``ModerationLimits/foldedWordsPerScope``. A rule of an earlier version may
    /// always become smaller.
    ///
    /// - Parameter id: The rule that gets this definition; nil for a new one.
    func requireRoom(among rules: [ModerationRule], replacing id: RuleID?) throws {
        let limit = ModerationLimits.foldedWordsPerScope
        let added = foldedLength(upTo: limit)
        if let before = rules.first(where: { $0.id == id })?.definition, added <= before.foldedLength(upTo: added) {
            return
        }
        var length = added
        for rule in rules where rule.id != id && length <= limit {
            length += rule.definition.foldedLength(upTo: limit - length)
        }
        guard length <= limit else {
            throw Self.refusal(
                "The words of all rules of a community, or of the site, may have at most \(limit) characters together "
                    + "when folded; this rule has \(added).")
        }
    }

    /// Returns the number of scalars of the folded words; 0 for a rule without words. Stops counting beyond `limit`.
    private func foldedLength(upTo limit: Int) -> Int {
        guard case .keyword(let words, _) = self else { return 0 }
        var length = 0
        for word in words where length <= limit { length += FoldedText(word).skeleton.count }
        return length
    }

    private static func refusal(_ why: String) -> ModerationError { .invalidOrder(field: "definition.words", why) }
}
