import Database
import Foundation
import GraphAssembly

/// The file of an SQLite database that has the tables of a graph and nothing in them. To copy it takes a fraction of
/// the time of creating the tables, and most tests need a graph of their own.
package enum EmptyGraph {
    private static let contents = Result { try written() }

    private static func written() throws -> Data {
        let directory = try makeTemporaryDirectory("empty")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let path = directory + "/graph.db"
        // Closing copies the write-ahead log into the file.
        try SQLiteDatabase(path: path).close()
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Creates the file at `path`, unless it exists. Blocks.
    package static func create(at path: String) throws {
        if FileManager.default.fileExists(atPath: path) { return }
        guard
            FileManager.default.createFile(
                atPath: path, contents: try contents.get(), attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
    }
}
