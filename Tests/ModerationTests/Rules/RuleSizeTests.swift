import Database
import Synchronization
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Limits on the size of words in rules, and on the size of compiled rules.
@Suite(.timeLimit(.unit))
struct RuleSizeTests {
    /// A definition whose different words have 100 characters each.
    private static func keyword(_ count: Int, _ letter: String = "a") -> RuleDefinition {
        .keyword(
            words: (0..<count).map { index in
                let number = String(index)
                return number + String(repeating: letter, count: 100 - number.count)
            }, wholeWords: true)
    }

    private static func rule(
        _ id: Int64, _ definition: RuleDefinition, _ action: RuleAction = .flag
    ) -> ModerationRule {
        ModerationRule(
            id: RuleID(rawValue: id), community: nil, name: "rule \(id)", action: action, definition: definition,
            isEnabled: true, createdAt: 0, updatedAt: 0)
    }

    @Test func `a word is limited in its folded spelling, and the refusal names its position`() throws {
        // U+FDFA stands for 18 characters.
        try RuleDefinition.keyword(words: [String(repeating: "\u{FDFA}", count: 5)], wholeWords: true).validate()
        let long = RuleDefinition.keyword(words: ["fine", String(repeating: "\u{FDFA}", count: 6)], wholeWords: true)
        let message = "A word may have at most 100 characters when folded; word 2 has 108."
        #expect(throws: ModerationError.invalidOrder(field: "definition.words", message)) { try long.validate() }
    }

