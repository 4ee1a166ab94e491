import Foundation
import Glibc
import Synchronization
import TestSupport

@testable import PostgreSQL

/// A proxy in front of a server that cuts connections around a COMMIT.
final class CuttingProxy: Sendable {
    enum Cut: Sendable, CaseIterable {
        /// The server never gets the COMMIT.
        case beforeCommit
        /// The server gets it, and its answer is lost.
        case afterCommit
    }

    private struct State {
        /// Cuts of the next commits, one for each.
        var cuts: [Cut] = []
        var descriptors: [Int32] = []
        var isAway = false
    }

    let address: PostgreSQLAddress
    private let directory: String
    private let target: String
    private let listener: Int32
    private let state = Mutex(State())

    init(to address: PostgreSQLAddress) throws {
        directory = try makeTemporaryDirectory("proxy")
        target = (address["host"] ?? "") + "/.s.PGSQL.5432"
        listener = try LocalSocket.listenUnix(directory + "/.s.PGSQL.5432")
        self.address = try PostgreSQLAddress(
            parsing: "postgres://graphd@/\(address["dbname"] ?? "")?host=\(directory)")
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { break }
                serve(client)
            }
            close(listener)
        }
    }

    func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        cutAll()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Cuts all connections, and the next commits as given: the next connection prepares its COMMIT by its text.
    func cut(_ cuts: [Cut]) {
        state.withLock { $0.cuts = cuts }
        cutAll()
    }

    var cutsLeft: Int { state.withLock { $0.cuts.count } }

    /// Refuses connections, as if there were no server, until `isAway` is false again.
    func setAway(_ isAway: Bool) {
        state.withLock { $0.isAway = isAway }
        if isAway { cutAll() }
    }

    private func cutAll() {
        state.withLock { state in
            for descriptor in state.descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private func serve(_ client: Int32) {
        guard !state.withLock({ $0.isAway }), let server = try? Self.connect(target) else {
            close(client)
            return
        }
        state.withLock { $0.descriptors += [client, server] }
        let ends = BothEnds { [self] in
            state.withLock { $0.descriptors.removeAll { $0 == client || $0 == server } }
            close(client)
            close(server)
        }
        Thread.detachNewThread { [self] in pass(from: client, to: server, isFromClient: true, ends) }
        Thread.detachNewThread { [self] in pass(from: server, to: client, isFromClient: false, ends) }
    }

    private func pass(from source: Int32, to destination: Int32, isFromClient: Bool, _ ends: BothEnds) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        var isDeaf = false
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            guard count > 0 else { break }
            let bytes = buffer[..<count]
            let cut = isFromClient && bytes.hasCommit ? state.withLock { $0.cuts.popFirst() } : nil
            if cut == .beforeCommit { break }
            if cut == .afterCommit {
                // Ends the answers first.
                shutdown(source, Int32(SHUT_RDWR))
                isDeaf = true
            }
            guard LocalSocket.send(bytes, over: destination), !isDeaf else { break }
        }
        if isDeaf {
            // The server reads to the end, and so gets the COMMIT.
            shutdown(destination, Int32(SHUT_WR))
        } else {
            shutdown(destination, Int32(SHUT_RDWR))
        }
        shutdown(source, Int32(SHUT_RDWR))
        ends.note()
    }

    private static func connect(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let status = withUnsafeBytes(of: address) { raw in
            Glibc.connect(descriptor, raw.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(raw.count))
        }
        guard status == 0 else {
            close(descriptor)
            throw LocalSocket.Failure(call: "connect")
        }
        return descriptor
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

extension Array {
    fileprivate mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}

extension ArraySlice<UInt8> {
    fileprivate var hasCommit: Bool { String(decoding: self, as: UTF8.self).contains("COMMIT") }
}
