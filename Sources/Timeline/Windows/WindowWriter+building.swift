import Database
import RedisClient
import SocialGraph

extension WindowWriter {
    /// Builds the windows of `viewers` and makes them ready. The first call creates building windows that receive
    /// pushes, then the snapshot is read, then one pipeline flips the windows. Each snapshot is handed over whole; its
    /// posts are added one by one instead if Redis rejects the dump. `entries` reads up to `cap`
    /// entries of each viewer, newest first. The caller holds a ticket taken before this call. `replacing` limits the
    /// builds to viewers with a ready window, which stays readable until the flip. Returns the outcome of each build.
    package func build(
        _ viewers: [UserID], replacing: Bool = false, entries: @Sendable ([UserID]) async throws -> [[FeedEntry]]
    ) async throws -> [BuildOutcome] {
        let builds = viewers.map(builds.register)
        defer { for build in builds { self.builds.unregister(build) } }
        // Viewers without a window may have a copy, too: it outlives a window that Redis has evicted.
        defer { space.recent?.forget(viewers) }
        let started = try await begin(builds, replacing: replacing)
        var outcomes = Array(repeating: BuildOutcome.nothingToReplace, count: viewers.count)
        guard !started.isEmpty else { return outcomes }
        let snapshots = try await entries(started.map { viewers[$0] })
        let completed = zip(started, snapshots).map { (build: builds[$0], snapshot: $1) }
        var flipped = try await replies { epoch in
            completed.map { flip($0.build, to: $0.snapshot, asDump: true, epoch) }
        }
        let rest = flipped.indices.filter { flipped[$0] == Self.needsPosts }
        if !rest.isEmpty {
            let added = try await replies { epoch in
                rest.map { flip(completed[$0].build, to: completed[$0].snapshot, asDump: false, epoch) }
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
            var command = script(epoch.scripts.begin, keys: 1 + builds.count * 3)
            epoch.keys.appendState(to: &command)
            for build in builds {
                epoch.keys.append(build, to: &command)
                epoch.keys.appendBoth(of: build.viewer, to: &command)
            }
            command.append(epoch.fence)
            command.append(integer: Self.buildExpiry)
            command.append(replacing ? "1" : "0")
            return [command]
        } decode: { replies in
            try (0..<replies[0].count).filter { try replies[0][$0].integer > 0 }
        }
    }

    /// The answer of a script to a dump that Redis rejects.
    static let needsPosts = 2

    /// - Parameter snapshot: Newest first. It is complete to the beginning if it is shorter than the cap.
    private func flip(
        _ build: WindowBuild, to snapshot: [FeedEntry], asDump: Bool, _ epoch: WindowSpace.Epoch
    ) -> RedisCommand {
        let contents = WindowContents(snapshot, isComplete: snapshot.count < depth.cap, asDump: asDump)
        var command = script(epoch.scripts.flip, keys: 4, arguments: contents.argumentCount + 2, bytes: contents.bytes)
        epoch.keys.appendState(to: &command)
        epoch.keys.append(build, to: &command)
        epoch.keys.appendBoth(of: build.viewer, to: &command)
        command.append(epoch.fence)
        command.append(integer: idleSeconds * 1_000)
        contents.append(to: &command)
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
