import Coordination
import Logging
import RedisClient
import Synchronization

/// The buckets of a cluster from the side of a node that may not maintain them: a slot map, and the connections to the
/// masters over which windows are read.
final class FollowedBuckets: Sendable {
    /// The pause between two looks for buckets without a master that has their windows.
    private static let rest = Duration.seconds(1)
    private static let pauses = RedisBackoff(minimum: .milliseconds(20), maximum: .milliseconds(500))

    let cluster: RedisCluster
    private let wakeup = Wakeup(pace: .milliseconds(5))
    private let isDoubted = Atomic(true)

    init(_ configuration: RedisClusterConfiguration, logger: Logger) throws {
        cluster = try RedisCluster(configuration: configuration, name: "followed", logger: logger)
    }

    /// The session over which windows of `bucket` are read, with the history of the master's data.
    func session(of bucket: RedisBucket) -> RedisHandshake? { cluster.master(of: bucket)?.reading.present }

    /// Has the slot map be asked for soon: a master has refused a command, or is not there.
    func doubt() {
        isDoubted.store(true, ordering: .sequentiallyConsistent)
        wakeup.signal()
    }

    /// Serves the connections, and asks for a newer slot map while masters do not have the windows of their buckets.
    /// Runs until the task is cancelled.
    func run(for spaces: [FollowedSpace]) async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.cluster.run() }
            group.addTask { await self.follow(spaces) }
        }
    }

    private func follow(_ spaces: [FollowedSpace]) async {
        var attempts = 0
        while !Task.isCancelled {
            if isOutdated(for: spaces) {
                await cluster.refresh()
                attempts += 1
            } else {
                attempts = 0
            }
            await wakeup.wait(atMost: attempts == 0 ? Self.rest : Self.pauses.ceiling(attempt: attempts))
        }
    }

    /// Returns whether the slot map may be wrong. Nobody sends anything to a bucket that is not read.
    private func isOutdated(for spaces: [FollowedSpace]) -> Bool {
        let isDoubted = isDoubted.exchange(false, ordering: .sequentiallyConsistent)
        return isDoubted || cluster.masters.isEmpty || !spaces.allSatisfy(\.isRead)
    }
}

extension FollowedSpace {
    /// True if reads go where the windows are, or if there are none.
    fileprivate var isRead: Bool { keys != nil || storedRunID == nil || storedRunID == WindowSpace.ended }
}

/// The connection to the master that reads of a bucket go to.
struct FollowedBucketReading: BucketConnection {
    let bucket: RedisBucket
    let buckets: FollowedBuckets
    let space: FollowedSpace

    var state: RedisConnection.State { space.keys == nil ? .down : .up }
    var givesWay: Bool { false }

    func waitUntilUp() async throws {
        while space.keys == nil { try await Task.sleep(for: .milliseconds(10)) }
    }

    func reconnect(because renewal: RedisConnection.Renewal) {
        buckets.cluster.master(of: bucket)?.reading.reconnect(because: renewal)
    }

    func withSession<T: Sendable>(_ body: (RedisHandshake) async throws -> T) async throws -> T {
        guard let session = buckets.session(of: bucket), session.runID == space.storedRunID else {
            buckets.doubt()
            throw RedisError.unavailable
        }
        do {
            return try await body(session)
        } catch let error as RedisError {
            if error.isRefusalOfCluster || !session.isOpen { buckets.doubt() }
            throw error.code == .closed ? .unavailable : error
        }
    }
}
