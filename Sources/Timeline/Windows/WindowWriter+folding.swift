import Algorithms
import Database
import Logging
import RedisClient
import SocialGraph

extension WindowWriter {
    /// Windows folded together, with one pipeline to read and one to write.
    static let windowsPerFold = 64
    /// Windows in one script call of a fold.
    static let windowsPerFoldCall = 16

    /// The number of windows whose folds wait or are under way.
    var waitingFolds: Int { folds?.count ?? 0 }

    /// Folds the windows that wait for it, beside other operations, until the task is cancelled. Neither pushes nor
    /// removals wait for these folds: one that meets anything but pushes is refused.
    func runFolds() async {
        await folds?.run { viewers in
            do {
                try await fold(viewers, ofAtLeast: depth.tailBytes)
            } catch is CancellationError {
                return
            } catch {
                logger.warning(
                    "tails could not be folded", metadata: ["windows": "\(viewers.count)", "error": "\(error)"])
            }
        }
    }

    /// Merges the tails of `viewers` that have at least `bytes` into the sorted sets beside them. Each sorted set is
    /// written as a whole, which costs Redis a fraction of adding the entries. A window that something but a push has
    /// changed meanwhile is left as it is, and is folded after a later push. A tail without a sorted set is removed.
    package func fold(_ viewers: [UserID], ofAtLeast bytes: Int = 0) async throws {
        for part in viewers.chunks(ofCount: Self.windowsPerFold) {
            let rest = try await foldTails(Array(part), ofAtLeast: bytes)
            if !rest.isEmpty { try await foldWholeWindows(rest) }
        }
    }

    /// Folds the windows whose tails alone have the newest entries, without reading their sorted sets. Returns the
    /// viewers whose windows remain to be folded.
    private func foldTails(_ viewers: [UserID], ofAtLeast bytes: Int) async throws -> [UserID] {
        guard let (windows, keys) = try await look(viewers, for: .first, TailBesideSet.init) else { return [] }
        var folds: [Fold] = []
        var rest: [UserID] = []
        for (viewer, window) in zip(viewers, windows) {
            guard let tail = window.tail, tail.count >= bytes else { continue }
            if let top = window.top, let dump = WindowDump.dump(ofTail: tail, newest: depth.cap, above: top) {
                folds.append(
                    Fold(
                        viewer: viewer, stamp: Array(tail.prefix(WindowTail.stampBytes)), consumedBytes: tail.count,
                        contents: WindowContents(dump: dump)))
            } else {
                rest.append(viewer)
            }
        }
        return try await write(folds, keys).map(\.viewer) + rest
    }

    private func foldWholeWindows(_ viewers: [UserID]) async throws {
        guard let (windows, keys) = try await wholeWindows(of: viewers) else { return }
        try await evict(zip(viewers, windows).filter { $1.isHalf }.map(\.0))
        let folded = zip(viewers, windows).compactMap { viewer, window in
            window.folded(cap: depth.cap).map { (viewer: viewer, window: $0) }
        }
        let rejected = Set(try await write(folded.map { Fold($0, $1, asDump: true) }, keys).map(\.viewer))
        if rejected.isEmpty { return }
        _ = try await write(folded.filter { rejected.contains($0.viewer) }.map { Fold($0, $1, asDump: false) }, keys)
    }

    private func wholeWindows(of viewers: [UserID]) async throws -> (windows: [WholeWindow], keys: WindowKeys)? {
        guard let (dumped, keys) = try await look(viewers, for: .dump, StoredParts.init) else { return nil }
        var windows = try dumped.map(WholeWindow.init)
        let unread = windows.indices.filter { windows[$0].isUnreadable }
        if unread.isEmpty { return (windows, keys) }
        guard let (listed, listedKeys) = try await look(unread.map { viewers[$0] }, for: .pairs, StoredParts.init),
            listedKeys == keys
        else { return nil }
        for (index, parts) in zip(unread, listed) { windows[index] = try WholeWindow(parts) }
        return (windows, keys)
    }
}

