/// Words with the same or a similar meaning in videos of workouts, of cooking and in general, and words without meaning
/// in a command. Read from `thesaurus.txt`, which describes its format.
package struct Thesaurus: Sendable {
    /// The nearness of two phrases of one group.
    enum Nearness {
        /// Both phrases are left of the bar: spellings and synonyms.
        static let same = 0.95
        /// The label names a particular case of the command's general word, or the means to do it.
        static let particular = 0.75
        /// The reverse: the label is more general than the command.
        static let general = 0.52
    }

    private struct Entry {
        let group: Int
        let isMain: Bool
    }

    private struct Group {
        var main: [String] = []
        var related: [String] = []
    }

    private var groups: [Group] = []
    private var entries: [String: [Entry]] = [:]
    /// Words without meaning. ``genericWords`` holds stems with little meaning beside another.
    private(set) var stopWords: Set<String> = []
    private(set) var genericWords: Set<String> = []
    /// Phrases not counted as instances of each generic word: the intro is no exercise.
    private var exceptions: [String: [String]] = [:]
    /// All words that occur, as written.
    private(set) var words: Set<String> = []
    /// The same words, for the correction of spelling.
    private(set) var vocabulary = Vocabulary([String]())
    /// Number of words in the longest phrase.
    private(set) var longestPhrase = 1

    package static let standard = Thesaurus(
        String(decoding: PackageResources.thesaurus_txt, as: UTF8.self))

    /// `text`: text in the format of `thesaurus.txt`.
    package init(_ text: String) {
        let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        // Stop words first, because phrases are stored without them.
        for line in lines where line.hasPrefix("stop:") {
            stopWords.formUnion(WordFolding.words(String(line.dropFirst(5))))
        }
        for line in lines where !line.hasPrefix("stop:") {
            if line.hasPrefix("generic:") {
                genericWords.formUnion(WordFolding.words(String(line.dropFirst(8))).map(PorterStemmer.stem))
            } else if line.hasPrefix("besides"), let colon = line.firstIndex(of: ":") {
                let nouns = WordFolding.words(String(line[..<colon].dropFirst(7))).map(PorterStemmer.stem)
                for noun in nouns.isEmpty ? [""] : nouns {
                    exceptions[noun] = phrases(line[line.index(after: colon)...])
                }
            } else {
                add(line)
            }
        }
        vocabulary = Vocabulary(words)
    }

    private mutating func add(_ line: Substring) {
        let sides = line.split(separator: "|", maxSplits: 1)
        guard let left = sides.first else { return }
        let group = Group(main: phrases(left), related: sides.count > 1 ? phrases(sides[1]) : [])
        for phrase in group.main { entries[phrase, default: []].append(Entry(group: groups.count, isMain: true)) }
        for phrase in group.related { entries[phrase, default: []].append(Entry(group: groups.count, isMain: false)) }
        groups.append(group)
    }

    private mutating func phrases(_ list: Substring) -> [String] {
        list.split(separator: ",").compactMap { text in
            let content = content(WordFolding.words(String(text)))
            guard !content.isEmpty else { return nil }
            words.formUnion(content)
            longestPhrase = max(longestPhrase, content.count)
            return Self.phrase(content.map(PorterStemmer.stem))
        }
    }

    /// Returns `words` without stop words, or all of them if nothing else would remain ("what you need").
    func content(_ words: [String]) -> [String] {
        let content = words.filter { !stopWords.contains($0) }
        return content.isEmpty ? words : content
    }

    /// Returns the canonical spelling of a phrase: its stems, separated by spaces.
    static func phrase(_ stems: some Sequence<String>) -> String { stems.joined(separator: " ") }

    func knows(_ phrase: String) -> Bool { entries[phrase] != nil }

    /// Returns the phrases with the meaning of `phrase`, itself included, and their nearness.
    func alternatives(to phrase: String) -> [String: Double] {
        var found = [phrase: 1.0]
        func add(_ phrases: [String], _ nearness: Double) {
            for phrase in phrases { found[phrase] = max(found[phrase] ?? 0, nearness) }
        }
        for entry in entries[phrase] ?? [] {
            let group = groups[entry.group]
            add(group.main, entry.isMain ? Nearness.same : Nearness.general)
            if entry.isMain { add(group.related, Nearness.particular) }
        }
        return found
    }

    /// Returns the phrases not counted as instances of `noun`, a stem.
    func exceptions(to noun: String) -> [String] { exceptions[noun] ?? exceptions[""] ?? [] }
}
