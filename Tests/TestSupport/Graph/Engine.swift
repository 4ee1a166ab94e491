import Database
import Foundation

/// A database of either engine, as tests use it.
package typealias TestDatabase = GroupCommitDatabase & OpenedDatabase

/// The engines that a graph runs on.
package enum Engine: String, Sendable, CaseIterable {
    case sqlite
    case postgreSQL = "postgres"

    /// The engine of the test run, which the environment variable `GRAPHD_TEST_DATABASE` names; SQLite by default.
    package static let ofTestRun: Engine = {
        let name = ProcessInfo.processInfo.environment["GRAPHD_TEST_DATABASE"] ?? sqlite.rawValue
        guard let engine = Engine(rawValue: name) else {
            fatalError("GRAPHD_TEST_DATABASE is \"\(name)\"; it must be \"sqlite\" or \"postgres\"")
        }
        return engine
    }()
}
