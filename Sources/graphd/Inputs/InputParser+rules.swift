import Moderation
import SocialGraph

extension InputParser {
    /// Parsers of moderators' rules, and of the texts that they are matched with.
    static let rules: [InputParser] = [
        safeText(
            "pattern", limit: 4 * ModerationLimits.patternLength,
            corpus: ["([a-z ]?){40}#", "\\b(buy|sell) now\\b", "[^\\w\\s]{3,}", "^free$", "(a*)*b"],
            frames: [("", ""), ("[", "]"), ("(", ")"), ("a{", "}")]
        ) { try RuleTrial.pattern($0, in: "buy now, for free #") },
        safeText(
            "keyword", limit: 4 * ModerationLimits.ruleWordLength, corpus: ["buy now", "ＦＲＥＥ", "sp\u{AD}am"]
        ) { try RuleTrial.keyword($0, in: "buy now, for free #") },
        safeText("domain", limit: 1_012, corpus: ["example.org", "sub.bücher.example", "[::1]"]) {
            try RuleTrial.link($0, in: "see https://www.example.org/x and bücher.example")
        },
        safeText(
            "pattern-text", limit: 4 * SocialGraphLimits.captionLength, costPerByte: 8, corpus: ["buy now", "f r e e"]
        ) { try RuleTrial.pattern("([a-z ]?){140}#", in: $0) },
        safeText(
            "keyword-text", limit: 4 * SocialGraphLimits.captionLength, corpus: ["buy now", "b\u{200B}uy"]
        ) { try RuleTrial.keyword("buy now", in: $0) },
        safeText(
            "link-text", limit: 4 * SocialGraphLimits.captionLength, costPerByte: 4,
            corpus: ["see https://www.example.org:80/x?y", "user@example.org", "http:\\\\a.b.example"],
            frames: [("", ""), ("http://", ""), ("www.", ".example")]
        ) { try RuleTrial.link("example.org", in: $0) },
    ]
}
