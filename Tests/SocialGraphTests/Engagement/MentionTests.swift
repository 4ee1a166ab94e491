import TestSupport
import Testing
import Text

@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct MentionTests {
    @Test(arguments: [
        ("", []), ("nobody", []), ("@ann", ["ann"]), ("hi @Ann, and @bob!", ["ann", "bob"]),
        ("@ann @ANN @ann", ["ann"]), ("write to ann@example.org", []), ("@ann.", ["ann"]), ("@ann.b.", ["ann.b"]),
        ("@_ann", []), ("@", []), ("@@ann", ["ann"]), ("(@ann)", ["ann"]), ("é@ann", []), ("@annä", ["ann"]),
        ("a.@ann", []), ("@a@b", ["a"]), ("\n@ann\t@bob", ["ann", "bob"]),
    ])
    func `a mention is an at sign with a name that nothing is joined to`(text: String, names: [String]) {
        #expect(Mentions.names(in: text, limit: SocialGraphLimits.mentionsPerText) == names)
    }

    @Test
    func `one text mentions so many and no more`() {
        let text = (0..<50).map { "@user\($0)" }.joined(separator: " ")
        #expect(
            Mentions.names(in: text, limit: SocialGraphLimits.mentionsPerText).count
                == SocialGraphLimits.mentionsPerText)
    }
}