    @Test func `the words of a rule are limited together`() throws {
        try Self.keyword(200).validate()
        let message =
            "The words of a rule may have at most 20000 characters together when folded; word 201 exceeds that."
        #expect(throws: ModerationError.invalidOrder(field: "definition.words", message)) {
            try Self.keyword(201).validate()
        }
    }

    @Test func `the words of all rules of a scope are limited together`() async throws {
        try await withModeration { house in
            let rules = house.graph.rules
            func create(_ definition: RuleDefinition, in community: CommunityID?) async throws -> RuleID {
                let user = community == nil ? house.admin : house.owner
                let new = NewRule("r", definition, action: .flag, community: community, isEnabled: false)
                return try await rules.createRule(new, by: user).id
            }
            func change(_ id: RuleID, to definition: RuleDefinition) async throws {
                var change = RuleChange()
                change.definition = definition
                _ = try await rules.changeRule(id, change, by: house.owner)
            }
            let first = try await create(Self.keyword(200), in: house.community)
            for _ in 0..<9 { _ = try await create(Self.keyword(200), in: house.community) }
            let one = RuleDefinition.keyword(words: ["a"], wholeWords: true)
            await #expect(throws: ModerationError.self) { _ = try await create(one, in: house.community) }
            // Rules without words, and other scopes, have room.
            let pattern = try await create(.pattern("a"), in: house.community)
            _ = try await create(one, in: nil)
            // A change counts like a new rule, and replaces the old words.
            await #expect(throws: ModerationError.self) { try await change(pattern, to: one) }
            try await change(first, to: one)
            try await change(pattern, to: one)
            await #expect(throws: ModerationError.self) { try await change(pattern, to: Self.keyword(200)) }
        }
    }

    /// The words are measured before the transaction.
    @Test func `a rule that another overtakes is measured again`() async throws {
        try await withModeration { house in
            let database = WatchedDatabase(house.fixture.database)
            let graph = GraphStore(database: database)
            for _ in 0..<9 {
                _ = try await graph.rules.createRule(
                    NewRule("r", Self.keyword(200), action: .flag, community: house.community), by: house.owner)
            }
            let last = NewRule("last", Self.keyword(200), action: .flag, community: house.community)
            database.beforeWrite.withLock {
                $0 = { _ = try await house.graph.rules.createRule(last, by: house.owner) }
            }
            await #expect(throws: ModerationError.self) { _ = try await graph.rules.createRule(last, by: house.owner) }
            #expect(try await house.fixture.integers("SELECT id FROM moderation_rule").count == 10)
        }
    }

    @Test func `a rule of an earlier version may become smaller`() throws {
        let stored = (1...11).map { Self.rule($0, Self.keyword(200)) }
        try Self.keyword(199).requireRoom(among: stored, replacing: RuleID(rawValue: 1))
        #expect(throws: ModerationError.self) {
            try Self.keyword(199).requireRoom(among: stored, replacing: RuleID(rawValue: 12))
        }
    }

    @Test func `words of an earlier version beyond the room of a book are not compiled`() throws {
        let ligatures = (1...100).map { String(repeating: "\u{FDFA}", count: $0) }
        let hostile = (1...3).map { Self.rule($0, .keyword(words: ligatures, wholeWords: true)) }
        let rest = [
            Self.rule(4, .keyword(words: ["spam"], wholeWords: true)), Self.rule(5, .pattern("sp[a4]m"), .remove),
        ]
        let book = try RuleBook(StoredRuleBook(rules: hostile + rest, classifiers: []), room: 100_000)
        #expect(book.rules.map(\.isTooLarge) == [false, true, true, true, false])
        #expect(book.size < 24 * 100_000)
        // An upgrade changes nothing below the room of a book.
        let whole = try RuleBook(StoredRuleBook(rules: hostile, classifiers: []))
        #expect(whole.rules.map(\.isTooLarge) == [false, false, false])
    }

    @Test func `posts are held where a rule is too large, and names are reported`() async throws {
        try await withModeration { house in
            let words = (0..<500).map { "\($0)" + String(repeating: "\u{FDFA}", count: 97) }
            let big = RuleDefinition.keyword(words: words, wholeWords: true)
            let small = NewRule("big", .keyword(words: ["x"], wholeWords: true), action: .flag)
            let id = try await house.graph.rules.createRule(small, by: house.admin).id
            _ = try await house.graph.rules.createRule(
                NewRule("bad", .keyword(words: ["spam"], wholeWords: true), action: .flag), by: house.admin)
            _ = try await house.graph.rules.createRule(
                NewRule("worse", .pattern("eggs"), action: .remove), by: house.admin)
            _ = try await house.fixture.database.write { transaction in
                try transaction.execute(
                    "UPDATE moderation_rule SET definition = ?2 WHERE id = ?1",
                    [.integer(id.rawValue), .text(try big.stored())])
                try RuleStore.Writer(transaction).rulesChanged(of: nil)
            }
            #expect(try await house.write("fine", by: house.member, inCommunity: false) == .held)
            let held = try await house.graph.queue.queue(QueueFilter(), above: nil, limit: 5, by: house.admin).items
            #expect(held.first?.reason == "The rules are too large and stopped at big")
            #expect(try await house.write("eggs", by: house.member, inCommunity: false) == .takenDown)
            let other = try await house.graph.communities.createCommunity(
                name: "fine", description: "", by: house.member)
            let reported = try await house.fixture.integers(
                "SELECT subject_id FROM report WHERE subject_kind = 'community'")
            #expect(reported == [other.id.rawValue])
        }
    }

    @Test func `the cache of books is bounded by their size`() throws {
        let book = try RuleBook(StoredRuleBook(rules: [Self.rule(1, Self.keyword(200))], classifiers: []))
        #expect(book.size >= 10_000)
        var cache = RuleBookCache(capacity: 10 * book.size)
        for version in 0..<300 {
            let key = RuleBookCache.Key(String(version), nil)
            for _ in 0..<2 { cache.keep(book, as: key) }
            #expect(cache.book(key) != nil)
            #expect(cache.size == min(version + 1, 10) * book.size)
        }
        var small = RuleBookCache(capacity: book.size - 1)
        small.keep(book, as: RuleBookCache.Key("a", nil))
        #expect(small.size == 0)
    }

    @Test func `links and patterns have a size as well`() throws {
        let domains = (0..<500).map { "\($0)." + String(repeating: "a", count: 60) + ".example" }
        let sizes: [(RuleDefinition, Int)] = [
            (.link(domains: domains, mode: .deny), 10_000), (.pattern("(abc){50}"), 150),
        ]
        for (definition, least) in sizes {
            let book = try RuleBook(StoredRuleBook(rules: [Self.rule(1, definition)], classifiers: []))
            #expect(book.size > least, "\(definition)")
        }
    }
}
