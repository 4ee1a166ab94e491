/// Confirms that all replies of a session belong to one history of the node's data.
///
/// A node draws a new replication id when it starts and when it is promoted, so an id names one uninterrupted history:
/// nothing that was acknowledged in it is taken back while it lasts. The id is asked for behind commands, on the same
/// connection, and their callers are resumed once it has been found to be the session's.
struct RedisHistory {
    /// Number of commands after which the id is asked for although more commands wait.
    static let commandsPerQuestion = 64

    /// The answer to a question for the id.
    final class Question: RedisPending {
        let first = RedisCommand("INFO", ["replication"])
        let rest: [RedisCommand] = []
        let timeout: Duration
        let isCompleted = false

        init(timeout: Duration) { self.timeout = timeout }

        func fulfil(_ replies: RedisReplies) {}
        func hold(_ replies: RedisReplies) {}
        func release() {}
        func fail(_ error: any Error) {}
    }

    /// Commands that were written behind the last question.
    private(set) var unconfirmed = 0
    /// Entries whose replies have come and wait for an answer.
    private(set) var held: [any RedisPending] = []
    /// The id of the session's history; nil before the first answer.
    private(set) var id: String?

    mutating func noteWritten() { unconfirmed += 1 }
    mutating func noteAsked() { unconfirmed = 0 }
    mutating func hold(_ entry: any RedisPending) { held.append(entry) }

    /// Reads the answer to a question. Returns the entries that it confirms.
    ///
    /// Before the first answer nothing is known that could be confirmed: an error is left to the handshake, whose own
    /// replies say more. Throws if the node is not a master, or its data have another history now.
    mutating func confirm(_ replies: RedisReplies) throws -> [any RedisPending] {
        if replies[0].error == nil || id != nil { try confirm(replies[0]) }
        defer { held = [] }
        return held
    }

    private mutating func confirm(_ reply: RedisReplyView) throws {
        let found = try reply.withBytes(Self.id)
        guard let found else { throw RedisError(.connectionLost, "the node is not a master") }
        guard id == nil || id == found else {
            throw RedisError(.connectionLost, "the node's data have another history")
        }
        id = found
    }

    /// The replication id in a reply to `INFO replication`; nil if the node is not a master.
    static func id(in info: UnsafeRawBufferPointer) -> String? {
        var isMaster = false
        var rest = info[...]
        while !rest.isEmpty {
            let line = rest.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
            rest = rest[line.endIndex...].drop { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }
            if line.elementsEqual("role:master".utf8) { isMaster = true }
            if isMaster, line.starts(with: "master_replid:".utf8) {
                return String(decoding: line.dropFirst("master_replid:".utf8.count), as: UTF8.self)
            }
        }
        return nil
    }
}
