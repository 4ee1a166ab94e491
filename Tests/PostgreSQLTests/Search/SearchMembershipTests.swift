import Database
import PostgreSQL
import PostgreSQLTestSupport
import TestSupport
import Testing

/// Random documents and queries on both engines: FTS5 is the model.
@Suite(.timeLimit(.model))
struct SearchMembershipTests {
    /// Parts of words, many of which fold, separate or combine.
    private static let parts = [
        "a", "b", "A", "ab", "ba", "é", "e\u{301}", "É", "ß", "SS", "ö", "1", "2", "हि", "न्", "दी", "日本", "語", "한국",
        "\u{200D}", "\u{305}", "ǅ", "İ", "ı", "Σ", "ς", "σ", "_", "'", "\"", "\\", ":", "*", "-", "&", "|", "u1", "u2",
        "\u{1E900}", "\u{2B820}", "😀", "٣", "Å", "\u{212B}", "ﬁ",
    ]

    private static func text(_ most: Int, _ generator: inout SplitMix64) -> String {
        (0..<Int.random(in: 0...most, using: &generator)).map { _ in
            (parts.randomElement(using: &generator) ?? "") + (Bool.random(using: &generator) ? " " : "")
        }.joined()
    }

    private static func document(_ generator: inout SplitMix64) -> [String] {
        (0..<5).map { _ in text(6, &generator) } + [["u1", "u2", "u1 u2", ""].randomElement(using: &generator) ?? ""]
    }

    private static func query(_ generator: inout SplitMix64) -> TextQuery {
        let terms = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            var word = text(3, &generator).replacing(" ", with: "")
            if word.isEmpty { word = "a" }
            return TextQuery.Term(
                word: word, isBeginning: Bool.random(using: &generator),
                standIns: [[], [], ["u1"], ["u1", "u2"]].randomElement(using: &generator) ?? [])
        }
        return TextQuery(SampleDocuments.scope, terms)
    }

    @Test(arguments: 1...4 as ClosedRange<UInt64>)
    func `both engines find the same documents`(seed: UInt64) async throws {
        try await SampleDocuments.withBothEngines { sqlite, postgreSQL in
            var generator = SplitMix64(seed: seed)
            var hits = 0
            for round in 0..<6 {
                let changes = (0..<60).map { _ in
                    (Int64.random(in: 1...150, using: &generator), Self.document(&generator))
                }
                let removed = Int64.random(in: 1...150, using: &generator)
                for database in [sqlite, postgreSQL] {
                    try await database.write { transaction in
                        for (id, texts) in changes { try transaction.store(id, texts, isNew: false) }
                        try transaction.remove(removed)
                        try transaction.store(Int64(1_000 + round), changes[0].1, isNew: true)
                    }
                }
                for _ in 0..<150 {
                    let query = Self.query(&generator)
                    let bound = Int64.random(in: 1...1_010, using: &generator)
                    let found = try await sqlite.read { try $0.text.matches(query, below: bound, limit: 40) }
                    let others = try await postgreSQL.read { try $0.text.matches(query, below: bound, limit: 40) }
                    #expect(found == others, "\(query.terms) below \(bound)")
                    let ranks = try await sqlite.read { try $0.text.ranks(of: found + [7, 8, 9], for: query) }
                    let otherRanks = try await postgreSQL.read { try $0.text.ranks(of: found + [7, 8, 9], for: query) }
                    #expect(Set(ranks.keys) == Set(otherRanks.keys))
                    hits += found.count
                }
            }
            #expect(hits > 1_000)
        }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `both engines know the same words`(seed: UInt64) async throws {
        try await SampleDocuments.withBothEngines { sqlite, postgreSQL in
            var generator = SplitMix64(seed: seed)
            let documents = (1...80).map { (Int64($0), Self.document(&generator)) }
            for database in [sqlite, postgreSQL] {
                try await database.write { transaction in
                    for (id, texts) in documents { try transaction.store(id, texts, isNew: true) }
                }
            }
            var asked = Self.parts + ["u1", "nobody"]
            for _ in 0..<300 { asked.append(Self.text(2, &generator).lowercased()) }
            let vocabularies = [SampleDocuments.words]
            let words = asked
            let known = try await sqlite.read { try $0.text.known(among: words, in: vocabularies, limit: 10_000) }
            let others = try await postgreSQL.read { try $0.text.known(among: words, in: vocabularies, limit: 10_000) }
            #expect(known.words == others.words)
            #expect(known.words.count > 10)
            #expect(!known.words.contains("nobody"))
        }
    }

    @Test
    func `a long text is indexed as a whole`() async throws {
        try await SampleDocuments.withBothEngines { sqlite, postgreSQL in
            // Words at every distance from the start, one of them more often than the server keeps places.
            let text = (0..<30_000).map { "w\($0) again" }.joined(separator: " ")
            for database in [sqlite, postgreSQL] {
                try await database.write { transaction in
                    try transaction.store(1, ["", text, "", "", "again x", "u1"], isNew: true)
                }
                for word in ["w0", "w29999", "again", "u1"] {
                    let query = TextQuery(
                        SampleDocuments.scope, [.init(word: word, isBeginning: false, standIns: [])])
                    let found = try await database.read { try $0.text.matches(query, below: 5, limit: 5) }
                    #expect(found == (word == "u1" ? [] : [1]), "\(word)")
                }
            }
        }
    }
}
