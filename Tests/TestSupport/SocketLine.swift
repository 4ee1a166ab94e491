import Foundation
import Glibc
import Synchronization

/// A line to a server that listens on a Unix socket. It can be held up, as where packets are lost and sent again, cut,
/// and taken away.
package final class SocketLine: Sendable {
    /// The fate of bytes that a client has sent.
    package enum Fate: Sendable {
        case passed
        /// The line is cut before they are passed.
        case lost
        /// They are passed, and the line is cut before the answer.
        case unanswered
    }

    private struct State {
        var descriptors: [Int32] = []
        var isHeld = false
        var isAway = false
    }

    /// The path at which clients connect.
    package let path: String
    private let target: String
    private let listener: Int32
    private let judge: @Sendable (ArraySlice<UInt8>) -> Fate
    private let state = Mutex(State())

    /// - Parameters:
    ///   - target: the path of the server's socket.
    ///   - path: the path of a socket that does not exist yet.
    ///   - judge: decides about what clients send, piece by piece.
    package init(
        to target: String, at path: String, judge: @escaping @Sendable (ArraySlice<UInt8>) -> Fate = { _ in .passed }
    ) throws {
        (self.path, self.target, self.judge) = (path, target, judge)
        listener = try LocalSocket.listenUnix(path)
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { break }
                serve(client)
            }
            close(listener)
        }
    }

    package func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        setHeld(false)
        cut()
        unlink(path)
    }

    /// Ends all connections.
    package func cut() {
        state.withLock { state in
            for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Passes nothing in either direction until `isHeld` is false again.
    package func setHeld(_ isHeld: Bool) { state.withLock { $0.isHeld = isHeld } }

    /// Ends all connections and refuses others, as if there were no server, until `isAway` is false again.
    package func setAway(_ isAway: Bool) {
        state.withLock { $0.isAway = isAway }
        if isAway { cut() }
    }

    private func serve(_ client: Int32) {
        guard !state.withLock({ $0.isAway }), let server = try? LocalSocket.connectUnix(target) else {
            close(client)
            return
        }
        state.withLock { $0.descriptors += [client, server] }
        let ends = BothEnds { [self] in
            state.withLock { $0.descriptors.removeAll { $0 == client || $0 == server } }
            close(client)
            close(server)
        }
        Thread.detachNewThread { [self] in pass(from: client, to: server, judge, ends) }
        Thread.detachNewThread { [self] in pass(from: server, to: client, { _ in .passed }, ends) }
    }

    private func pass(
        from source: Int32, to destination: Int32, _ judge: (ArraySlice<UInt8>) -> Fate, _ ends: BothEnds
    ) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var isDeaf = false
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            waitWhileHeld()
            let fate = judge(buffer[..<count])
            if fate == .lost { break }
            if fate == .unanswered {
                // Ends the answers first.
                shutdown(source, Int32(SHUT_RDWR))
                isDeaf = true
            }
            guard LocalSocket.send(buffer[..<count], over: destination), !isDeaf else { break }
        }
        if isDeaf {
            // The server reads to the end, and so gets what was sent.
            shutdown(destination, Int32(SHUT_WR))
        } else {
            shutdown(destination, Int32(SHUT_RDWR))
        }
        shutdown(source, Int32(SHUT_RDWR))
        ends.note()
    }

    private func waitWhileHeld() {
        // Not for synchronisation: the pause between two polls.
        while state.withLock({ $0.isHeld }) { Thread.sleep(forTimeInterval: 0.002) }
    }
}

/// Calls a closure when both directions of a connection have ended.
private final class BothEnds: Sendable {
    private let left = Atomic(2)
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    func note() {
        if left.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { body() }
    }
}
