import Database
import Foundation
import GraphAssembly
import SocialGraph
import TestSupport

@testable import graphd

/// Runs `body` with a temporary file of these bytes.
func withFile<T>(_ bytes: [UInt8], _ body: (InputFile, String) async throws -> T) async throws -> T {
    let path = temporaryPath("import")
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try await body(try InputFile(path: path), path)
}

func withFile<T>(_ text: String, _ body: (InputFile, String) async throws -> T) async throws -> T {
    try await withFile(Array(text.utf8), body)
}

/// Runs `body` with an empty graph in a directory of its own.
func withGraph<T>(_ body: (GraphStore) async throws -> T) async throws -> T {
    try await withTemporaryDirectory("graph") { directory in
        try EmptyGraph.create(at: directory + "/graph.db")
        let database = try SQLiteDatabase(path: directory + "/graph.db")
        do {
            let result = try await body(GraphStore(database: database))
            try database.close()
            return result
        } catch {
            try? database.close()
            throw error
        }
    }
}

extension GraphStore {
    /// The first column of all rows.
    func integers(_ sql: String) async throws -> [Int64] {
        try await database.read { try $0.rows(sql, []) { $0.integer(0) } }
    }
}

extension FollowImport {
    /// Runs an import of `text` without progress output.
    static func run(_ text: String, into graph: GraphStore, strict: Bool = false, batchSize: Int = batch) async throws
        -> Summary
    {
        try await withFile(text) { file, _ in
            try await FollowImport(graph: graph, strict: strict, batchSize: batchSize, showsProgress: false).run(file)
        }
    }
}
