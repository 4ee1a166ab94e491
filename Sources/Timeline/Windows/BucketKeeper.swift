import Coordination
import Logging
import RedisClient
import Synchronization

/// Establishes the windows of each bucket of a cluster at the master that serves its slot, whenever they are not.
final class BucketKeeper: Sendable {
    /// The pause between two looks at buckets that are all served: a session may end while nobody sends anything.
    private static let rest = Duration.seconds(1)
    /// The pauses between attempts for buckets that are not.
    private static let pauses = RedisBackoff(minimum: .milliseconds(20), maximum: .milliseconds(500))
    /// The shortest pause, however often a bucket is left.
    private static let pace = Duration.milliseconds(5)
    /// The least time before a bucket is given up that has not been served yet.
    private static let patienceAtStart = Duration.seconds(5)

    /// The digests of the scripts, which every writing connection loads first.
    private final class Scripts: Sendable {
        let digests = Mutex<ScriptDigests?>(nil)
    }

    let homes: [BucketHome]
    /// The indices of the buckets that this process maintains.
    private let kept: [Int]
    private let cluster: RedisCluster
    private let patience: Duration
    private let logger: Logger
    private let left: Wakeup
    private let scripts: Scripts

    /// - Parameters:
    ///   - share: The buckets to maintain.
    ///   - patience: The time for which a bucket may be without a master before nobody waits for it any longer.
    ///   - space: Makes the space of a bucket.
    init(
        _ configuration: RedisClusterConfiguration, share: FanoutShare, depth: WindowDepth, patience: Duration,
        logger: Logger, space: (ShardNumber) -> WindowSpace
    ) throws {
        let (scripts, left) = (Scripts(), Wakeup(pace: Self.pace))
        cluster = try RedisCluster(configuration: configuration, name: "windows", logger: logger) { handshake in
            let digests = try await ScriptDigests.load(over: handshake)
            scripts.digests.withLock { $0 = digests }
            await WindowEncoding.warn(ifTooSmallFor: depth, over: handshake, logger)
        }
        let numbers = ShardNumber.all(of: RedisBucket.count)
        homes = numbers.map { BucketHome(space: space($0), left: left) }
        kept = numbers.filter { share.lease(of: $0) != nil }.map(\.index)
        self.patience = patience
        self.logger = logger
        self.left = left
        self.scripts = scripts
    }

    /// Number of masters in the slot map.
    var masterCount: Int { cluster.masters.count }

    /// Serves the connections and keeps the buckets until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.cluster.run() }
            group.addTask { await self.keep() }
            group.addTask { await self.cluster.confirmUnreadMasters() }
        }
    }

    private func keep() async {
        var coldSince = homes.map { _ in Optional(ContinuousClock.now + max(Self.patienceAtStart - patience, .zero)) }
        var attempts = 0
        while !Task.isCancelled {
            let cold = kept.filter { !homes[$0].isServed }
            let rest = await establish(cold)
            for index in kept {
                coldSince[index] = rest.contains(index) ? coldSince[index] ?? .now : nil
            }
            let deadline = ContinuousClock.now - patience
            await giveUp(rest.filter { coldSince[$0].map { $0 <= deadline } ?? false })
            guard !rest.isEmpty else {
                attempts = 0
                await left.wait(atMost: Self.rest)
                continue
            }
            // A slot map that is right may come before its master can be reached, and a wrong one be asked for again.
            await cluster.refresh()
            await left.wait(atMost: Self.pauses.ceiling(attempt: attempts))
            attempts += 1
        }
    }

    /// Returns the buckets that are not served afterwards.
    private func establish(_ indices: [Int]) async -> Set<Int> {
        await withTaskGroup(of: Int?.self) { group in
            for index in indices { group.addTask { await self.establish(index) ? nil : index } }
            return await group.reduce(into: Set<Int>()) { rest, index in
                if let index { rest.insert(index) }
            }
        }
    }

    private func establish(_ index: Int) async -> Bool {
        let (home, bucket) = (homes[index], RedisBucket(index))
        if let place = home.place { home.leave(place) }
        guard let master = cluster.master(of: bucket), let session = master.writing.present else { return false }
        let place = BucketHome.Place(master: master, session: session)
        do {
            try await Self.refuseSlotUnderWay(bucket, over: session)
            home.enter(place)
            try await home.space.establish(
                over: session, runID: session.runID, loaded: scripts.digests.withLock(\.self))
            return true
        } catch {
            if let error = error as? RedisError, error.isRefusalOfCluster { _ = home.note(error, from: place) }
            home.leave(place)
            logger.debug("bucket not established", metadata: ["bucket": "\(index)", "error": "\(error)"])
            return false
        }
    }

    /// Throws while the slot is being moved: the master then refuses keys that it does not have.
    private static func refuseSlotUnderWay(_ bucket: RedisBucket, over session: RedisHandshake) async throws {
        _ = try await session.send(RedisCommand("EXISTS", ["absent:{\(bucket.tag)}"])) { try $0.integer }
    }

    private func giveUp(_ indices: [Int]) async {
        let homes = indices.map { self.homes[$0] }.filter { !$0.space.isGivenUp }
        guard !homes.isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            for home in homes {
                // For example after the loss of the lease. The next round tries again.
                group.addTask { try? await home.space.giveUp() }
            }
        }
        logger.error(
            "buckets of the cluster have no master and are given up", metadata: ["buckets": "\(homes.count)"])
    }
}
