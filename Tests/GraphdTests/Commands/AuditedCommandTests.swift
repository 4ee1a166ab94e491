import ArgumentParser
import Audit
import CommandSupport
import Database
import Discovery
import Foundation
import SocialGraph
import TestSupport
import Testing

@testable import ModerationCommands
@testable import Sessions
@testable import graphd

/// Commands that change a data directory, and their entries in the audit.
@Suite(.timeLimit(.process))
struct AuditedCommandTests {
    private let directory: String

    init() { directory = temporaryPath("audited") }

    /// Runs a command, and returns the actions and details that it has added to the audit, the first one first.
    private func added(by type: (some AsyncParsableCommand).Type, _ words: String...) async throws -> [AuditNote] {
        let before = try await entries()
        var command = try type.parse(words + ["--data-dir", directory])
        try await command.run()
        return try await entries().dropFirst(before.count).map(\.act)
    }

    private func entries() async throws -> [AuditEntry] {
        guard !DataDirectory(path: directory).isNew else { return [] }
        return try await graph().audit.entries(below: nil, limit: 1_000).items.reversed()
    }

    private func graph() throws -> GraphStore { try DataDirectory.open(at: directory).openGraph() }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = directory + "/" + name
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func note(_ action: AuditAction, _ user: UserID? = nil, _ detail: String? = nil) -> AuditNote {
        AuditNote(action, by: .machineUser, subject: user?.rawValue, detail: detail)
    }

    @Test func `each command that changes something leaves its entries, and repeated it leaves none`() async throws {
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let follows = try file("follows.txt", "ann bob\ncat bob\n")
        #expect(
            try await added(by: ImportFollowsCommand.self, follows) == [
                note(.followsImportStarted), note(.followsImported, nil, "users: 3, follows: 2"),
            ])
        #expect(try await added(by: ImportFollowsCommand.self, follows) == [])
        let graph = try graph()
        let ann = try #require(try await graph.accounts.account(username: "ann")).id
        let bob = try #require(try await graph.accounts.account(username: "bob")).id

        let posts = try file("posts.csv", "author,caption,media_url\nann,one,https://example.org/1\n")
        #expect(
            try await added(by: ImportPostsCommand.self, posts) == [
                note(.postsImportStarted), note(.postsImported, nil, "posts: 1"),
            ])
        #expect(try await added(by: ImportPostsCommand.self, try file("none.csv", "author,caption,media_url\n")) == [])

        #expect(
            try await added(by: TokenCommand.self, "ann", "bob", "--lifetime", "12h") == [
                note(.tokenIssued, ann, "valid for 12h"), note(.tokenIssued, bob, "valid for 12h"),
            ])
        let before = try await entries()
        await #expect(throws: CommandFailure.self) { try await added(by: TokenCommand.self, "ann", "nobody") }
        #expect(try await entries() == before)

        #expect(try await added(by: KeyRotateCommand.self) == [note(.keyRotated)])
        #expect(
            try await added(by: KeyRotateCommand.self, "--revoke") == [note(.keyRotated, nil, "old keys revoked")])

        let on = ["on", "--reason", "Moving."]
        #expect(
            try await added(by: ReadOnlyCommand.self, on[0], on[1], on[2]) == [note(.readOnlyStarted, nil, "Moving.")])
        #expect(try await added(by: ReadOnlyCommand.self, on[0], on[1], on[2]) == [])
        #expect(try await added(by: ReadOnlyCommand.self) == [])
        #expect(try await added(by: ReadOnlyCommand.self, "off") == [note(.readOnlyEnded)])
        #expect(try await added(by: ReadOnlyCommand.self, "off") == [])

        #expect(
            try await added(by: TimelinesRebuildCommand.self, "--all") == [note(.timelinesRebuilt, nil, "windows: 3")])
        #expect(
            try await added(by: TimelinesRebuildCommand.self, "ann") == [note(.timelinesRebuilt, ann, "windows: 1")])

        #expect(
            try await added(by: UserRoleCommand.self, "ann", "admin", "--yes") == [note(.siteRoleSet, ann, "admin")])
        #expect(try await added(by: UserRoleCommand.self, "ann", "admin", "--yes") == [])
        #expect(try await added(by: UserRoleCommand.self, "bob", "admin", "--dry-run") == [])
        #expect(try await added(by: UserRoleCommand.self, "ann", "none", "--yes") == [note(.siteRoleSet, ann, "none")])

        #expect(try await added(by: UserTOTPCommand.self, "ann", "--remove") == [])
        _ = try await graph.totp.begin(of: ann)
        try await graph.database.write { transaction in
            try transaction.execute("UPDATE totp SET confirmed_at = 1 WHERE user_id = ?1", [.user(ann)])
        }
        #expect(try await added(by: UserTOTPCommand.self, "ann") == [])
        #expect(try await added(by: UserTOTPCommand.self, "ann", "--remove") == [note(.authenticatorRemoved, ann)])

        #expect(try await added(by: EmbeddingsClearCommand.self) == [])
        try await graph.embeddings.setEmbeddingDimension(2)
        let post = try #require(try await graph.feeds.authorFeed(of: ann, below: nil, limit: 1).first)
        try await graph.embeddings.storeEmbedding(try #require(Embedding(directionOf: [1, 2])), of: post, by: ann)
        #expect(
            try await added(by: EmbeddingsClearCommand.self) == [
                note(.embeddingsClearStarted), note(.embeddingsCleared, nil, "embeddings: 1"),
            ])
        #expect(try await added(by: AuditCommand.self, "--all") == [])
    }

    @Test(arguments: ["0", "367d", "5000d", "soon"])
    func `a lifetime of tokens outside the limits is refused`(lifetime: String) async throws {
        let words = ["ann", "--lifetime", lifetime, "--data-dir", directory]
        await #expect(throws: ValidationError.self) { try await TokenCommand.parse(words).run() }
    }

    @Test(arguments: [
        ["--action", "sang"], ["--actor", "1", "--subject", "2"], ["--cursor", "x"], ["--limit", "0"],
    ])
    func `the list refuses wrong arguments`(words: [String]) {
        #expect(throws: (any Error).self) { try AuditCommand.parse(words) }
    }
}
