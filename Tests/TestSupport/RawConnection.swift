import Foundation
import Glibc

/// A TCP connection that sends exactly the given bytes, for requests that no HTTP client would send.
package final class RawConnection: Sendable {
    private let descriptor: Int32

    package init(port: Int) throws {
        descriptor = try LocalSocket.connectTCP(port: port)
        var patience = timeval(tv_sec: 900, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Sends the bytes as far as the other side accepts them. It may have closed already.
    package func send(_ bytes: [UInt8]) async throws {
        try await onThread { [descriptor] in _ = LocalSocket.send(bytes[...], over: descriptor) }
    }

    package func send(_ text: String) async throws { try await send(Array(text.utf8)) }

    /// Sends the text. Returns false if the other side accepts no more.
    package func takes(_ text: String) async -> Bool {
        (try? await onThread { [descriptor] in LocalSocket.send(Array(text.utf8)[...], over: descriptor) }) ?? false
    }

    /// Shuts down the sending side.
    package func finish() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Receives until `isEnough`, or until the other side closes. Throws after 15 minutes of silence and on a reset.
    package func receive(until isEnough: (@Sendable (String) -> Bool)? = nil) async throws -> String {
        try await onThread { [descriptor] in
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = recv(descriptor, &buffer, buffer.count, 0)
                guard count >= 0 else { throw LocalSocket.Failure(call: "recv") }
                bytes += buffer[..<count]
                // Long texts are not decoded for nothing.
                if count > 0, isEnough == nil { continue }
                let text = String(decoding: bytes, as: UTF8.self)
                if count == 0 || isEnough?(text) == true { return text }
            }
        }
    }

    /// Runs what blocks on a thread of its own: dispatch shares its few workers with the cooperative pool, on which the
    /// server of the tests runs.
    private func onThread<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
        }
    }
}
