import Foundation
import Glibc
import Synchronization
import TestSupport

@testable import RedisClient

/// A scripted server. It accepts connections one after the other and runs the script on each, with its number from 0.
final class FakePeer: Sendable {
    enum Transport: Sendable, CaseIterable { case unix, tcp }
    typealias Script = @Sendable (_ client: Client, _ number: Int) throws -> Void

    let endpoint: RedisConfiguration.Endpoint
    private let listener: Int32
    private let directory: String
    private let isStopped = Atomic(false)

    init(_ transport: Transport = .unix, script: @escaping Script) throws {
        directory = try makeTemporaryDirectory("peer")
        switch transport {
        case .unix:
            let path = directory + "/redis.sock"
            listener = try LocalSocket.listenUnix(path)
            endpoint = .unix(path: path)
        case .tcp:
            let port: Int
            (listener, port) = try LocalSocket.listenTCP()
            endpoint = .tcp(host: "127.0.0.1", port: port)
        }
        let listener = listener
        Thread.detachNewThread {
            // `shutdown` of the listener, in `stop`, ends the loop.
            for number in 0... {
                let descriptor = accept(listener, nil, nil)
                guard descriptor >= 0 else { break }
                let client = Client(descriptor)
                try? script(client, number)
                client.close()
            }
            close(listener)
        }
    }

    func stop() {
        // Runs once only, because the thread closes the descriptor, whose number may then belong to another socket.
        guard !isStopped.exchange(true, ordering: .relaxed) else { return }
        shutdown(listener, Int32(SHUT_RDWR))
        try? FileManager.default.removeItem(atPath: directory)
    }

    deinit { stop() }

    /// The server's end of one connection. Every call blocks.
    final class Client {
        struct Gone: Error {}
        private let descriptor: Int32
        private var buffer: [UInt8] = []

        init(_ descriptor: Int32) { self.descriptor = descriptor }

        func close() { Glibc.close(descriptor) }

        /// Ends the connection with RST instead of FIN (TCP), so that the client reads an error.
        func reset() {
            var linger = Glibc.linger(l_onoff: 1, l_linger: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Glibc.linger>.size))
        }

        func write(_ text: String) throws { try write(Array(text.utf8)) }

        func write(_ bytes: [UInt8]) throws {
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
                guard count > 0 else { throw Gone() }
                rest = rest.dropFirst(count)
            }
        }

        /// Writes each piece only after the one before has been read (unix sockets), so that no read gets two.
        func write(pieces: [[UInt8]]) throws {
            for piece in pieces {
                try write(piece)
                var unread: Int32 = 0
                // SIOCOUTQ; Swift's Glibc module names it only as the terminal's TIOCOUTQ.
                while ioctl(descriptor, UInt(TIOCOUTQ), &unread) == 0, unread > 0 { sched_yield() }
            }
        }

        /// Returns once the client has disconnected. Discards everything that it sends.
        func waitUntilGone() throws {
            while true { try fill() }
        }

        /// Reads one command, arguments as text.
        func command() throws -> [String] {
            let count = Int(try line().dropFirst())!
            return try (0..<count).map { _ in
                let length = Int(try line().dropFirst())!
                while buffer.count < length + 2 { try fill() }
                defer { buffer.removeFirst(length + 2) }
                return String(decoding: buffer[..<length], as: UTF8.self)
            }
        }

        /// Returns true if more bytes have arrived, or arrive within `milliseconds`.
        func hasSomething(within milliseconds: Int32) throws -> Bool {
            var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return !buffer.isEmpty || poll(&descriptor, 1, milliseconds) > 0
        }

        private func line() throws -> String {
            while true {
                if let end = buffer.firstIndex(of: 10) {
                    defer { buffer.removeFirst(end + 1) }
                    return String(decoding: buffer[..<(end - 1)], as: UTF8.self)
                }
                try fill()
            }
        }

        private func fill() throws {
            var chunk = [UInt8](repeating: 0, count: 65_536)
            let count = read(descriptor, &chunk, chunk.count)
            guard count > 0 else { throw Gone() }
            buffer += chunk[..<count]
        }

        /// Answers the first commands of a new connection.
        func answerHandshake(runID: String = "fake") throws {
            while true {
                let command = try command()
                guard command.first != "INFO" else { break }
                try write("+OK\r\n")
            }
            let info = "# Server\r\nrun_id:\(runID)\r\nprocess_id:1\r\n"
            try write("$\(info.utf8.count)\r\n\(info)\r\n")
        }

        /// Answers ECHO until the client disconnects.
        func echo() throws {
            while true {
                let text = try command().last ?? ""
                try write("$\(text.utf8.count)\r\n\(text)\r\n")
            }
        }
    }
}
