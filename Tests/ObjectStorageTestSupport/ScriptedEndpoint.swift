import Foundation
import Glibc
import Synchronization
import TestSupport

/// A server of raw bytes. It answers each connection by a script, which has the head of the first request.
package final class ScriptedEndpoint: Sendable {
    package typealias Script = @Sendable (_ connection: Connection, _ head: String) throws -> Void

    /// The server's end of one connection. Every call blocks.
    package final class Connection {
        package struct Gone: Error {}
        private let descriptor: Int32

        fileprivate init(_ descriptor: Int32) { self.descriptor = descriptor }

        /// Writes as much as the client takes.
        package func write(_ text: String) throws {
            guard LocalSocket.send(Array(text.utf8)[...], over: descriptor) else { throw Gone() }
        }

        /// Reads `count` bytes.
        package func read(_ count: Int) throws -> [UInt8] {
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 16_384)
            while bytes.count < count {
                let got = recv(descriptor, &buffer, min(buffer.count, count - bytes.count), 0)
                guard got > 0 else { throw Gone() }
                bytes += buffer[..<got]
            }
            return bytes
        }

        /// Reads the head of a request.
        fileprivate func head() throws -> String {
            var text = ""
            while !text.hasSuffix("\r\n\r\n") { text += String(decoding: try read(1), as: UTF8.self) }
            return text
        }

        /// Returns once the client has disconnected.
        package func waitUntilGone() { while (try? read(1)) != nil {} }
    }

    private let listener: Int32
    private let port: Int
    private let isStopped = Atomic(false)

    package init(_ script: @escaping Script) throws {
        (listener, port) = try LocalSocket.listenTCP()
        Thread.detachNewThread { [listener] in
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                Thread.detachNewThread {
                    let connection = Connection(descriptor)
                    if let head = try? connection.head() { try? script(connection, head) }
                    close(descriptor)
                }
            }
            close(listener)
        }
    }

    package var address: String { "s3://media?endpoint=http://127.0.0.1:\(port)&region=test-1" }

    package func stop() {
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    deinit { stop() }
}
