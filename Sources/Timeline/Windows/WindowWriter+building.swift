import SocialGraph

extension WindowWriter {
    /// Builds the windows of `viewers` and makes them ready: first building windows that receive pushes, in one call,
    /// then the snapshot, then the flips, in one pipeline. `entries`: reads up to `cap` entries of each, newest first.
    /// The caller holds a ticket taken before this. `replacing`: only those of which there is a ready window, which
    /// stays readable until the flip. Returns what became of each.
    package func build(
        _ viewers: [UserID], replacing: Bool = false, entries: @Sendable ([UserID]) async throws -> [[FeedEntry]]
    ) async throws -> [BuildOutcome] {
        let builds = viewers.map(builds.register)
        defer { for build in builds { self.builds.unregister(build) } }
        let started = try await begin(builds, replacing: replacing)
        var outcomes = Array(repeating: BuildOutcome.nothingToReplace, count: viewers.count)
        guard !started.isEmpty else { return outcomes }
        let snapshots = try await entries(started.map { viewers[$0] })
        let flipped = try await replies { epoch in
            zip(started, snapshots).map { flip(builds[$0], to: $1, epoch) }
        }
        for (place, index) in started.enumerated() {
            outcomes[index] = flipped.indices.contains(place) && flipped[place] > 0 ? .ready : .lost
        }
        return outcomes
    }

    /// Returns the indices of those that have begun.
    private func begin(_ builds: [WindowBuild], replacing: Bool) async throws -> [Int] {
        try await perform { epoch in
            var command = script(epoch.scripts.begin, keys: 1 + builds.count * 2)
            epoch.keys.appendState(to: &command)
            for build in builds {
                epoch.keys.append(build, to: &command)
                epoch.keys.appendWindow(of: build.viewer, to: &command)
            }
            command.append(epoch.fence)
            command.append(integer: TimelineLimits.buildExpiry)
            command.append(replacing ? "1" : "0")
            return [command]
        } decode: { replies in
            try replies.throwIfAnyError()
            return try (0..<replies[0].count).filter { try replies[0][$0].integer > 0 }
        } ended: {
            []
        }
    }

    /// - Parameter snapshot: newest first.
    private func flip(_ build: WindowBuild, to snapshot: [FeedEntry], _ epoch: WindowSpace.Epoch) -> RedisCommand {
        var command = script(epoch.scripts.flip, keys: 3, arguments: snapshot.count * 2 + 8)
        epoch.keys.appendState(to: &command)
        epoch.keys.append(build, to: &command)
        epoch.keys.appendWindow(of: build.viewer, to: &command)
        command.append(epoch.fence)
        command.append(integer: Int64(depth.cap))
        command.append(integer: Int64(depth.limit))
        command.append(snapshot.count < depth.cap ? "1" : "0")
        command.append(integer: idleSeconds)
        // Redis finds the place of a newer entry at the head.
        for entry in snapshot.reversed() {
            command.append(integer: -entry.position.rawValue)
            command.append(integer: entry.post.rawValue)
        }
        return command
    }
}

/// What became of a build.
package enum BuildOutcome: Sendable {
    case ready
    case nothingToReplace
    /// The building window was evicted, dropped, or is of a generation that is over: a ready window, if there is one,
    /// is as it was.
    case lost
}
