import TestSupport
import Testing

@testable import Discovery

/// Samples of the vocabulary that Snowball publishes with the algorithm, and words derived from the algorithm's rules.
@Suite(.timeLimit(.unit))
struct PorterStemmerTests {
    /// Pairs of `word stem`, separated by commas. A word alone is its own stem.
    private static let vocabulary = """
        consign, consigned consign, consigning consign, consignment consign, consist, consisted consist,
        consistency consist, consistent consist, consistently consist, consisting consist, consists consist,
        consolation consol, consolations consol, consolatory consolatori, console consol, consoled consol,
        consoles consol, consolidate consolid, consolidated consolid, consolidating consolid, consoling consol,
        consolingly consol, consols consol, consonant conson, consort, consorted consort, consorting consort,
        conspicuous conspicu, conspicuously conspicu, conspiracy conspiraci, conspirator conspir,
        conspirators conspir, conspire conspir, conspired conspir, conspiring conspir, constable constabl,
        constables constabl, constance constanc, constancy constanc, constant,
        knack, knackeries knackeri, knacks knack, knag, knave, knaves knave, knavish, kneaded knead, kneading knead,
        knee, kneel, kneeled kneel, kneeling kneel, kneels kneel, knees knee, knell, knelt, knew, knick, knif,
        knife, knight, knightly knight, knights knight, knit, knits knit, knitted knit, knitting knit, knives knive,
        knob, knobs knob, knock, knocked knock, knocker, knockers knocker, knocking knock, knocks knock, knopp, knot,
        knots knot,
        skis ski, skies sky, dying die, gently gentl, early earli, news, happy happi, by, say, cries cri, ties tie,
        gas, gaps gap, kiwis kiwi, succeed, exceeding exceed, inning, generously generous, communication communic,
        running run, hopping hop, hoping hope, falling fall, controlled control, relational relat,
        conditional condit, rational ration, beautiful beauti, luxuriated luxuri, agreed agre, plastered plaster,
        bled, motoring motor, sing, conflated conflat, troubled troubl, sized size, hopeful hope, goodness good,
        formative format, electrical electr, revival reviv, allowance allow, adjustable adjust, replacement replac,
        adoption adopt, bowdlerize bowdler, probate probat, rate, cease ceas, roll, dog's dog, dogs' dog
        """

    @Test func `published words have their published stems`() {
        let samples = Self.vocabulary.split(whereSeparator: { $0 == "," || $0 == "\n" })
        #expect(samples.count > 120)
        for sample in samples {
            let words = sample.split(separator: " ").map(String.init)
            guard let word = words.first, let stem = words.last else { continue }
            #expect(PorterStemmer.stem(word) == stem, "\(word)")
        }
    }

    @Test(arguments: ["stretch", "stretches", "stretched", "stretching"])
    func `forms of a word have one stem`(_ word: String) { #expect(PorterStemmer.stem(word) == "stretch") }

    @Test(arguments: ["", "a", "ab", "3", "20s", "übung", "разминка", "'", "''", "'''", "'s", "y", "yyy", "eed", "ing"])
    func `what is no English word is left or at least survives`(_ word: String) {
        let stem = PorterStemmer.stem(word)
        #expect(stem.utf8.count <= word.utf8.count)
        if !word.utf8.allSatisfy({ $0 < 0x80 }) { #expect(stem == word) }
    }
}
