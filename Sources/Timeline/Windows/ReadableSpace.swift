import Database
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

/// The windows of one shard that another node may maintain: those of the stored generation, as long as reads go to the
/// process of Redis that it belongs to, or in a cluster to a master with that history.
final class FollowedSpace: ReadableSpace {
    private struct State {
        /// The generation that was read last; nil: there is none, or it was never read.
        var stored: (keys: WindowKeys, runID: String)?
        /// The process of Redis that the connection leads to.
        var runID: String?
    }

    let shard: ShardNumber
    private let mechanisms: SharingMechanisms
    /// The history of the master that reads go to; nil: there is none. Outside a cluster the connection tells it.
    private let history: (@Sendable () -> String?)?
    private let state = Mutex(State())

    init(
        shard: ShardNumber, _ mechanisms: SharingMechanisms = SharingMechanisms(),
        history: (@Sendable () -> String?)? = nil
    ) {
        self.shard = shard
        self.mechanisms = mechanisms
        self.history = history
    }

    var keys: WindowKeys? {
        let (stored, connected) = state.withLock { ($0.stored, $0.runID) }
        let present = if let history { history() } else { connected }
        return stored?.runID == present ? stored?.keys : nil
    }

    /// The process of Redis, or the history, that the stored generation belongs to.
    var storedRunID: String? { state.withLock { $0.stored?.runID } }

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

/// The stored generations of all shards. They only move on: of two looks the one at the later state counts.
final class FollowedGenerations: Sendable {
    private let spaces: [FollowedSpace]
    private let settings: SettingStore
    /// The state that is in force, as ``LogLook/windows`` counts.
    private let known = Mutex<Int64>(-1)

    init(_ spaces: [FollowedSpace], in settings: SettingStore) {
        (self.spaces, self.settings) = (spaces, settings)
    }

    /// Returns once the generations of the state `version`, or of a later one, are in force.
    func require(_ version: Int64) async throws {
        guard known.withLock({ $0 < version }) else { return }
        let found = try await settings.windowSettings(prefix: WindowSpace.generationSetting)
        known.withLock { known in
            guard known < found.version else { return }
            for space in spaces { space.note(found.values) }
            known = found.version
        }
    }
}
