import Database
import Importing
import SocialGraph
import TestSupport
import Testing

@testable import Audit

/// The audit: entries that are appended with their acts, read in pages, and never changed.
@Suite(.timeLimit(.unit))
struct AuditStoreTests {
    private struct Refused: Error {}

    private func acts(_ graph: GraphStore, _ filter: AuditFilter? = nil) async throws -> [AuditNote] {
        try await graph.audit.entries(filter, below: nil, limit: 100).items.map(\.act)
    }

    @Test func `an entry comes back as it was appended, with the time of its transaction`() async throws {
        try await withGraph { fixture in
            let notes = [
                AuditNote(.tokenIssued, by: .machine("ann"), subject: 7, detail: "valid for 30d"),
                AuditNote(.webhookAdded, by: .user(UserID(rawValue: 5)), subject: 9),
                AuditNote(.keyRotated, by: .machine("")),
            ]
            try await fixture.graph.audit.append(notes)
            let page = try await fixture.graph.audit.entries(below: nil, limit: 3)
            #expect(page.items.map(\.act) == notes.reversed() && page.next == nil)
            #expect(page.items.allSatisfy { $0.createdAt == fixture.clock.now })
        }
    }

    @Test func `pages and filters miss nothing and repeat nothing`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let (ann, bob) = (UserID(rawValue: 1), UserID(rawValue: 2))
            var notes: [AuditNote] = []
            for number in 0..<20 {
                let actor: AuditActor = [.user(ann), .user(bob), .machine("ann")][number % 3]
                let action: AuditAction = number.isMultiple(of: 2) ? .ruleAdded : .ruleChanged
                notes.append(AuditNote(action, by: actor, subject: number % 5 == 0 ? nil : Int64(number % 5)))
            }
            try await graph.audit.append(notes)
            let filters: [(AuditFilter?, (AuditNote) -> Bool)] = [
                (nil, { _ in true }), (.action(.ruleAdded), { $0.action == .ruleAdded }),
                (.actor(bob), { $0.actor == .user(bob) }), (.subject(3), { $0.subject == 3 }),
                (.action(.restored), { _ in false }),
            ]
            for (filter, holds) in filters {
                for limit in [1, 3, 20, 100] {
                    var (found, cursor): ([AuditNote], Int64?) = ([], nil)
                    repeat {
                        let page = try await graph.audit.entries(filter, below: cursor, limit: limit)
                        #expect(page.items.count <= limit)
                        found += page.items.map(\.act)
                        cursor = page.next
                    } while cursor != nil
                    #expect(found == notes.filter(holds).reversed(), "\(String(describing: filter)) by \(limit)")
                }
            }
        }
    }

    @Test func `an act and its entry are stored together or not at all`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let note = AuditNote(.passwordReplaced, by: .machine("ann"), subject: 1)
            await #expect(throws: Refused.self) {
                try await graph.audit.recording(note) { transaction -> Bool in
                    try SettingStore.Writer(transaction).store("1", as: "a")
                    throw Refused()
                }
            }
            #expect(try await graph.settings.setting("a") == nil)
            var isRecorded = try await graph.audit.recording(note) { _ in false }
            #expect(!isRecorded)
            #expect(try await acts(graph).isEmpty)
            isRecorded = try await graph.audit.recording(note) { transaction in
                try SettingStore.Writer(transaction).store("2", as: "a")
                return true
            }
            #expect(isRecorded)
            #expect(try await acts(graph) == [note])
            #expect(try await graph.settings.setting("a") == "2")
        }
    }

    @Test(arguments: [
        "UPDATE audit_entry SET detail = 'other'", "DELETE FROM audit_entry",
        "INSERT INTO audit_entry (id, created_at, action) VALUES (1, 1, 'keyRotated')",
        """
        INSERT INTO audit_entry (id, created_at, action, actor_id, machine_user) VALUES (1, 1, 'keyRotated', 1, 'ann')
        """,
    ])
    func `no entry can be changed or removed, and each has one actor`(statement: String) async throws {
        try await withGraph { fixture in
            let note = AuditNote(.keyRotated, by: .machine("ann"))
            try await fixture.graph.audit.append([note])
            await #expect(throws: (any Error).self) {
                try await fixture.database.write { try $0.execute(statement, []) }
            }
            #expect(try await acts(fixture.graph) == [note])
        }
    }

    @Test func `an unknown action is reported as damage`() async throws {
        try await withGraph { fixture in
            try await fixture.database.write {
                try $0.execute(
                    "INSERT INTO audit_entry (id, created_at, action, machine_user) VALUES (1, 1, 'sang', 'ann')", [])
            }
            await #expect(throws: DatabaseError.self) { try await acts(fixture.graph) }
        }
    }

    @Test(arguments: [("x", 200), ("é", 100), ("👩‍🚀", 18)])
    func `long texts are cut between scalars`(character: String, whole: Int) async throws {
        try await withGraph { fixture in
            let long = String(repeating: character, count: 10_000)
            try await fixture.graph.audit.append([AuditNote(.keyRotated, by: .machine(long), detail: long)])
            let act = try #require(try await acts(fixture.graph).first)
            let detail = try #require(act.detail)
            #expect(act.actor == .machine(detail))
            #expect(long.hasPrefix(detail) || long.unicodeScalars.starts(with: detail.unicodeScalars))
            #expect((197...200).contains(detail.utf8.count))
            #expect(detail.hasPrefix(String(repeating: character, count: whole)))
        }
    }

    @Test func `an import has its entry in the first transaction that changes something`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let note = AuditNote(.followsImportStarted, by: .machine("ann"))
            var importer = FollowImporter(graph: graph, beginning: note)
            try await importer.write([(follower: "ann", followee: "bob")])
            try await importer.write([(follower: "bob", followee: "ann")])
            #expect(try await acts(graph) == [note])
            importer = FollowImporter(graph: graph, beginning: note)
            try await importer.write([(follower: "ann", followee: "bob")])
            #expect(try await acts(graph) == [note])
            await #expect(throws: GraphError.selfFollow) {
                try await importer.write([(follower: "cat", followee: "Cat")])
            }
            #expect(try await acts(graph) == [note])
            try await importer.write([(follower: "cat", followee: "bob")])
            #expect(try await acts(graph) == [note, note])
        }
    }
}
