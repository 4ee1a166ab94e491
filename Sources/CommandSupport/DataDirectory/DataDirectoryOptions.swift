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

    package init() {}

    package var path: String { path(environment: ProcessInfo.processInfo.environment) }

    package func path(environment: [String: String]) -> String {
        if let dataDirectory { return dataDirectory }
        if let named = environment[Self.environmentVariable], !named.isEmpty { return named }
        return "./data"
    }

    /// The graph of the directory. Throws ``CommandFailure`` if there is none.
    package func openExisting() throws -> GraphStore { try DataDirectory.open(at: path).openGraph() }

    /// The graph of the directory for bulk writes; created if missing.
    package func openOrCreate() throws -> GraphStore { try DataDirectory.create(at: path).openGraph(for: .bulkWrites) }
}
