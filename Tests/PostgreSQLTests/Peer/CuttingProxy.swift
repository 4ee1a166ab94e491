import Foundation
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

    let address: PostgreSQLAddress
    private let directory: String
    private let line: SocketLine
    /// Cuts of the next commits, one for each.
    private let cuts: Guarded<[Cut]>

    init(to address: PostgreSQLAddress) throws {
        let cuts = Guarded<[Cut]>([])
        self.cuts = cuts
        directory = try makeTemporaryDirectory("proxy")
        line = try SocketLine(to: address.socket, at: PostgreSQLAddress.socket(in: directory)) { bytes in
            guard bytes.hasCommit else { return .passed }
            switch cuts.withLock({ $0.popFirst() }) {
            case .beforeCommit: return .lost
            case .afterCommit: return .unanswered
            case nil: return .passed
            }
        }
        self.address = try address.moved(to: directory)
    }

    func stop() {
        line.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    /// Cuts all connections, and the next commits as given: the next connection prepares its COMMIT by its text.
    func cut(_ cuts: [Cut]) {
        self.cuts.withLock { $0 = cuts }
        line.cut()
    }

    var cutsLeft: Int { cuts.withLock(\.count) }

    /// Refuses connections, as if there were no server, until `isAway` is false again.
    func setAway(_ isAway: Bool) { line.setAway(isAway) }
}

extension Array {
    fileprivate mutating func popFirst() -> Element? { isEmpty ? nil : removeFirst() }
}

extension ArraySlice<UInt8> {
    fileprivate var hasCommit: Bool { String(decoding: self, as: UTF8.self).contains("COMMIT") }
}