// MARK: Calls

extension WindowWriter {
    /// The part of a sorted set that is read.
    private enum Part: String {
        case first, dump, pairs
    }

    /// One window of a fold: the tail that was read, and the sorted set that replaces the one beside it.
    private struct Fold: Sendable {
        let viewer: UserID
        let stamp: [UInt8]
        let consumedBytes: Int
        let contents: WindowContents

        init(viewer: UserID, stamp: [UInt8], consumedBytes: Int, contents: WindowContents) {
            self.viewer = viewer
            self.stamp = stamp
            self.consumedBytes = consumedBytes
            self.contents = contents
        }

        init(_ viewer: UserID, _ window: FoldedWindow, asDump: Bool) {
            self.init(
                viewer: viewer, stamp: window.stamp, consumedBytes: window.consumedBytes,
                contents: WindowContents(window.entries, isComplete: window.isComplete, asDump: asDump))
        }
    }

    /// Reads windows. Returns nil if their generation is retired, else the keys of the generation: stamps of another
    /// one mean something else. `decode` gets the part of a sorted set, then the tail.
    private func look<Window: Sendable>(
        _ viewers: [UserID], for part: Part,
        _ decode: @escaping @Sendable (RedisReplyView, RedisReplyView) throws -> Window
    ) async throws -> (windows: [Window], keys: WindowKeys)? {
        var keys: WindowKeys?
        let windows: [Window] = try await perform { epoch in
            keys = epoch.keys
            return viewers.chunks(ofCount: Self.windowsPerFoldCall).map { viewers in
                var command = script(epoch.scripts.look, keys: 1 + viewers.count * 2)
                epoch.keys.appendState(to: &command)
                for viewer in viewers { epoch.keys.appendBoth(of: viewer, to: &command) }
                command.append(epoch.fence)
                command.append(part.rawValue)
                return command
            }
        } decode: { replies in
            try (0..<replies.count).flatMap { call in
                let reply = replies[call]
                return try stride(from: 0, to: reply.count, by: 2).map { try decode(reply[$0], reply[$0 + 1]) }
            }
        }
        guard let keys, windows.count == viewers.count else { return nil }
        return (windows, keys)
    }

    /// Writes the sorted sets of `folds`, if `keys` are still those of the generation. Returns the folds whose dumps
    /// Redis rejects.
    private func write(_ folds: [Fold], _ keys: WindowKeys) async throws -> [Fold] {
        let replies: [Int] = try await perform { epoch in
            guard epoch.keys == keys else { return [] }
            return folds.chunks(ofCount: Self.windowsPerFoldCall).map { call(epoch, $0) }
        } decode: { replies in
            try (0..<replies.count).flatMap { call in
                let reply = replies[call]
                return try (0..<reply.count).map { Int(try reply[$0].integer) }
            }
        }
        return zip(folds, replies).filter { $1 == Self.needsPosts }.map(\.0)
    }

    private func call(_ epoch: WindowSpace.Epoch, _ folds: ArraySlice<Fold>) -> RedisCommand {
        var (arguments, bytes) = (1, 0)
        for fold in folds {
            arguments += 3 + fold.contents.argumentCount
            bytes += fold.contents.bytes
        }
        var command = script(
            epoch.scripts.fold, keys: 1 + folds.count * 2, arguments: arguments, bytes: bytes)
        epoch.keys.appendState(to: &command)
        for fold in folds { epoch.keys.appendBoth(of: fold.viewer, to: &command) }
        command.append(epoch.fence)
        for fold in folds {
            command.append(fold.stamp)
            command.append(integer: Int64(fold.consumedBytes))
            command.append(integer: Int64(fold.contents.argumentCount))
            fold.contents.append(to: &command)
        }
        return command
    }
}
