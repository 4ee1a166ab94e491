import Foundation
import Glibc
import TestSupport
import Testing

@testable import CommandSupport
@testable import graphd

@Suite(.timeLimit(.unit))
struct ListeningCheckTests {
    private func message(
        _ host: String, _ port: Int, settings: ListeningCheck.Settings = .server, holder: PortHolder? = nil
    ) -> String? {
        do {
            try ListeningCheck(host: host, port: port, settings: settings).run { _ in holder }
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test func `a port in use is named, with the process that holds it and the way out`() throws {
        let (descriptor, port) = try LocalSocket.listenTCP()
        defer { close(descriptor) }
        let holder = try #require(PortHolder(port: port))
        #expect(holder.pid == Int(getpid()))
        #expect(!holder.name.isEmpty && !holder.name.contains("\n"))
        #expect(
            message("127.0.0.1", port, holder: holder)
                == "Port \(port) of 127.0.0.1 is in use by process \(getpid()) (\(holder.name)). Stop it, or choose "
                + "another port with --port (GRAPHD_PORT).")
        let other = message("127.0.0.1", port, settings: .operators)
        #expect(other?.contains("by another process") == true)
        #expect(other?.hasSuffix("with --admin-address (GRAPHD_ADMIN_ADDRESS).") == true)
        // All addresses include this one.
        #expect(message("0.0.0.0", port)?.contains("is in use") == true)
    }

    @Test func `each of a hundred listening sockets has a holder`() throws {
        let sockets = try (0..<100).map { _ in try LocalSocket.listenTCP() }
        defer { for socket in sockets { close(socket.0) } }
        #expect(sockets.filter { PortHolder(port: $0.1)?.pid != Int(getpid()) }.map(\.1) == [])
    }

    @Test func `a free port is accepted, and can be taken afterwards`() throws {
        // Below the ports that the kernel gives to other tests, from 32768 on.
        let ports = (0..<1_000).map { _ in Int.random(in: 20_000..<32_768) }
        let port = try #require(ports.first { PortHolder(port: $0) == nil })
        #expect(message("127.0.0.1", port) == nil)
        #expect(message("127.0.0.1", port) == nil)
        #expect(message("127.0.0.1", 0) == nil)
        #expect(message("localhost", port) == nil)
        #expect(PortHolder(port: port) == nil)
    }

    @Test func `addresses of other machines and unknown names are refused`() {
        // 192.0.2.0/24 is reserved for documentation and a name has no empty label.
        #expect(message("192.0.2.1", 8080)?.contains("192.0.2.1 is not an address of this machine") == true)
        #expect(message("a..b", 8080)?.contains("a..b cannot be resolved") == true)
    }

    @Test func `only listening sockets hold a port`() throws {
        let proc = temporaryPath("proc")
        defer { try? FileManager.default.removeItem(atPath: proc) }
        func write(_ path: String, _ text: String) throws {
            let file = URL(fileURLWithPath: proc + path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        }
        // A connection of process 7 and a listener of process 8, both at port 8080 (1F90).
        let row = "00000000:00000000 00:00000000 00000000     0        0"
        try write("/net/tcp", "  sl  local_address\n   0: 0100007F:1F90 0100007F:D3A4 01 \(row) 70 1\n")
        try write("/net/tcp6", "  sl  local_address\n   0: 00000000:1F90 00000000:0000 0A \(row) 80 1\n")
        for (pid, socket) in [(7, 70), (8, 80)] {
            try write("/\(pid)/comm", "server\n")
            try write("/\(pid)/fd/0", "")
            try FileManager.default.createSymbolicLink(
                atPath: "\(proc)/\(pid)/fd/1", withDestinationPath: "socket:[\(socket)]")
        }
        let holder = try #require(PortHolder(port: 8080, proc: proc))
        #expect(holder.pid == 8)
        #expect(holder.name == "server")
        #expect(PortHolder(port: 8081, proc: proc) == nil)
        try FileManager.default.removeItem(atPath: proc + "/8")
        #expect(PortHolder(port: 8080, proc: proc) == nil)
    }
}
