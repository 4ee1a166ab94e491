import CoreMetrics
import Logging
import SocialGraph
import Synchronization

/// Follows the change log and tells open streams of new home items and notifications. The log, not a feed, is what a
/// stream goes along: a late insertion stands below items that were sent before, but its change comes after theirs.
package final class StreamBroker: Sendable {
    /// Changes looked at in one go.
    static let changesAtOnce = 512

    private struct State {
        var index = StreamIndex()
        /// Subscriptions so far: the number of the latest.
        var opened = 0
        /// Everything up to here has been offered to all who were subscribed then.
        var tail: Int64

        func hasRoom(for viewer: UserID) -> Bool {
            index.count < TimelineLimits.streams && index.count(of: viewer) < TimelineLimits.streamsPerReader
        }
    }

    private let state: Mutex<State>
    private let changes: ChangeStore
    let judge: any StreamJudge
    private let wakeup = Wakeup()
    /// Brings caches up to date with everything that was committed before the call.
    private let catchUp: @Sendable () async throws -> Void
    private let open = Meter(label: "graphd_streams_open")
    private let logger: Logger

    init(
        changes: ChangeStore, judge: any StreamJudge, tail: Int64, logger: Logger,
        catchUp: @escaping @Sendable () async throws -> Void
    ) {
        self.catchUp = catchUp
        self.changes = changes
        self.judge = judge
        self.logger = logger
        state = Mutex(State(tail: tail))
    }

    /// There may be new changes.
    func ring() { wakeup.signal() }

    package func hasRoom(for viewer: UserID) -> Bool { state.withLock { $0.hasRoom(for: viewer) } }

    /// A new subscription and the place in the log that it starts after. Nil: too many are open, of this reader or of
    /// all.
    package func subscribe(_ viewer: UserID) -> (StreamSubscription, after: Int64)? {
        state.withLock { state in
            guard state.hasRoom(for: viewer) else { return nil }
            state.opened += 1
            let subscription = StreamSubscription(viewer: viewer, number: state.opened)
            state.index.insert(subscription)
            open.set(state.index.count)
            return (subscription, state.tail)
        }
    }

    package func unsubscribe(_ subscription: StreamSubscription) {
        state.withLock { state in
            state.index.remove(subscription)
            open.set(state.index.count)
        }
    }

    /// Until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                while try await advance() == Self.changesAtOnce {}
            } catch is CancellationError {
                return
            } catch {
                logger.error("streams cannot be fed", metadata: ["error": "\(error)"])
                try? await Task.sleep(for: .milliseconds(500))
            }
            await wakeup.wait(atMost: .milliseconds(100))
        }
    }

    /// Offers the next changes to those whom they may concern. Returns how many there were.
    @discardableResult func advance() async throws -> Int {
        let tail = state.withLock { $0.tail }
        let changes = try await nextChanges(above: tail)
        // Of all of them first: what is then looked up is as new as the last.
        state.withLock { state in
            for logged in changes { state.index.forget(logged.change.affectedReaders) }
        }
        for logged in changes {
            if let candidate = StreamCandidate(logged.change) {
                try await offer(candidate, at: logged.sequence)
            } else {
                state.withLock { $0.tail = logged.sequence }
            }
        }
        return changes.count
    }

    /// Whoever subscribes while others are being asked has a turn here as well: the tail moves on when nobody is left,
    /// and whoever comes after that has the change behind.
    private func offer(_ candidate: StreamCandidate, at sequence: Int64) async throws {
        let isUnheard = state.withLock { state in
            if state.index.count == 0 { state.tail = sequence }
            return state.index.count == 0
        }
        if isUnheard { return }
        let audience = try await judge.audience(of: candidate)
        var asked = 0
        while true {
            if case .readers = audience { try await learnReaders() }
            let waiting = state.withLock { state -> [StreamSubscription]? in
                if case .readers = audience, !state.index.unknown.isEmpty { return nil }
                let waiting = state.opened > asked ? state.index.streams(audience, openedAfter: asked) : []
                if waiting.isEmpty { state.tail = sequence }
                asked = state.opened
                return waiting
            }
            // Others have come while readers were looked up.
            guard let waiting else { continue }
            if waiting.isEmpty { return }
            for subscription in waiting {
                guard let news = try await judge.news(candidate, for: subscription.viewer) else { continue }
                subscription.offer(StreamEvent(sequence: sequence, news: news))
            }
        }
    }

    /// Looks up what can bring a post to those of whom it is not known.
    private func learnReaders() async throws {
        while let viewer = state.withLock({ $0.index.unknown.first }) {
            let sources = try await judge.sources(of: viewer)
            state.withLock { $0.index.set(sources, of: viewer) }
        }
    }

    /// What of the changes after `cursor` up to `end` is news for `viewer`, up to a batch of them,
    /// and how far that has looked.
    package func replay(
        for viewer: UserID, after cursor: Int64, upTo end: Int64
    ) async throws -> (events: [StreamEvent], lookedUpTo: Int64) {
        let changes = try await nextChanges(above: cursor)
        var events: [StreamEvent] = []
        for logged in changes where logged.sequence <= end {
            guard let candidate = StreamCandidate(logged.change),
                let news = try await judge.news(candidate, for: viewer)
            else { continue }
            events.append(StreamEvent(sequence: logged.sequence, news: news))
        }
        return (events, min(changes.last?.sequence ?? end, end))
    }

    /// The next changes, none newer than what the caches know: a reader's follow and the post that it brings may lie in
    /// one commit, and the log is read while that commit is being told around.
    private func nextChanges(above cursor: Int64) async throws -> [LoggedChange] {
        let next = try await changes.changes(above: cursor, limit: Self.changesAtOnce)
        if !next.isEmpty { try await catchUp() }
        return next
    }

    /// The place of the latest change that is committed.
    package func latestChange() async throws -> Int64 { try await changes.latestChange() }

    /// Whether `cursor` is a place of this log, and everything after it still in it.
    package func remembers(_ cursor: Int64) async throws -> Bool {
        guard let oldest = try await changes.oldestChange() else { return cursor == 0 }
        let latest = try await changes.latestChange()
        return cursor >= oldest - 1 && cursor <= latest
    }
}
