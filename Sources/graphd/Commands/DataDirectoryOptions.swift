import ArgumentParser
import Foundation
import SocialGraph

struct DataDirectoryOptions: ParsableArguments {
    static let environmentVariable = "GRAPHD_DATA_DIR"

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

    /// The graph of the directory. Throws ``CommandFailure`` where there is none.
    func openExisting() throws -> GraphStore { try DataDirectory.open(at: path).openGraph() }

    /// The graph of the directory, which is made if it does not exist, for bulk writes.
    func openOrCreate() throws -> GraphStore { try DataDirectory.create(at: path).openGraph(for: .bulkWrites) }
}
