import Audit
import Database
import Moderation
import TestSupport
import Testing

@testable import Push
@testable import Sessions
@testable import SocialGraph

/// Enums that are stored by their raw value. Each case can be read back, and another text is an error.
@Suite(.timeLimit(.unit))
struct StoredChoiceTests {
    /// A stored enum with its type erased.
    struct Choices: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let texts: [String]
        /// Decodes the first column and encodes the result again.
        let recoded: @Sendable (any SQLRow) throws -> String
        let optionallyRecoded: @Sendable (any SQLRow) throws -> String?

        init<Choice: RawRepresentable & CaseIterable & SendableMetatype>(_ type: Choice.Type)
        where Choice.RawValue == String {
            testDescription = "\(type)"
            texts = type.allCases.map(\.rawValue)
            recoded = { try $0.choice(0, of: Choice.self).rawValue }
            optionallyRecoded = { try $0.optionalChoice(0, of: Choice.self)?.rawValue }
        }
    }

    static let stored = [
        Choices(Facet.self), Choices(ModerationAction.self), Choices(ModerationSubjectKind.self),
        Choices(SiteRole.self), Choices(CommunityRole.self), Choices(CommunityTie.Kind.self),
        Choices(ReportStatus.self), Choices(ReportResolution.self), Choices(AppealStatus.self),
        Choices(ClassifierVerdict.self), Choices(RuleDefinition.Kind.self), Choices(RuleAction.self),
        Choices(OutboxJob.Work.Kind.self), Choices(HubPhase.self), Choices(PostVisibility.self),
        Choices(Collaborator.Status.self), Choices(TopicKind.self), Choices(NotificationKind.self),
        Choices(AttributeValue.Kind.self), Choices(LoginEvent.Outcome.self),
        Choices(AccountMail.Kind.self), Choices(AccountToken.Purpose.self), Choices(Device.Platform.self),
        Choices(AuditAction.self), Choices(PushChannel.self), Choices(PushKind.self), Choices(Reminder.Kind.self),
    ]

    @Test(arguments: stored)
    func `every case comes back from its column`(choices: Choices) async throws {
        #expect(!choices.texts.isEmpty)
        try await withGraph { fixture in
            try await fixture.database.read { reader in
                for text in choices.texts {
                    let found = try reader.first("SELECT ?1", [.text(text)], choices.recoded)
                    let optional = try reader.first("SELECT '\(text)'", [], choices.optionallyRecoded)
                    #expect(found == text && optional == text)
                }
                let none = try reader.first("SELECT NULL", [], choices.optionallyRecoded)
                #expect(none == .some(nil))
            }
        }
    }

    @Test(arguments: stored, ["", "damaged", "OPEN"])
    func `a text that is no case is an error that names it`(choices: Choices, text: String) async throws {
        try await withGraph { fixture in
            let required: @Sendable (any SQLRow) throws -> String? = { try choices.recoded($0) }
            for recoded in [required, choices.optionallyRecoded] {
                await #expect {
                    _ = try await fixture.database.read { try $0.first("SELECT ?1", [.text(text)], recoded) }
                } throws: { error in
                    guard case .storageCorrupt(let detail)? = error as? DatabaseError else { return false }
                    return detail.contains("\"\(text)\"") && detail.contains(choices.testDescription)
                }
            }
        }
    }

    @Test func `every kind of rule comes back as it was stored`() throws {
        let rules: [RuleDefinition] = [
            .keyword(words: ["a", "b c"], wholeWords: true), .keyword(words: ["\"é\""], wholeWords: false),
            .pattern("a/\\d+"), .link(domains: ["example.org"], mode: .deny), .link(domains: [], mode: .allowOnly),
            .rate(count: 3, seconds: 60), .newAccount(maxAgeSeconds: 0, minPosts: nil),
            .newAccount(maxAgeSeconds: 5, minPosts: 2),
        ]
        #expect(Set(rules.map(\.kind)) == Set(RuleDefinition.Kind.allCases))
        for rule in rules { #expect(try RuleDefinition(rule.kind, stored: rule.stored()) == rule) }
        for kind in RuleDefinition.Kind.allCases {
            for text in ["", "{}", "[]", #"{"mode":"maybe","domains":[]}"#] {
                #expect(throws: DatabaseError.self) { try RuleDefinition(kind, stored: text) }
            }
        }
    }

    @Test func `sets of kinds and of days come back as they were stored`() throws {
        for kind in PushKind.allCases {
            for kinds: Set<PushKind> in [[kind], Set(PushKind.allCases).subtracting([kind]), []] {
                #expect(try PushKindCoding.kinds(in: PushKindCoding.bits(of: kinds)) == kinds)
            }
        }
        #expect(throws: DatabaseError.self) { try PushKindCoding.kinds(in: 1 << 40) }
        for day in Reminder.Weekday.allCases {
            for days: Set<Reminder.Weekday> in [[day], [day, .monday], Set(Reminder.Weekday.allCases)] {
                let reminder = try #require(Reminder(kind: .newRoutines, minute: 0, weekdays: days, timeZone: "UTC"))
                #expect(try Reminder.weekdays(in: reminder.weekdayBits) == days)
            }
        }
        for bits: Int64 in [0, -1, 1 << 7] {
            #expect(throws: DatabaseError.self) { try Reminder.weekdays(in: bits) }
        }
    }

    @Test func `every kind of attribute comes back as it was stored, and a damaged one is an error`() async throws {
        let values: [String: AttributeValue] = [
            "text": .text("two words"), "empty": .text(""), "number": .number(-1.5), "yes": .flag(true),
            "no": .flag(false), "list": .list(["a", "b", "a"]), "none": .list([]),
        ]
        #expect(Set(values.values.map(\.kind)) == Set(AttributeValue.Kind.allCases))
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            try await fixture.database.write { transaction in
                try AttributeStore.Writer(transaction).store(values, as: .preferences, of: ann.rawValue)
                let found = try AttributeStore.Reader(transaction).preferences(of: ann)
                #expect(found == values)
            }
            let damages = ["kind = 'number' WHERE name = 'text'", "number_value = 2 WHERE name = 'yes'"]
            for damage in damages {
                await #expect(throws: DatabaseError.self) {
                    try await fixture.database.write { transaction in
                        try transaction.execute("UPDATE preference SET \(damage)", [])
                        _ = try AttributeStore.Reader(transaction).preferences(of: ann)
                    }
                }
            }
        }
    }

    @Test func `every action is told from the detail of what ended it`() throws {
        for action in ModerationAction.allCases {
            #expect(try ModlogDetail.endedAction(in: ModlogDetail.text(ModlogDetail.ending(action))) == action)
        }
        for text in ["{}", #"{"action":"damaged"}"#, ""] {
            #expect(throws: DatabaseError.self) { try ModlogDetail.endedAction(in: text) }
        }
    }

    @Test func `a setting that is no number is an error`() async throws {
        try await withGraph { fixture in
            let settings = fixture.graph.settings
            #expect(try await settings.number("window_cap") == nil)
            try await settings.store("128", as: "window_cap")
            #expect(try await settings.number("window_cap") == 128)
            try await settings.store("many", as: "window_cap")
            await #expect(throws: DatabaseError.self) { try await settings.number("window_cap") }
        }
    }
}
