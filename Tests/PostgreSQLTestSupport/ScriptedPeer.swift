import Foundation
import Glibc
import Synchronization
import TestSupport

@testable import PostgreSQL

/// A scripted server on a Unix socket. It runs the script on each connection, each on a thread of its own.
package final class ScriptedPeer: Sendable {
    package let address: PostgreSQLAddress
    private let listener: Int32
    package let directory: String

    package init(_ script: @escaping @Sendable (Client) throws -> Void) throws {
        directory = try makeTemporaryDirectory("peer")
        listener = try LocalSocket.listenUnix(PostgreSQLAddress.socket(in: directory))
        address = try PostgreSQLAddress(parsing: "postgres://graphd@/graph?host=\(directory)")
        let listener = listener
        Thread.detachNewThread {
            // `shutdown` of the listener, in `stop`, ends the loop.
            while true {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                Thread.detachNewThread {
                    try? script(Client(descriptor))
                    close(descriptor)
                }
            }
            close(listener)
        }
    }

    package func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// The server's end of one connection. Every call blocks.
    package struct Client {
        package struct Gone: Error {}
        package let descriptor: Int32

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        package func write(_ bytes: [UInt8]) throws {
            guard LocalSocket.send(bytes[...], over: descriptor) else { throw Gone() }
        }

        package func read(_ count: Int) throws -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            var done = 0
            while done < count {
                let got = bytes.withUnsafeMutableBytes { recv(descriptor, $0.baseAddress! + done, count - done, 0) }
                guard got > 0 else { throw Gone() }
                done += got
            }
            return bytes
        }

        /// Returns once the client has disconnected.
        package func waitUntilGone() throws {
            while true { _ = try read(1) }
        }

        /// Reads the request to connect, and accepts it.
        package func accept() throws {
            try readStartup()
            try write(ServerMessage.welcome)
        }

        package func readStartup() throws {
            let length = try read(4).reduce(0) { $0 << 8 | Int($1) }
            _ = try read(length - 4)
        }

        /// Reads the type of the next message.
        package func message() throws -> Character {
            let head = try read(5)
            _ = try read(head[1...].reduce(0) { $0 << 8 | Int($1) } - 4)
            return Character(Unicode.Scalar(head[0]))
        }

        /// Answers messages, each SELECT with the number 1, until `count` statements have been executed.
        package func answer(statements count: Int) throws {
            var executed = 0
            while executed < count {
                let type = try message()
                try write(ServerMessage.answers[type] ?? [])
                if type == "E" { executed += 1 }
            }
        }
    }
}

/// Messages of the server's protocol.
package enum ServerMessage {
    package static func message(_ type: Character, _ body: [UInt8]) -> [UInt8] {
        Array(String(type).utf8) + integer(body.count + 4) + body
    }

    package static func integer(_ value: Int) -> [UInt8] { withUnsafeBytes(of: Int32(value).bigEndian) { Array($0) } }

    package static func text(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }

    package static let ready = message("Z", text("I").dropLast())

    package static let welcome = welcome(with: [:])

    /// - Parameter others: settings that differ from those of a good server.
    package static func welcome(with others: [String: String]) -> [UInt8] {
        let settings = ["server_version": "15.4", "server_encoding": "UTF8", "in_hot_standby": "off"]
            .merging(others) { $1 }
        return message("R", integer(0))
            + settings.sorted { $0.key < $1.key }
            .flatMap { message("S", text($0.key) + text($0.value)) }
            + message("K", integer(1) + integer(2)) + ready
    }

    /// One column of type int8 in the binary format.
    package static let description = message(
        "T", [0, 1] + text("n") + integer(0) + [0, 0] + integer(20) + [0, 8] + integer(-1) + [0, 1])
    package static let row = message("D", [0, 1] + integer(8) + [0, 0, 0, 0, 0, 0, 0, 1])
    package static let complete = message("C", text("SELECT 1"))

    package static let answers: [Character: [UInt8]] = [
        "P": message("1", []), "B": message("2", []), "D": description, "E": row + complete, "S": ready,
    ]

    package static func error(_ severity: String, _ state: String, _ text: String) -> [UInt8] {
        message(
            "E",
            ("S" + severity + "\0V" + severity + "\0C" + state + "\0M" + text + "\0\0").utf8.map { $0 })
    }
}
