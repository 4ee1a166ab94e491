import Database
import RedisClient
import SocialGraph

extension WindowWriter {
    /// Builds the windows of `viewers` and makes them ready. The first call creates building windows that receive
    /// pushes, then the snapshot is read, then one pipeline flips the windows. Each window is handed over whole; its
    /// posts are added instead if a push has come meanwhile or Redis rejects the dump. `entries` reads up to `cap`
    /// entries of each viewer, newest first. The caller holds a ticket taken before this call. `replacing` limits the
    /// builds to viewers with a ready window, which stays readable until the flip. Returns the outcome of each build.
    package func build(
        _ viewers: [UserID], replacing: Bool = false, entries: @Sendable ([UserID]) async throws -> [[FeedEntry]]
    ) async throws -> [BuildOutcome] {
        let builds = viewers.map(builds.register)
        defer { for build in builds { self.builds.unregister(build) } }
        let started = try await begin(builds, replacing: replacing)
        var outcomes = Array(repeating: BuildOutcome.nothingToReplace, count: viewers.count)
        guard !started.isEmpty else { return outcomes }
        let snapshots = try await entries(started.map { viewers[$0] })
        let completed = zip(started, snapshots).map { (build: builds[$0], snapshot: $1) }
        var flipped = try await replies { epoch in
            completed.map { restore($0.build, as: $0.snapshot, epoch) ?? flip($0.build, to: $0.snapshot, epoch) }
        }
        let rest = flipped.indices.filter { flipped[$0] == Self.needsPosts }
        if !rest.isEmpty {
            let added = try await replies { epoch in
                rest.map { flip(completed[$0].build, to: completed[$0].snapshot, epoch) }
            }
            for (place, index) in rest.enumerated() {
                flipped[index] = added.indices.contains(place) ? added[place] : 0
            }
        }
        for (place, index) in started.enumerated() {
            outcomes[index] = flipped.indices.contains(place) && flipped[place] > 0 ? .ready : .lost
        }
        return outcomes
    }

    /// Begins `builds`. Returns the indices of the windows created.
    private func begin(_ builds: [WindowBuild], replacing: Bool) async throws -> [Int] {
        try await perform { epoch in
            var command = script(epoch.scripts.begin, keys: 1 + builds.count * 2)
            epoch.keys.appendState(to: &command)
            for build in builds {
                epoch.keys.append(build, to: &command)
                epoch.keys.appendWindow(of: build.viewer, to: &command)
            }
            command.append(epoch.fence)
            command.append(integer: Self.buildExpiry)
            command.append(replacing ? "1" : "0")
            return [command]
        } decode: { replies in
            try replies.throwIfAnyError()
            return try (0..<replies[0].count).filter { try replies[0][$0].integer > 0 }
        } ended: {
            []
        }
    }

    private static let needsPosts = 2

    private func isComplete(_ snapshot: [FeedEntry]) -> Bool { snapshot.count < depth.cap }

    /// - Parameter snapshot: Newest first.
    private func restore(
        _ build: WindowBuild, as snapshot: [FeedEntry], _ epoch: WindowSpace.Epoch
    ) -> RedisCommand? {
        let isComplete = isComplete(snapshot)
        guard let dump = WindowDump.dump(of: snapshot, isComplete: isComplete) else { return nil }
        var command = script(epoch.scripts.restore, keys: 3, bytes: dump.count)
        epoch.keys.appendState(to: &command)
        epoch.keys.append(build, to: &command)
        epoch.keys.appendWindow(of: build.viewer, to: &command)
        command.append(epoch.fence)
        command.append(integer: isComplete ? 0 : snapshot.last?.position.rawValue ?? 0)
        command.append(integer: idleSeconds * 1_000)
        command.append(dump)
        return command
    }

    /// - Parameter snapshot: Newest first.
    private func flip(_ build: WindowBuild, to snapshot: [FeedEntry], _ epoch: WindowSpace.Epoch) -> RedisCommand {
        var command = script(epoch.scripts.flip, keys: 3, arguments: snapshot.count * 2 + 8)
        epoch.keys.appendState(to: &command)
        epoch.keys.append(build, to: &command)
        epoch.keys.appendWindow(of: build.viewer, to: &command)
        command.append(epoch.fence)
        command.append(integer: Int64(depth.cap))
        command.append(integer: Int64(depth.limit))
        command.append(isComplete(snapshot) ? "1" : "0")
        command.append(integer: idleSeconds)
        // Redis finds the position of a newer entry at the head.
        for entry in snapshot.reversed() {
            command.append(integer: -entry.position.rawValue)
            command.append(integer: entry.post.rawValue)
        }
        return command
    }
}

/// The outcome of a build.
package enum BuildOutcome: Sendable {
    case ready
    case nothingToReplace
    /// The building window was evicted or belongs to a retired generation. A ready window, if any, is unchanged.
    case lost
}
