import HummingbirdCore
import NIOCore
import Synchronization

/// A connection, or a stream of HTTP/2, from its acceptance until a task serves it.
///
/// A server that ends may drop what it has accepted last. SwiftNIO ends the process if a writer is dropped that nobody
/// has finished (its issues 2637 and 3481), so this one is finished, and the connection closed.
package final class AcceptedConnection: ServerChildChannelValue {
    package let channel: any Channel
    private let unserved: Mutex<HTTP1Channel.Value?>

    package init(_ connection: HTTP1Channel.Value) {
        channel = connection.channel
        unserved = Mutex(connection)
    }

    deinit {
        guard let connection = take() else { return }
        // The only way to finish its writer. Owner: the connection, whose closing is the last step.
        Task { try? await connection.executeThenClose { _, _ in } }
    }

    /// Hands the connection to the task that serves it; nil if another one has it.
    package func take() -> HTTP1Channel.Value? { unserved.withLock { $0.take() } }
}
