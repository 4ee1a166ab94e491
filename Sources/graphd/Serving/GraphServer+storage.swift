import CommandSupport
import Database
import GraphServices
import Logging
import MediaFiles
import SocialGraph

extension GraphServer {
    /// Opens the data directory for serving, even if its disk is full, and checks that its addresses are free.
    func openStorage() throws -> (directory: DataDirectory, lock: ServingLock) {
        let directory = try DataDirectory.create(at: configuration.dataDirectory, server: configuration.database)
        if !directory.closed.isEmpty {
            logger.notice(
                "access of other users to files of the data directory was removed",
                metadata: [LogKeys.count: "\(directory.closed.count)"])
        }
        if ballast(directory).release(DiskSpace.free(at: directory.path)) {
            logger.warning(
                "the disk is full; using the space reserved for a start; free more",
                metadata: [LogKeys.file: "\(directory.ballast)"])
        }
        let lock = try directory.lockForServing()
        try configuration.checkAddresses()
        return (directory, lock)
    }

    private func ballast(_ directory: DataDirectory) -> Ballast {
        Ballast(path: directory.ballast, bytes: configuration.diskReserve > 0 ? Ballast.standardBytes : 0)
    }

    /// Closes the database, which observers of its commits keep alive: a process may go on without this server.
    func close(_ database: any OpenedDatabase) {
        do {
            try database.close()
        } catch {
            logger.warning("the database was not closed", metadata: [LogKeys.error: "\(error)"])
        }
    }

    /// Takes the lease of a database that is on a server; nil for a file.
    func databaseLease(_ directory: DataDirectory, _ graph: GraphStore) async throws -> DatabaseLease? {
        guard let server = directory.server else { return nil }
        return try await DatabaseLease.take(server, for: directory, graph, logger)
    }

    func storageState(_ directory: DataDirectory, _ database: any OpenedDatabase) -> StorageState {
        let state = StorageState(
            reserve: Int64(configuration.diskReserve), health: database.health,
            readOnly: ReadOnlyMode(fixed: configuration.readOnly ? ReadOnlyMode.standardReason : nil)
        ) {
            DiskSpace.free(at: directory.path)
        }
        state.refresh()
        return state
    }

    func storageWatch(
        _ state: StorageState, _ directory: DataDirectory, _ database: any OpenedDatabase, _ clock: SteadyClock
    ) -> StorageWatch {
        StorageWatch(
            state: state, ballast: ballast(directory), database: database, graph: GraphStore(database: database),
            clock: clock, logger: logger)
    }
}
