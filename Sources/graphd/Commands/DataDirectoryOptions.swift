import ArgumentParser
import Foundation
import SocialGraph

/// A command that cannot do its work. The text says what was wrong and what would be right.
struct CommandFailure: Error, CustomStringConvertible, Equatable {
    let description: String

    init(_ description: String) { self.description = description }
}

struct DataDirectoryOptions: ParsableArguments {
    static let environmentVariable = "GRAPHD_DATA_DIR"
    static let databaseFile = "graph.db"

    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp(
            "Where the graph is kept. (default: \(Self.environmentVariable) of the environment, else ./data)",
            valueName: "directory"))
    var dataDirectory: String?

    var path: String { path(environment: ProcessInfo.processInfo.environment) }

    func path(environment: [String: String]) -> String {
        if let dataDirectory { return dataDirectory }
        if let named = environment[Self.environmentVariable], !named.isEmpty { return named }
        return "./data"
    }

    var databasePath: String { path + "/" + Self.databaseFile }
    var redisSocketPath: String { path + "/redis.sock" }

    /// The graph of the directory. Throws ``CommandFailure`` where there is none.
    func openExisting() throws -> GraphStore {
        guard FileManager.default.fileExists(atPath: databasePath) else {
            throw CommandFailure(
                "\(path) is not a data directory of graphd: it has no \(Self.databaseFile). Name the right one with "
                    + "--data-dir, or make one with `graphd serve` or `graphd import`.")
        }
        return try open()
    }

    /// The graph of the directory, which is made if it does not exist.
    func openOrCreate() throws -> GraphStore {
        do {
            // The key that signs tokens lives here, too.
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw CommandFailure(
                "The data directory \(path) cannot be made: \(error.localizedDescription). Name one that can be "
                    + "written with --data-dir.")
        }
        return try open()
    }

    private func open() throws -> GraphStore {
        do {
            return GraphStore(database: try SQLiteDatabase(path: databasePath))
        } catch GraphError.storage(let detail) {
            throw CommandFailure("The database cannot be opened: \(detail)")
        }
    }
}
