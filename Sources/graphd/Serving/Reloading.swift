import GraphServices
import Logging
import ServiceLifecycle
import UnixSignals

/// Something that was read from a file at the start, and can be read anew.
struct Reloadable: Sendable {
    /// For the log.
    let name: String
    /// Puts what the file holds now in place of what it held; throws, and changes nothing, where that cannot be used.
    let reload: @Sendable () async throws -> Void
}

/// Reads files anew on SIGHUP.
struct Reloading: Service {
    let parts: [Reloadable]
    let logger: Logger

    func run() async throws {
        let hangups = await UnixSignalsSequence(trapping: .sighup)
        for await _ in hangups.cancelOnGracefulShutdown() { await reload() }
    }

    /// An error in one file does not keep others from being read.
    func reload() async {
        for part in parts {
            do {
                try await part.reload()
                logger.notice("reloaded", metadata: [LogKeys.file: "\(part.name)"])
            } catch {
                logger.error(
                    "cannot be reloaded; what was loaded before stays in force",
                    metadata: [LogKeys.file: "\(part.name)", LogKeys.error: "\(error)"])
            }
        }
        logger.notice("reloading is done")
    }
}
