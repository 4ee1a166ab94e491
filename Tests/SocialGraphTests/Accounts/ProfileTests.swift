import Database
import TestSupport
import Testing

@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct ProfileTests {
    @Test
    func `what is named changes, all of it together, and nothing else`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let before = try await graph.accounts.createAccount(
                username: "ann", email: "ann@example.org", passwordHash: nil, displayName: "Ann")
            #expect(before.updatedAt == before.createdAt && before.displayName == "Ann" && !before.isBusiness)
            fixture.clock.advance(by: 5)
            var change = ProfileChange()
            change.username = "Anna"
            change.bio = "runs"
            change.isBusiness = true
            change.picture = .at(url: "https://example.org/a.jpg")
            change.preferences = ["skillLevel": .text("expert")]
            change.algorithms = ["AI"]
            change.topicsInHome = false
            try await graph.accounts.changeProfile(of: before.id, change)
            let after = try #require(try await graph.accounts.account(before.id))
            #expect(after.username == "Anna" && after.bio == "runs" && after.isBusiness)
            #expect(after.pictureURL == "https://example.org/a.jpg")
            #expect(after.displayName == "Ann" && after.email == "ann@example.org")
            #expect(after.createdAt == before.createdAt && after.updatedAt == fixture.clock.now)
            #expect(try await graph.accounts.account(username: "ann") == nil)
            #expect(try await graph.accounts.account(username: "ANNA") == after)
            let preferences = try await graph.accounts.preferences(of: before.id)
            #expect(preferences.attributes == ["skillLevel": .text("expert")])
            #expect(preferences.selectedAlgorithms == ["AI"])
            #expect(!preferences.topicsInHome && preferences.communitiesInHome)
        }
    }

    @Test
    func `a name or an address of somebody else changes nothing at all`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await graph.accounts.createAccount(
                username: "ann", email: "ann@example.org", passwordHash: nil)
            _ = try await graph.accounts.createAccount(username: "bob", email: "bob@example.org", passwordHash: nil)
            var change = ProfileChange()
            change.bio = "new"
            change.username = "BOB"
            await #expect(throws: GraphError.usernameTaken("BOB")) {
                try await graph.accounts.changeProfile(of: ann.id, change)
            }
            change.username = "ANN"
            change.email = "BOB@example.org"
            await #expect(throws: GraphError.emailTaken) { try await graph.accounts.changeProfile(of: ann.id, change) }
            #expect(try await graph.accounts.account(ann.id) == ann)
            change.email = nil
            change.picture = .at(url: "/media/1.jpg", media: MediaID(rawValue: 1))
            await #expect(throws: GraphError.mediaNotFound) {
                try await graph.accounts.changeProfile(of: ann.id, change)
            }
            #expect(try await graph.accounts.account(ann.id) == ann)
            // A user may change the spelling of their own name.
            change.picture = nil
            try await graph.accounts.changeProfile(of: ann.id, change)
            #expect(try await graph.accounts.account(ann.id)?.username == "ANN")
            await #expect(throws: GraphError.accountNotFound) {
                try await graph.accounts.changeProfile(of: UserID(rawValue: 3), change)
            }
        }
    }

    @Test
    func `the change log tells what others see, and nothing else`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let log = CommitLog(of: fixture.database)
            var change = ProfileChange()
            change.email = "ann@example.org"
            change.preferences = ["goals": .list(["run"])]
            change.username = "ann"
            try await fixture.graph.accounts.changeProfile(of: ann, change)
            #expect(log.changes.isEmpty)
            change.displayName = "Ann"
            try await fixture.graph.accounts.changeProfile(of: ann, change)
            #expect(log.changes == [GraphChange.accountChanged(ann, isRenamed: false)])
            change.username = "anna"
            try await fixture.graph.accounts.changeProfile(of: ann, change)
            #expect(log.changes.last == GraphChange.accountChanged(ann, isRenamed: true))
        }
    }

    @Test(arguments: [AttributeTable.preferences, .posts])
    func `a typed map reads back as it was stored, and as a whole`(table: AttributeTable) async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let owner = table == .posts ? try await fixture.post(ann).rawValue : ann.rawValue
            let maps: [[String: AttributeValue]] = [
                [
                    "text": .text("Élan"), "number": .number(-0.1), "whole": .number(9e15), "yes": .flag(true),
                    "no": .flag(false), "list": .list(["b", "a", "ß"]), "empty": .list([]), "é": .text("x"),
                ],
                ["list": .list(["one"]), "text": .number(1)], [:], ["last": .flag(true)],
            ]
            for map in maps {
                let stored = try await fixture.database.write { transaction in
                    try AttributeStore.Writer(transaction).store(map, as: table, of: owner)
                    return try Self.stored(table, of: owner, in: transaction)
                }
                #expect(stored == map)
            }
            guard table == .posts else { return }
            try await fixture.database.write {
                try AttributeStore.Writer($0).store(["t": .text("ＲＵＮ")], as: table, of: owner)
            }
            let found = "SELECT post_id FROM post_attribute WHERE name = 't' AND text_key = 'run'"
            #expect(try await fixture.integers(found) == [owner])
        }
    }

    private static func stored(
        _ table: AttributeTable, of owner: Int64, in transaction: any GraphTransaction
    ) throws -> [String: AttributeValue]? {
        switch table {
        case .preferences: try AttributeStore.Reader(transaction).preferences(of: UserID(rawValue: owner))
        case .posts: try PostStore.Reader(transaction).posts([PostID(rawValue: owner)]).first?.attributes
        }
    }
}
