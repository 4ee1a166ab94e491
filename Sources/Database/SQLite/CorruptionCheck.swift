import GRDB
import Synchronization

/// A check of every page of a database, on a connection of its own; it can be cancelled.
package final class CorruptionCheck: Sendable {
    private let path: String
    private let health: StorageHealth
    private let state = Mutex<(isGivenUp: Bool, connection: DatabaseQueue?)>((false, nil))

    init(path: String, health: StorageHealth) {
        self.path = path
        self.health = health
    }

    /// Runs the check. Blocks for as long as reading the file takes.
    ///
    /// - Returns: the first problem; nil: there is none, or the check was cancelled. A problem is recorded in the
    ///   health of the database.
    package func run() throws -> String? {
        do {
            let connection = try open()
            guard let found = try connection?.read({ try $0.damagedPage() }) else { return nil }
            health.noteCorruption(found)
            return found
        } catch let error as EngineError {
            switch StorageFault(error.extendedResultCode.rawValue, system: 0) {
            case .corrupt:
                health.noteCorruption("\(error)")
                return "\(error)"
            default:
                if state.withLock({ $0.isGivenUp }) { return nil }
                throw DatabaseError.storage(detail: "\(error)")
            }
        } catch is CancellationError {
            return nil
        }
    }

    /// Ends ``run()`` soon.
    package func giveUp() {
        state.withLock { state in
            state.isGivenUp = true
            state.connection?.interrupt()
        }
    }

    private func open() throws -> DatabaseQueue? {
        var configuration = Configuration()
        configuration.label = "graphd.check"
        configuration.readonly = true
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA cache_size = -4096") }
        let connection = try DatabaseQueue(path: path, configuration: configuration)
        return state.withLock { state in
            if state.isGivenUp { return nil }
            state.connection = connection
            return connection
        }
    }
}

extension Database {
    /// Returns the first problem that a quick check finds and the thorough one confirms; nil: there is none. The quick
    /// check of SQLite 3.40 reports NULL values in sound tables without rowids whose primary key has another order than
    /// the columns.
    func damagedPage() throws -> String? {
        guard try String.fetchOne(self, sql: "PRAGMA quick_check(1)") != "ok" else { return nil }
        return try damage()
    }

    /// Returns the first problem of the thorough check, which also compares indexes with their tables.
    func damage() throws -> String? {
        let found = try String.fetchOne(self, sql: "PRAGMA integrity_check(1)")
        return found == "ok" ? nil : found
    }
}
