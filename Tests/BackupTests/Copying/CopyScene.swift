import Database
import Foundation
import GraphAssembly
import PostgreSQL
import SocialGraph
import TestSupport

@testable import Backup
@testable import CommandSupport

/// A data directory with a graph of many kinds of rows, and places for copies of it.
struct CopyScene {
    let path: String
    let content: SQLiteFixture
    let author: UserID

    var original: SQLiteDatabase { content.database }

    func copy(_ source: any GraphDatabase, _ target: any GraphDatabase) async throws -> CopySummary {
        try await DatabaseCopy(from: source, to: target, names: ("the original", "the copy")).run()
    }

    /// Runs `body` with an empty database on a server.
    func withServer(_ body: (PostgreSQLDatabase) async throws -> Void) async throws {
        try await PostgreSQLServer.shared().withDatabase { address in
            let database = try await BlockingThread.run { try PostgreSQLDatabase(graphAt: address, options: .tests) }
            let result: Result<Void, any Error>
            do { result = .success(try await body(database)) } catch { result = .failure(error) }
            try await BlockingThread.run { database.close() }
            try result.get()
        }
    }

    /// Runs `body` with an empty file.
    func withFile(_ name: String, _ body: (SQLiteDatabase) async throws -> Void) async throws {
        let database = try SQLiteDatabase(path: "\(path)/\(name).db", purpose: .bulkWrites)
        try await body(database)
        try database.close()
    }
}

func withScene(_ body: (CopyScene) async throws -> Void) async throws {
    try await withTemporaryDirectory("copy") { path in
        let directory = try DataDirectory.create(at: path)
        let content = try SQLiteFixture(path: directory.database)
        let author = try await content.user("author")
        try await fill(content, author)
        try await body(CopyScene(path: path, content: content, author: author))
    }
}

private func fill(_ content: SQLiteFixture, _ author: UserID) async throws {
    let graph = content.graph
    var readers: [UserID] = []
    for number in 0..<5 {
        let reader = try await content.user("reader\(number)")
        try await graph.follows.follow(reader, author)
        readers.append(reader)
    }
    // A picture refers to its owner, and its owner to it.
    let picture = try await graph.media.reserveMediaIDs(1)[0]
    _ = try await graph.media.storeMedia(
        [
            NewMedia(
                id: picture, contentType: "image/png", fileName: "\(picture.rawValue).png", bytes: 3,
                sha256: FileDigest(of: [1, 2, 3]).sha256)
        ], by: author)
    try await content.database.write { transaction in
        try transaction.execute(
            "UPDATE account SET picture_id = ?2 WHERE id = ?1", [.user(author), .integer(picture.rawValue)])
    }
    for number in 0..<40 {
        let post = try await graph.posts.publish(
            NewPost(
                author: author, caption: "number \(number) – ÄÖ \u{1F600} 'quoted' \\ \u{7F}",
                mediaURL: "https://media.example/\(number)", category: "cooking", algorithmTags: ["AI", "slow"]))
        _ = try await graph.likes.like(post.id, by: readers[number % 5])
        let comment = try await graph.comments.comment(on: post.id, by: readers[0], content: "first \(number)")
        _ = comment
    }
    try await graph.settings.store("5", as: "window_cap_test")
}

/// All rows of all tables, read without the code that copies and compares them.
struct Dump: Equatable {
    let rows: [String]

    init(_ database: any GraphDatabase) async throws {
        rows = try await database.read { reader in
            var rows: [String] = []
            for table in try DatabaseSchema.graph.storedTables() {
                let names = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
                var found: [String] = []
                try reader.values("SELECT \(names) FROM \(table.name)", [], of: table.columns) { values in
                    found.append("\(table.name) \(values)")
                }
                rows += found.sorted()
            }
            // Without the lease of an open database.
            return rows.filter { !$0.hasPrefix("lease [Database.SQLValue.text(\"database\")") }
        }
    }
}
