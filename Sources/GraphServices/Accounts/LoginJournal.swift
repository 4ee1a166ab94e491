import Algorithms
import Logging
import ServiceLifecycle
import Sessions
import SocialGraph
import Synchronization

/// Collects wrong passwords and writes them once a second, many in one transaction. A refused log-in does not wait for
/// the write: the wait would reveal accounts that exist, and each guess would cost a commit.
package final class LoginJournal: Service {
    private struct Key: Hashable {
        let user: UserID
        let origin: LoginOrigin
    }

    private static let interval = Duration.seconds(1)
    /// Number of origins remembered between two writes; more are not noted.
    static let capacity = 10_000
    private static let batch = 500

    private let graph: GraphStore
    private let logger: Logger
    private let waiting = Mutex<[Key: Int64]>([:])

    package init(graph: GraphStore, logger: Logger) {
        self.graph = graph
        self.logger = logger
    }

    /// Notes a wrong password for `user`.
    package func noteWrongPassword(of user: UserID, from origin: LoginOrigin) {
        let key = Key(user: user, origin: origin)
        waiting.withLock { waiting in
            guard waiting.count < Self.capacity || waiting[key] != nil else { return }
            waiting[key, default: 0] += 1
        }
    }

    package func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.flush()
                try? await Task.sleep(for: Self.interval)
            }
        }
        await flush()
    }

    /// Writes the collected wrong passwords. Those that cannot be written are lost, since they only record failed
    /// attempts.
    package func flush() async {
        let collected = waiting.withLock { waiting in
            defer { waiting.removeAll() }
            return waiting.map { WrongPasswords(user: $0.key.user, origin: $0.key.origin, count: $0.value) }
        }
        for part in collected.chunks(ofCount: Self.batch) {
            do {
                try await graph.sessions.noteWrongPasswords(Array(part))
            } catch {
                logger.warning("failed log-ins cannot be recorded", metadata: [LogKeys.error: "\(error)"])
            }
        }
    }
}
