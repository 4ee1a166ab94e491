import Algorithms
import Database
import RedisClient
import SocialGraph

extension WindowWriter {
    /// Windows folded together, with one pipeline to read and one to write.
    static let windowsPerFold = 64

    /// Merges the tails of `viewers` into the sorted sets beside them. Each sorted set is read and written as a whole,
    /// which costs Redis a fraction of adding the entries. A window that something but a push has changed meanwhile is
    /// left as it is, and is folded after a later push. A tail without a sorted set is removed.
    func fold(_ viewers: [UserID]) async throws {
        for part in viewers.chunks(ofCount: Self.windowsPerFold) {
            guard let (windows, keys) = try await look(Array(part)) else { continue }
            try await evict(zip(part, windows).filter { $1.isHalf }.map(\.0))
            let folded = zip(part, windows).compactMap { viewer, window in
                window.folded(cap: depth.cap).map { (viewer: viewer, window: $0) }
            }
            guard !folded.isEmpty else { continue }
            let replies = try await replies { epoch in
                epoch.keys == keys ? folded.map { fold($0.viewer, $0.window, asDump: true, epoch) } : []
            }
            let rejected = zip(folded, replies).filter { $1 == Self.needsPosts }.map(\.0)
            guard !rejected.isEmpty else { continue }
            _ = try await self.replies { epoch in
                epoch.keys == keys ? rejected.map { fold($0.viewer, $0.window, asDump: false, epoch) } : []
            }
        }
    }

    /// Reads whole windows. Returns nil if their generation is retired, else the keys of the generation: stamps of
    /// another one mean something else.
    private func look(_ viewers: [UserID]) async throws -> (windows: [WholeWindow], keys: WindowKeys)? {
        guard let (dumped, keys) = try await look(viewers, asDumps: true) else { return nil }
        let unread = dumped.indices.filter { dumped[$0].isUnreadable }
        if unread.isEmpty { return (dumped, keys) }
        guard let (listed, listedKeys) = try await look(unread.map { viewers[$0] }, asDumps: false), listedKeys == keys
        else { return nil }
        var windows = dumped
        for (index, window) in zip(unread, listed) { windows[index] = window }
        return (windows, keys)
    }

    private func look(_ viewers: [UserID], asDumps: Bool) async throws -> (windows: [WholeWindow], keys: WindowKeys)? {
        var keys: WindowKeys?
        let windows: [WholeWindow] = try await perform { epoch in
            keys = epoch.keys
            return viewers.map { viewer in
                var command = script(epoch.scripts.look, keys: 3)
                epoch.keys.appendState(to: &command)
                epoch.keys.appendBoth(of: viewer, to: &command)
                command.append(epoch.fence)
                command.append(asDumps ? "dump" : "pairs")
                return command
            }
        } decode: { replies in
            try replies.throwIfAnyError()
            return try (0..<replies.count).map { try WholeWindow(replies[$0]) }
        } ended: {
            []
        }
        guard let keys, windows.count == viewers.count else { return nil }
        return (windows, keys)
    }

    private func fold(
        _ viewer: UserID, _ window: FoldedWindow, asDump: Bool, _ epoch: WindowSpace.Epoch
    ) -> RedisCommand {
        let contents = WindowContents(window.entries, isComplete: window.isComplete, asDump: asDump)
        var command = script(epoch.scripts.fold, keys: 3, arguments: contents.argumentCount + 3, bytes: contents.bytes)
        epoch.keys.appendState(to: &command)
        epoch.keys.appendBoth(of: viewer, to: &command)
        command.append(epoch.fence)
        command.append(window.stamp)
        command.append(integer: Int64(window.consumedBytes))
        contents.append(to: &command)
        return command
    }
}

/// A window as read for a fold.
struct WholeWindow: Sendable {
    private enum SortedSet: Sendable {
        case absent, unreadable
        case entries([FeedEntry], isComplete: Bool)
    }

    private let sorted: SortedSet
    private let tail: WindowTail?

    fileprivate init(_ reply: RedisReplyView) throws {
        let (set, string) = (try reply[0], try reply[1])
        tail = string.isNull ? nil : try string.withBytes(WindowTail.init)
        if set.kind == .bulk {
            sorted = try set.withBytes {
                WindowDump.entries(of: $0).map { .entries($0, isComplete: $1) } ?? .unreadable
            }
        } else if let slice = try FeedSlice(window: set) {
            sorted = .entries(slice.entries, isComplete: slice.end == .beginning)
        } else {
            sorted = .absent
        }
    }

    /// True if the form of the dump is unknown.
    var isUnreadable: Bool {
        if case .unreadable = sorted { true } else { false }
    }

    /// True if there is a tail without a sorted set.
    var isHalf: Bool {
        if case .absent = sorted { tail != nil } else { false }
    }

    /// The sorted set with the tail merged into it, at most `cap` entries; nil if there is no whole window.
    func folded(cap: Int) -> FoldedWindow? {
        guard let tail, case .entries(let entries, let isComplete) = sorted else { return nil }
        let merged = (tail.entries.reversed() + entries).mergedNewestFirst(
            downTo: isComplete ? .beginning : entries.last?.position ?? .beginning)
        // The sentinel counts as an entry.
        return FoldedWindow(
            entries: Array(merged.prefix(cap)), isComplete: isComplete && merged.count < cap, stamp: tail.stamp,
            consumedBytes: tail.bytes)
    }
}

/// The sorted set that a fold writes, and the tail that it replaces.
struct FoldedWindow: Sendable {
    let entries: [FeedEntry]
    let isComplete: Bool
    let stamp: [UInt8]
    let consumedBytes: Int
}

extension [FeedEntry] {
    /// The entries newest first, each post at its smallest position, without those below `floor`.
    fileprivate func mergedNewestFirst(downTo floor: FeedPosition) -> [FeedEntry] {
        // Usually posts at their own positions, which arrived in order.
        let isMerged = zip(self, dropFirst()).allSatisfy { $0.position > $1.position }
        if isMerged, allSatisfy({ $0.position.rawValue == $0.post.rawValue }) {
            return Array(prefix { $0.position >= floor })
        }
        let sorted = isMerged ? self : sorted { $0.position > $1.position }
        var seen = Set<PostID>(minimumCapacity: count)
        var merged: [FeedEntry] = []
        merged.reserveCapacity(count)
        // A post whose smallest position is below the floor is not in the window at all.
        for entry in sorted.reversed() where seen.insert(entry.post).inserted && entry.position >= floor {
            merged.append(entry)
        }
        return merged.reversed()
    }
}

/// The contents of a sorted set, as arguments of a script: a dump, or pairs where Redis or the dump's form does not
/// allow one.
struct WindowContents {
    private let dump: [UInt8]?
    private let entries: [FeedEntry]
    private let isComplete: Bool

    /// - Parameter entries: Newest first, each post once.
    init(_ entries: [FeedEntry], isComplete: Bool, asDump: Bool) {
        dump = asDump ? WindowDump.dump(of: entries, isComplete: isComplete) : nil
        self.entries = entries
        self.isComplete = isComplete
    }

    var argumentCount: Int { dump == nil ? entries.count * 2 + 3 : 2 }
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
