import ArgumentParser
import Database
import Foundation
import SocialGraph

package struct DataDirectoryOptions: ParsableArguments {
    package static let environmentVariable = "GRAPHD_DATA_DIR"

    @Option(
        name: .customLong("data-dir"),
        help: ArgumentHelp(
            "Data directory of the graph. (default: \(Self.environmentVariable) of the environment, else ./data)",
            valueName: "directory"))
    package var dataDirectory: String?

    @Option(
        help: ArgumentHelp(
            "PostgreSQL database of the graph, without a password. (default: \(DatabaseServer.environmentVariable) of "
                + "the environment, else graph.db in the data directory)",
            valueName: "url"))
    package var database: String?

    package init() {}

    package var path: String { path(environment: ProcessInfo.processInfo.environment) }

    package func path(environment: [String: String]) -> String {
        if let dataDirectory { return dataDirectory }
        if let named = environment[Self.environmentVariable], !named.isEmpty { return named }
        return "./data"
    }

    /// The server that holds the database; nil if the directory holds it.
    ///
    /// - Throws: ``CommandFailure``.
    package func server(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> DatabaseServer? {
        try DatabaseServer.named(database, environment: environment)
    }

    /// The directory as it is named, whether it exists or not. Throws ``CommandFailure``.
    package func named() throws -> DataDirectory { DataDirectory(path: path, server: try server()) }

    /// The existing directory. Throws ``CommandFailure`` if there is none.
    package func existing() throws -> DataDirectory { try DataDirectory.open(at: path, server: server()) }

    /// The graph of the directory. Throws ``CommandFailure`` if there is none.
    package func openExisting() throws -> GraphStore { try existing().openGraph() }

    /// The graph of the directory for bulk writes; created if missing.
    package func openOrCreate() throws -> GraphStore {
        try DataDirectory.create(at: path, server: server()).openGraph(for: .bulkWrites)
    }
}
