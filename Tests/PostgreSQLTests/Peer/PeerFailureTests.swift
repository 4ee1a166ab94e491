import Dispatch
import Glibc
import PostgreSQLTestSupport
import Synchronization
import TestSupport
import Testing

@testable import PostgreSQL

/// A server that misbehaves. Each misdeed is an error of a lost connection: never a hang, a crash or a wrong answer.
@Suite(.timeLimit(.process))
struct PeerFailureTests {
    enum Misdeed: CaseIterable {
        case endsAtOnce, isSilentAtFirst, greetsWithGarbage, refusesForNow, greetsInHalf
        case endsBeforeAnswers, endsAmidAnswers, endsAmidMessage, isSilent, isSilentAmidMessage
        case answersWithGarbage, sendsNegativeLength, sendsHugeLength, sendsWrongFields, sendsUnaskedRows, shutsDown
        case resets

        /// Misbehaves towards a client that sends four statements.
        func carryOut(_ client: ScriptedPeer.Client) throws {
            switch self {
            case .endsAtOnce: return
            case .isSilentAtFirst: try client.waitUntilGone()
            case .greetsWithGarbage: try client.write((0..<200).map { UInt8(truncatingIfNeeded: $0 &* 37) })
            case .refusesForNow:
                try client.readStartup()
                try client.write(ServerMessage.error("FATAL", "57P03", "the database system is starting up"))
            case .greetsInHalf:
                try client.readStartup()
                try client.write(Array(ServerMessage.welcome.prefix(40)))
            default:
                try client.accept()
                try carryOutLater(client)
            }
        }

        private func carryOutLater(_ client: ScriptedPeer.Client) throws {
            if self != .endsBeforeAnswers { try client.answer(statements: 2) }
            switch self {
            case .endsAmidMessage: try client.write(Array(ServerMessage.description.prefix(9)))
            case .isSilentAmidMessage: try client.write(Array(ServerMessage.row.prefix(9)))
            case .answersWithGarbage: try client.write([UInt8](repeating: 0xEE, count: 64))
            case .sendsNegativeLength: try client.write(Array("D".utf8) + ServerMessage.integer(-7))
            case .sendsHugeLength: try client.write(Array("D".utf8) + ServerMessage.integer(1 << 30))
            case .sendsWrongFields:
                try client.write(ServerMessage.description + ServerMessage.message("D", [0, 9, 0, 0]))
            case .sendsUnaskedRows: try client.write(ServerMessage.row + ServerMessage.row + ServerMessage.ready)
            case .shutsDown: try client.write(ServerMessage.error("FATAL", "57P01", "terminating connection"))
            case .resets:
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(client.descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
                return
            default: break
            }
            if [.isSilent, .isSilentAmidMessage, .sendsHugeLength].contains(self) { try client.waitUntilGone() }
        }
    }

    /// Time-outs of a client whose server misbehaves.
    private static var short: PostgreSQLTimeouts {
        var timeouts = PostgreSQLTimeouts()
        timeouts.connecting = .milliseconds(200)
        timeouts.answer = .milliseconds(300)
        return timeouts
    }

    /// Time-outs that a server which behaves does not reach on a busy machine either.
    private static var patient: PostgreSQLTimeouts {
        var timeouts = PostgreSQLTimeouts()
        timeouts.connecting = .seconds(120)
        timeouts.answer = .seconds(120)
        return timeouts
    }

    private static func exchange(
        _ peer: ScriptedPeer, _ count: Int, _ timeouts: PostgreSQLTimeouts
    ) throws -> [Int64?] {
        let source = ConnectionSource(address: peer.address, timeouts: timeouts, noteRoundTrip: {})
        let connection = try source.connection(for: .reader)
        return try connection.exchange((0..<count).map { ServerCommand("SELECT \($0)") }).map(\.integer)
    }

    @Test(arguments: Misdeed.allCases)
    func `a misdeed of the server is a lost connection`(misdeed: Misdeed) async throws {
        let peer = try ScriptedPeer { try misdeed.carryOut($0) }
        defer { peer.stop() }
        let failure = await #expect(throws: ServerFailure.self) {
            try await onThread { try Self.exchange(peer, 4, Self.short) }
        }
        #expect(failure?.isPassing == true, "\(String(describing: failure))")
    }

    @Test
    func `a server that behaves is answered`() throws {
        let peer = try ScriptedPeer { client in
            try client.accept()
            try client.answer(statements: .max)
        }
        defer { peer.stop() }
        #expect(try Self.exchange(peer, 4, Self.patient) == [1, 1, 1, 1])
    }

    /// Asks a peer that never answers a statement.
    ///
    /// - Parameter greets: whether it accepts more than one connection.
    private static func ask(greets: Bool) throws -> (failure: ServerFailure?, connections: Int) {
        let connections = Atomic(0)
        let peer = try ScriptedPeer { client in
            let number = connections.add(1, ordering: .relaxed).newValue
            if number == 1 || greets { try client.accept() }
            try client.waitUntilGone()
        }
        defer { peer.stop() }
        var timeouts = patient
        timeouts.silence = .milliseconds(100)
        // Only the time-out that is to end the wait is short.
        if greets { timeouts.answer = .seconds(2) } else { timeouts.connecting = .seconds(10) }
        let source = ConnectionSource(address: peer.address, timeouts: timeouts, noteRoundTrip: {})
        let connection = try source.connection(for: .reader)
        let failure = #expect(throws: ServerFailure.self) { try connection.exchange([ServerCommand("SELECT 1")]) }
        return (failure, connections.load(ordering: .relaxed))
    }

    @Test
    func `a silent server that accepts no connection is given up before its answer is overdue`() async throws {
        let (failure, connections) = try await onThread { try Self.ask(greets: false) }
        #expect("\(failure.map { "\($0)" } ?? "")".contains("accepts no connection"))
        #expect(connections == 2)
    }

    @Test
    func `a silent server that accepts connections is waited for`() async throws {
        let (failure, _) = try await onThread { try Self.ask(greets: true) }
        #expect("\(failure.map { "\($0)" } ?? "")".contains("has not answered in time"))
        // It answers once it has been asked three times whether it lives.
        let (connections, looks) = (Counter(), DispatchSemaphore(value: 0))
        let peer = try ScriptedPeer { client in
            let isLook = connections.next() > 1
            try client.accept()
            if isLook {
                looks.signal()
                return try client.waitUntilGone()
            }
            for _ in 0..<3 { looks.wait() }
            try client.answer(statements: .max)
        }
        defer { peer.stop() }
        let answers = try await onThread {
            var timeouts = Self.patient
            timeouts.silence = .milliseconds(100)
            return try Self.exchange(peer, 1, timeouts)
        }
        #expect(answers == [1])
    }

    @Test
    func `a connection that was lost is not used again`() throws {
        let peer = try ScriptedPeer { client in
            try client.accept()
            try client.answer(statements: 1)
        }
        defer { peer.stop() }
        let source = ConnectionSource(address: peer.address, timeouts: Self.patient, noteRoundTrip: {})
        let connection = try source.connection(for: .reader)
        for _ in 0..<3 {
            #expect(throws: ServerFailure.self) { try connection.exchange([ServerCommand("SELECT 1")]) }
            #expect(!connection.isUsable)
        }
    }
}
