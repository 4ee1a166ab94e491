import TestSupport
import Testing

@testable import Discovery

@Suite(.timeLimit(.unit))
struct WordFoldingTests {
    @Test(arguments: [
        ("sauceMaking", ["sauce", "making"]), ("HIIT", ["hiit"]), ("introAndSetup", ["intro", "and", "setup"]),
        ("Warm-up", ["warm", "up"]), ("Let's go", ["lets", "go"]), ("Let’s", ["lets"]),
        ("Crème Brûlée", ["creme", "brulee"]), ("Cre\u{301}me", ["creme"]), ("Straße", ["strasse"]),
        ("Разминка и Ёлка", ["разминка", "и", "елка"]), ("3min20s", ["3", "min", "20", "s"]),
        ("🔥 Cardio", ["🔥", "cardio"]), ("料理", ["料", "理"]), ("٣ sets", ["3", "sets"]), ("", []), ("--- ...", []),
        ("Set 1: Squats", ["set", "1", "squats"]), ("ÀÉ", ["ae"]), ("Σίσυφος", ["σισυφοσ"]),
    ])
    func `text comes apart into folded words`(text: String, words: [String]) {
        #expect(WordFolding.words(text) == words)
    }
}
