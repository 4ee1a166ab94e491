import RedisClient
import SocialGraph
import Synchronization

/// The trusted windows of one shard, from a reader's side.
package protocol ReadableSpace: Sendable {
    /// The keys that may be read; nil: no window is trusted.
    var keys: WindowKeys? { get }
    /// Copies of windows in memory; nil: none are kept.
    var recent: RecentWindows? { get }
    /// True if the windows in memory may be used, because nobody else changes those in Redis.
    var mayWrite: @Sendable () -> Bool { get }
    /// True if other nodes change the windows, so that ``HubMark`` has to be compared.
    var isFollowed: Bool { get }
}

extension WindowSpace: ReadableSpace {
    package var isFollowed: Bool { false }
}

/// The windows of one shard that another node may maintain: those of the stored generation, as long as the connection
/// leads to the process of Redis that it belongs to.
final class FollowedSpace: ReadableSpace {
    private struct State {
        /// The generation that was read last; nil: there is none, or it was never read.
        var stored: (keys: WindowKeys, runID: String)?
        /// The process of Redis that the connection leads to.
        var runID: String?
    }

    let shard: ShardNumber
    private let mechanisms: SharingMechanisms
    private let state = Mutex(State())

    init(shard: ShardNumber, _ mechanisms: SharingMechanisms = SharingMechanisms()) {
        self.shard = shard
        self.mechanisms = mechanisms
    }

    var keys: WindowKeys? {
        state.withLock { state in
            guard let stored = state.stored, stored.runID == state.runID else { return nil }
            return stored.keys
        }
    }

    var recent: RecentWindows? { nil }
    var mayWrite: @Sendable () -> Bool { { false } }
    var isFollowed: Bool { true }

    /// Notes the generation in settings that were just read. One that cannot be decoded is none.
    func note(_ settings: [String: String]) {
        let stored = settings[WindowSpace.setting(of: shard)].flatMap { try? WindowSpace.decode($0, of: shard) }
        state.withLock { state in
            if mechanisms.followsGenerations || state.stored?.runID != stored?.runID { state.stored = stored }
        }
    }

    /// Notes that a new connection leads to this process of Redis.
    func confirm(runID: String) { state.withLock { $0.runID = runID } }
}
