import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// The modlog: visibility of its entries, and detection of changes.
@Suite(.timeLimit(.unit))
struct ModlogTests {
    /// Adds a few entries of every kind, with notes.
    private func fill(_ town: ModerationTown) async throws {
        for post in town.posts {
            try await town.order(.removePost, [.post(post)], by: town.owner, endsAt: .max, note: "a note")
        }
        let ban = try await town.order(.banMember, [.user(town.members[0])], in: town.square, by: town.moderators[0])
        _ = try await town.graph.moderation.undo(try #require(ban.batch), by: town.moderators[0], reason: "a mistake")
        try await town.order(.warnUser, [.user(town.members[1])], in: town.square, by: town.owner)
        try await town.order(.takedownPost, [.post(town.loose)], by: town.admin, note: "another note")
    }

    private func entries(_ town: ModerationTown, seenBy user: UserID, _ filter: ModlogFilter = ModlogFilter())
        async throws -> [ModlogEntry]
    {
        let authority = try await town.graph.moderation.authority(of: user)
        var found: [ModlogEntry] = []
        var cursor: ModlogEntryID?
        repeat {
            let page = try await town.graph.modlog.modlog(filter, visibleTo: authority, below: cursor, limit: 2)
            found += page.items
            cursor = page.next.map(ModlogEntryID.init(rawValue:))
        } while cursor != nil
        return found
    }

    @Test
    func `moderators see the entries of their communities, those of the site all`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            try await fill(town)
            let all = try await entries(town, seenBy: town.admin)
            #expect(all.map(\.id.rawValue) == (1...Int64(all.count)).reversed())
            #expect(try await entries(town, seenBy: town.moderators[1]) == all.filter { $0.community == town.square })
            #expect(try await entries(town, seenBy: town.elsewhere[0]) == all.filter { $0.community == town.club })
            #expect(try await entries(town, seenBy: town.members[0]).isEmpty)
            let one = try #require(all.first { $0.action == .removePost })
            var filter = ModlogFilter()
            filter.subject = one.subject
            (filter.user, filter.actor, filter.batch) = (one.user, one.actor, one.batch)
            (filter.community, filter.action) = (one.community, one.action)
            #expect(try await entries(town, seenBy: town.admin, filter) == [one])
            #expect(one.note == "a note" && one.actor == town.owner && one.username == "person7")
            filter.actor = town.admin
            #expect(try await entries(town, seenBy: town.admin, filter).isEmpty)
            let strikes = try await town.graph.modlog.strikes(of: town.members[1])
            #expect(strikes.map(\.reason) == ["because"])
        }
    }

    @Test
    func `the public log names neither moderators nor those concerned, and no warnings`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            try await fill(town)
            let here = try await town.graph.modlog.publicModlog(of: town.square, below: nil, limit: 100).items
            let seen: [ModerationAction] = [.undo, .banMember, .removePost, .removePost, .removePost]
            #expect(Array(here.map(\.action).prefix(5)) == seen)
            let site = try await town.graph.modlog.publicModlog(of: nil, below: nil, limit: 100).items
            #expect(site.first?.action == .takedownPost)
            for entry in here + site {
                #expect(entry.actor == nil && entry.user == nil && entry.note == nil && entry.detail == "{}")
            }
            let page = try await town.graph.modlog.publicModlog(of: town.square, below: here[1].id, limit: 2)
            #expect(page.items == Array(here[2...3]) && page.next == here[3].id.rawValue)
        }
    }

    @Test
    func `a page of the public log examines so many entries, and the next one goes on below them`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            try await fill(town)
            let warned = town.members.map { ModerationSubject.user($0) }
            for _ in 0..<20 { try await town.order(.warnUser, warned, in: town.square, by: town.owner) }
            let whole = try await town.graph.modlog.publicModlog(of: town.square, below: nil, limit: 100)
            let rows = CountedRows()
            let graph = GraphStore(database: RowCountingDatabase(inner: fixture.database, rows: rows))
            var (found, pages, cursor): ([ModlogEntry], Int, ModlogEntryID?) = ([], 0, nil)
            repeat {
                let before = rows.count
                let page = try await graph.modlog.publicModlog(
                    of: town.square, below: cursor, limit: 2, examining: 10)
                // Those that are examined, and those of the page.
                #expect(rows.count - before <= 12)
                found += page.items
                pages += 1
                cursor = page.next.map(ModlogEntryID.init(rawValue:))
            } while cursor != nil
            // Sixty warnings come first.
            #expect(found == whole.items && whole.next == nil && pages > 6)
        }
    }

    @Test
    func `whatever is changed in the log is noticed where it was changed`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            try await fill(town)
            let whole = try await town.graph.modlog.verifyModlog()
            let count = try #require(try await fixture.integer("SELECT COUNT(*) FROM moderation_entry"))
            #expect(whole.brokenAt == nil && whole.entries == count && whole.head != ModlogChain.empty)
            let last = count - 1
            let columns = [
                "batch_id = 1", "created_at = 1", "actor_id = 7", "actor_id = NULL", "action = 'lockCommunity'",
                "subject_kind = 'user'", "subject_id = 1", "community_id = NULL", "user_id = NULL", "reason = 'other'",
                "detail = '{}}'", "ends_at = 5", "ends_entry = 1", "note_digest = NULL",
                "note_digest = \(fixture.literal([0]))", "digest = \(fixture.literal([0]))", "seq = 1000",
            ]
            let target = try #require(
                try await fixture.integer("SELECT seq FROM moderation_entry WHERE action = 'removePost'"))
            for change in columns {
                let found = try await broken(fixture, "UPDATE moderation_entry SET \(change) WHERE seq = \(target)")
                // An entry that has lost its place is missed by the next one.
                #expect(found == (change.hasPrefix("seq") ? target + 1 : target), "\(change)")
            }
            #expect(try await broken(fixture, "DELETE FROM moderation_entry WHERE seq = \(target)") == target + 1)
            #expect(
                try await broken(fixture, "UPDATE moderation_note SET note = 'other' WHERE seq = \(target)") == target)
            // Another note together with its right digest.
            let forged = ModlogChain.digest(ofNote: "other", salt: [1])
            let rewritten = """
                UPDATE moderation_note SET note = 'other', salt = \(fixture.literal([1])) WHERE seq = \(target);
                UPDATE moderation_entry SET note_digest = \(fixture.literal(forged)) WHERE seq = \(target)
                """
            #expect(try await broken(fixture, rewritten) == target)
            let swap = """
                UPDATE moderation_entry SET seq = -1 WHERE seq = \(last);
                UPDATE moderation_entry SET seq = \(last) WHERE seq = \(last - 1);
                UPDATE moderation_entry SET seq = \(last - 1) WHERE seq = -1
                """
            #expect(try await broken(fixture, swap) == last - 1)
            #expect(try await town.graph.modlog.verifyModlog() == whole)
        }
    }

    /// Returns the entry at which verification fails after `statements`, which are then rolled back.
    private func broken(_ fixture: GraphFixture, _ statements: String) async throws -> Int64? {
        struct Undone: Error { let found: ModlogEntryID? }
        do {
            try await fixture.database.write { transaction in
                for statement in fixture.unlockingLog + statements.split(separator: ";").map(String.init) {
                    try transaction.execute(statement, [])
                }
                throw Undone(found: try ModlogStore.Reader(transaction).verifyModlog().brokenAt)
            }
            return nil
        } catch let undone as Undone {
            return undone.found?.rawValue
        }
    }

    @Test
    func `entries cannot be changed or deleted, and an erased note leaves the chain whole`() async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            try await fill(town)
            for statement in [
                "UPDATE moderation_entry SET reason = 'other' WHERE seq = 2",
                "DELETE FROM moderation_entry WHERE seq = 2",
            ] {
                await #expect(throws: (any Error).self) {
                    try await fixture.database.write { try $0.execute(statement, []) }
                }
            }
            let noted = try await entries(town, seenBy: town.admin).filter { $0.note != nil }
            #expect(noted.count == 4)
            let first = try #require(noted.first)
            await #expect(throws: ModerationError.self) {
                try await town.graph.modlog.eraseNote(of: first.id, by: town.siteModerator)
            }
            try await town.graph.modlog.eraseNote(of: first.id, by: town.admin)
            #expect(try await town.graph.modlog.modlogEntry(first.id)?.note == nil)
            #expect(try await town.graph.modlog.verifyModlog().brokenAt == nil)
        }
    }
}

extension GraphFixture {
    /// A literal for `bytes`.
    fileprivate func literal(_ bytes: [UInt8]) -> String {
        let hexadecimal = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return engine == .sqlite ? "x'\(hexadecimal)'" : "'\\x\(hexadecimal)'::bytea"
    }

    /// Statements after which the transaction can change entries and their references.
    fileprivate var unlockingLog: [String] {
        let triggers = ["moderation_entry_no_update", "moderation_entry_no_delete"]
        return switch engine {
        case .sqlite: ["PRAGMA defer_foreign_keys = ON"] + triggers.map { "DROP TRIGGER \($0)" }
        case .postgreSQL:
            ["SET CONSTRAINTS ALL DEFERRED"] + triggers.map { "DROP TRIGGER \($0) ON moderation_entry" }
        }
    }
}
