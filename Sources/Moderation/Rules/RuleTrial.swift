import Database
import SocialGraph

/// One rule against one text, apart from any database: for fuzzing, and for counting what a rule costs.
package enum RuleTrial {
    /// Throws ``ModerationError/invalidOrder(field:_:)`` of a pattern that is refused.
    package static func pattern(_ pattern: String, in text: String) throws { try match(.pattern(pattern), text) }

    /// Throws ``ModerationError/invalidOrder(field:_:)`` of a word that is refused.
    package static func keyword(_ word: String, in text: String) throws {
        try match(.keyword(words: [word, "free"], wholeWords: true), text)
        try match(.keyword(words: [word, "free"], wholeWords: false), text)
    }

    /// Throws ``ModerationError/invalidOrder(field:_:)`` of a domain that is refused.
    package static func link(_ domain: String, in text: String) throws {
        for mode in RuleDefinition.LinkMode.allCases { try match(.link(domains: [domain], mode: mode), text) }
    }

    private static func match(_ definition: RuleDefinition, _ text: String) throws {
        try definition.validate()
        let rule = try CompiledRule(definition, id: RuleID(rawValue: 1), name: "trial", action: .flag)
        _ = rule.match([FoldedText(text)])
    }
}
