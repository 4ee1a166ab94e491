import GraphServices
import Logging
import ServiceLifecycle
import UnixSignals

/// A value read from a file at the start, which can be reloaded.
struct Reloadable: Sendable {
    /// The name in the log.
    let name: String
    /// Replaces the value with the present contents of the file; throws, and changes nothing, if they are unusable.
    let reload: @Sendable () async throws -> Void
}

/// Reloads files on a signal.
struct Reloading: Service {
    /// Trapped before the server listens: the signal would end the process otherwise.
    let hangups: UnixSignalsSequence
    let parts: [Reloadable]
    let logger: Logger

    func run() async throws {
        for await _ in hangups.cancelOnGracefulShutdown() { await reload() }
    }

    /// Reloads all files. An error in one file does not prevent the others.
    func reload() async {
        for part in parts {
            do {
                try await part.reload()
                logger.notice("reloaded", metadata: [LogKeys.file: "\(part.name)"])
            } catch {
                logger.error(
                    "cannot be reloaded; the former content stays in use",
                    metadata: [LogKeys.file: "\(part.name)", LogKeys.error: "\(error)"])
            }
        }
        logger.notice("reload finished")
    }
}
