import Database
import RedisClient
import SocialGraph

/// The contents of a sorted set, as arguments of a script: a dump, or pairs where Redis or the dump's form does not
/// allow one.
struct WindowContents: Sendable {
    private let dump: [UInt8]?
    private let entries: [FeedEntry]
    private let isComplete: Bool

    init(dump: [UInt8]) {
        self.dump = dump
        entries = []
        isComplete = false
    }

    /// - Parameter entries: Newest first, each post once.
    init(_ entries: [FeedEntry], isComplete: Bool, asDump: Bool) {
        dump = asDump ? WindowDump.dump(of: entries, isComplete: isComplete) : nil
        self.entries = entries
        self.isComplete = isComplete
    }

    var argumentCount: Int { dump == nil ? 1 + entries.count * 2 + (isComplete ? 2 : 0) : 2 }
    var bytes: Int { dump?.count ?? 0 }

    func append(to command: inout RedisCommand) {
        if let dump {
            command.append("dump")
            command.append(dump)
            return
        }
        command.append("pairs")
        if isComplete {
            command.append("0")
            command.append("0")
        }
        // Redis finds the position of a newer entry at the head.
        for entry in entries.reversed() {
            command.append(integer: -entry.position.rawValue)
            command.append(integer: entry.post.rawValue)
        }
    }
}
