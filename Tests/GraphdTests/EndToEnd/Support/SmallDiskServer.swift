import AsyncHTTPClient
import Foundation
import Glibc
import ServiceTestSupport
import Synchronization

@testable import CommandSupport
@testable import StrictJSON

/// A server over a data directory on a ``SmallDisk``. It runs in the disk's namespace, because SQLite resolves the
/// links of paths through `/proc`.
final class SmallDiskServer: Sendable {
    private struct State {
        var process: GraphdProcess?
        var port = 0
        var lines: [String] = []
    }

    let disk: SmallDisk
    private let arguments: [String]
    private let state = Mutex(State())

    /// Runs `body` with a server that accepts requests, on a disk of `bytes` bytes.
    static func running(
        bytes: Int, _ arguments: [String], _ body: (SmallDiskServer) async throws -> Void
    ) async throws {
        try await SmallDisk.with(bytes: bytes) { disk in
            let server = SmallDiskServer(disk, arguments)
            do {
                try await server.start()
                try await body(server)
            } catch {
                _ = await server.end(SIGKILL)
                throw error
            }
            _ = await server.end(SIGKILL)
        }
    }

    private init(_ disk: SmallDisk, _ arguments: [String]) {
        self.disk = disk
        self.arguments = arguments
    }

    /// The data directory, as this process sees it.
    var directory: DataDirectory { DataDirectory(path: disk.path + "/d") }
    var logLines: [String] { state.withLock { $0.lines + ($0.process?.lines ?? []) } }

    func start() async throws {
        let program = try GraphdProcess.executable
        let process = try disk.run(
            [
                program, "serve", "--data-dir", SmallDisk.mount + "/d", "--port", "0", "--log-level", "debug",
                "--limits", "off",
            ] + arguments)
        state.withLock { $0.process = process }
        let line = try await process.line { $0.contains("\"message\":\"listening\"") }
        let port = try JSONReader.read(Array(line.utf8))["port"]?.text.flatMap { Int($0) } ?? 0
        state.withLock { $0.port = port }
    }

    /// Signals the server and returns after its end.
    @discardableResult
    func end(_ signal: Int32) async -> GraphdProcess.End? {
        guard let process = state.withLock({ $0.process }) else { return nil }
        process.signal(signal)
        let end = await process.wait()
        state.withLock { state in
            state.lines += process.lines
            state.process = nil
        }
        return end
    }

    func client(token: String? = nil) -> APIClient {
        APIClient(http: .shared, base: "http://127.0.0.1:\(state.withLock { $0.port })", token: token)
    }

    /// Polls until `isReached`, for conditions without an event.
    func waitUntil(_ isReached: () async throws -> Bool) async throws {
        while try await !isReached() {
            // Not for synchronisation: a busy loop would take processor time from the server.
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    func waitUntilReady() async throws {
        try await waitUntil { try await client().get("/readyz").status == 200 }
    }
}
