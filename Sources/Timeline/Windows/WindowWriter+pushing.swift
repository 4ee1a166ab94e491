import Algorithms
import Database
import RedisClient
import SocialGraph

extension WindowWriter {
    /// Adds `entries` to the windows of `viewers` that exist, building ones included, and asks for folds of the tails
    /// that are full then. Returns the number of entries offered to windows.
    @discardableResult
    package func push(_ entries: [FeedEntry], to viewers: [UserID]) async throws -> Int {
        let oldestFirst = entries.sorted { $0.position < $1.position }
        let offered = try await push { pushes(oldestFirst, to: viewers, $0) }
        space.recent?.push(oldestFirst, to: viewers)
        return offered
    }

    /// Adds the entries of `batch` to the windows that exist, building ones included, and asks for folds of the tails
    /// that are full then. Returns the number of entries offered to windows.
    @discardableResult
    func push(_ batch: PushBatch) async throws -> Int {
        let offered = try await push { calls($0, batch) }
        finish(batch)
        return offered
    }

    /// Continues the recent windows that `batch` has been pushed to.
    func finish(_ batch: PushBatch) {
        for (entries, viewers) in zip(batch.groups, batch.viewers) { space.recent?.push(entries, to: viewers) }
    }

    private func calls(_ epoch: WindowSpace.Epoch, _ batch: PushBatch) -> [PushCall] {
        if batch.isScattered {
            return zip(batch.groups, batch.viewers).flatMap { pushes($0, to: $1, epoch) }
        }
        var calls: [PushCall] = []
        var start = 0
        while start < batch.targets.count {
            let (portions, next) = batch.portions(from: start, windows: windowsPerPush)
            calls.append(call(epoch, batch, portions))
            start = next
        }
        return calls
    }

    /// One script call, and the owners of the ready windows that it names first.
    struct PushCall: Sendable {
        let command: RedisCommand
        let owners: ArraySlice<UserID>
    }

    /// The answer to a call: the entries offered to windows, the windows whose tails are full, and those whose tails
    /// must not wait any longer.
    struct PushReply: Sendable {
        let offered: Int
        private(set) var full: [Int] = []
        private(set) var overdue: [Int] = []

        init(_ reply: RedisReplyView) throws {
            offered = Int(try reply[0].integer)
            for index in 1..<(try reply.count) {
                let window = Int(try reply[index].integer)
                if window < 0 { overdue.append(-1 - window) } else { full.append(window) }
            }
        }
    }

    private func push(_ compose: (WindowSpace.Epoch) -> [PushCall]) async throws -> Int {
        var owners: [ArraySlice<UserID>] = []
        let replies: [PushReply] = try await perform { epoch in
            let calls = compose(epoch)
            owners = calls.map(\.owners)
            return calls.map(\.command)
        } decode: { replies in
            try (0..<replies.count).map { try PushReply(replies[$0]) }
        }
        // The tail of a building window becomes that of a ready one, which is folded after a later push.
        func named(_ windows: KeyPath<PushReply, [Int]>) -> [UserID] {
            zip(owners, replies).flatMap { owners, reply in
                reply[keyPath: windows].filter { $0 < owners.count }.map { owners[owners.startIndex + $0] }
            }
        }
        try await fold(full: named(\.full), overdue: named(\.overdue))
        return replies.reduce(0) { $0 + $1.offered }
    }

    /// Leaves folds to the queue, if it has room and they are not overdue.
    func fold(full: [UserID], overdue: [UserID]) async throws {
        guard let folds else {
            if !full.isEmpty || !overdue.isEmpty { try await fold(Array((full + overdue).uniqued())) }
            return
        }
        let rest = Array((folds.request(full) + overdue).uniqued())
        guard !rest.isEmpty else { return }
        try await fold(rest, ofAtLeast: depth.tailBytes)
        folds.noteFoldsByPush(rest.count)
    }

    /// - Parameter entries: Oldest first.
    private func pushes(_ entries: [FeedEntry], to viewers: [UserID], _ epoch: WindowSpace.Epoch) -> [PushCall] {
        let words = WindowTail.words(of: entries)
        return viewers.chunks(ofCount: windowsPerPush).map { part in
            let building = builds.builds(of: part)
            var command = script(
                epoch.scripts.push, keys: 1 + part.count + building.count, arguments: 4, bytes: words.count)
            epoch.keys.appendState(to: &command)
            for viewer in part { epoch.keys.appendTail(of: viewer, to: &command) }
            for build in building { epoch.keys.append(build, to: &command) }
            command.append(epoch.fence)
            command.append(integer: Int64(depth.tailBytes))
            command.append(words)
            command.append(integer: Int64(entries.count))
            return PushCall(command: command, owners: part)
        }
    }

    /// Those of `portions`, which are for `viewers`, that go to building windows, too.
    func copies(
        of portions: [PushBatch.Portion], for viewers: [UserID]
    ) -> [(build: WindowBuild, portion: PushBatch.Portion)] {
        builds.builds(of: viewers).flatMap { build in
            portions.filter { $0.viewer == build.viewer }.map { (build, $0) }
        }
    }

    private func call(
        _ epoch: WindowSpace.Epoch, _ batch: PushBatch, _ portions: [PushBatch.Portion]
    ) -> PushCall {
        let viewers = portions.map(\.viewer)
        let copies = copies(of: portions, for: viewers)
        var layout = PushLayout()
        for portion in portions + copies.map(\.portion) { layout.add(portion, of: batch) }
        let keys = 1 + portions.count + copies.count
        var command = script(epoch.scripts.pushEach, keys: keys, arguments: layout.argumentCount + 2)
        epoch.keys.appendState(to: &command)
        for viewer in viewers { epoch.keys.appendTail(of: viewer, to: &command) }
        for (build, _) in copies { epoch.keys.append(build, to: &command) }
        command.append(epoch.fence)
        command.append(integer: Int64(depth.tailBytes))
        layout.append(to: &command)
        return PushCall(command: command, owners: viewers[...])
    }
}
