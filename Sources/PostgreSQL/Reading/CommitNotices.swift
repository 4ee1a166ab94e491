import Coordination
import Database
import Foundation
import Glibc
import Synchronization

/// Notices of commits between nodes, through NOTIFY: a group with places in the change log sends one, which arrives
/// once it is committed. A notice that is lost costs time only, because nodes look at the log of their own accord, too.
final class CommitNotices: Sendable {
    /// The shortest time from one notice that is acted on to the next, so that a look at the log serves many commits.
    private static let pace = Duration.milliseconds(20)
    /// Silence after which the connection is tried.
    private static let silence = Duration.seconds(5)
    private static let channel = "graphd_commits"

    private struct State {
        var hasStarted = false
        var isClosed = false
        /// A duplicate of the socket that is listened to: libpq may close its own at any time, after which another
        /// socket has the number.
        var descriptor: CInt?
    }

    /// The statement that sends a notice with the commit of its transaction.
    let sending: ServerCommand
    private let sender: String
    private let source: ConnectionSource
    private let arrivals = Wakeup(pace: CommitNotices.pace)
    private let state = Mutex(State())

    init(_ source: ConnectionSource) {
        self.source = source.unobserved
        sender = String(UInt64.random(in: 1 ... .max))
        sending = ServerCommand("SELECT pg_notify('\(Self.channel)', ?1)", [.text(sender)])
    }

    /// Returns when somebody else may have committed, after `limit`, or when the task is cancelled. Has one waiter at a
    /// time. The first one makes the connection.
    func wait(atMost limit: Duration) async {
        let isFirst = state.withLock { state in
            defer { state.hasStarted = true }
            return !state.hasStarted && !state.isClosed
        }
        if isFirst { DriverThread.start("graphd.notices") { [self] in listen() } }
        await arrivals.wait(atMost: limit)
    }

    /// Ends the connection and makes no other. Does not wait for that.
    func close() {
        state.withLock { state in
            state.isClosed = true
            if let descriptor = state.descriptor { shutdown(descriptor, CInt(SHUT_RDWR)) }
        }
    }

    private var isClosed: Bool { state.withLock(\.isClosed) }

    private func listen() {
        var delay = ReconnectDelay()
        while !isClosed {
            // An error of any kind: the address may be right again later.
            let host = source.hostOfReaders
            if let connection = try? source.connection(for: .reader) {
                withExtendedLifetime(connection) {
                    let descriptor = fcntl(connection.socket, F_DUPFD_CLOEXEC, 0)
                    state.withLock { $0.descriptor = descriptor }
                    defer {
                        state.withLock { $0.descriptor = nil }
                        Glibc.close(descriptor)
                    }
                    try? hear(connection, of: host) { delay = ReconnectDelay() }
                }
            }
            if !isClosed { Thread.sleep(forTimeInterval: Double(delay.next().milliseconds) / 1_000) }
        }
    }

    /// Listens until the connection is lost, or the writer has gone to another host.
    private func hear(_ connection: PostgreSQLConnection, of host: Int, whenListening: () -> Void) throws {
        _ = try connection.exchange([ServerCommand("LISTEN \(Self.channel)")])
        whenListening()
        // Nobody has told of what was committed before.
        arrivals.signal()
        while !isClosed, host == source.hostOfReaders {
            let senders = try connection.notices(until: .now + Self.silence)
            if senders.isEmpty { _ = try connection.exchange([ServerCommand("SELECT 1")]) }
            if senders.contains(where: { $0 != sender }) { arrivals.signal() }
        }
    }
}
