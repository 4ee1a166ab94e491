import Algorithms
import Coordination
import CoreMetrics
import Logging
import SocialGraph
import Synchronization

/// Follows the change log and offers new home items and notifications to open streams. Streams follow the log and not a
/// feed: a late insertion stands below items that were sent before, but its change comes after theirs.
package final class StreamBroker: Sendable {
    /// Maximum number of changes processed at once.
    static let changesAtOnce = 512
    /// Maximum number of streams whose readers' details are read at once.
    private static let streamsAtOnce = 256

    private struct State {
        var index = StreamIndex()
        /// The number of subscriptions so far, which is the number of the latest.
        var opened = 0
        /// The position in the log up to which every change has been offered to all subscribers of that time.
        var tail: Int64

        /// Records that the change at `sequence` has been offered. A commit noted meanwhile may be further on.
        mutating func pass(_ sequence: Int64) { tail = max(tail, sequence) }

        func hasRoom(for viewer: UserID) -> Bool {
            index.count < TimelineLimits.streams && index.count(of: viewer) < TimelineLimits.streamsPerReader
        }
    }

    private let state: Mutex<State>
    private let changes: ChangeStore
    let judge: any StreamJudge
    private let wakeup: Wakeup
    /// Applies everything committed before the call to the caches.
    private let catchUp: @Sendable () async throws -> Void
    private let open = Meter(label: "graphd_streams_open")
    private let logger: Logger

    /// - Parameter wakeup: signalled after each commit of others.
    init(
        changes: ChangeStore, judge: any StreamJudge, tail: Int64, wakeup: Wakeup, logger: Logger,
        catchUp: @escaping @Sendable () async throws -> Void
    ) {
        self.catchUp = catchUp
        self.changes = changes
        self.judge = judge
        self.wakeup = wakeup
        self.logger = logger
        state = Mutex(State(tail: tail))
    }

    /// Notes the place in the log of a commit of this process. Called in commit order. While no stream is open, what is
    /// committed concerns none, and the log is not read.
    func noteOwn(_ sequence: ClosedRange<Int64>) {
        let isUnheard = state.withLock { state in
            guard state.index.count == 0, sequence.lowerBound <= state.tail + 1 else { return false }
            state.pass(sequence.upperBound)
            return true
        }
        if !isUnheard { wakeup.signal() }
    }

    package func hasRoom(for viewer: UserID) -> Bool { state.withLock { $0.hasRoom(for: viewer) } }

    /// Returns a new subscription and the position in the log after which it starts. Returns nil if too many are open,
    /// for this reader or for all.
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

    /// Runs until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            do {
                while try await advance() == Self.changesAtOnce {}
            } catch is CancellationError {
                return
            } catch {
                logger.error("streams cannot be served", metadata: ["error": "\(error)"])
                try? await Task.sleep(for: .milliseconds(500))
                continue
            }
            await wakeup.wait()
        }
    }

    /// Offers the next changes to the readers whom they may concern. Returns the number of changes.
    @discardableResult func advance() async throws -> Int {
        let tail = state.withLock { $0.tail }
        let changes = try await nextChanges(above: tail)
        // All changes are invalidated first, so that later lookups are as new as the last change.
        state.withLock { state in
            for logged in changes { state.index.forget(logged.change.affectedReaders) }
        }
        for logged in changes {
            // Committed while no stream was open, and noted since it was read.
            if state.withLock({ $0.tail >= logged.sequence }) { continue }
            if let candidate = StreamCandidate(logged.change) {
                try await offer(candidate, at: logged.sequence)
            } else {
                state.withLock { $0.pass(logged.sequence) }
            }
        }
        return changes.count
    }

    /// Offers a candidate to the streams concerned, including those that subscribe during the call. The tail advances
    /// when no stream is left, and later subscriptions start after the change.
    private func offer(_ candidate: StreamCandidate, at sequence: Int64) async throws {
        let isUnheard = state.withLock { state in
            if state.index.count == 0 { state.pass(sequence) }
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
                if waiting.isEmpty { state.pass(sequence) }
                asked = state.opened
                return waiting
            }
            // Further streams were opened while readers were looked up.
            guard let waiting else { continue }
            if waiting.isEmpty { return }
            for streams in waiting.chunks(ofCount: Self.streamsAtOnce) {
                try await offer(candidate, at: sequence, to: streams)
            }
        }
    }

    private func offer(
        _ candidate: StreamCandidate, at sequence: Int64, to streams: ArraySlice<StreamSubscription>
    ) async throws {
        var concerned: [(stream: StreamSubscription, news: StreamEvent.News)] = []
        for stream in streams {
            if let news = try await judge.news(candidate, for: stream.viewer) { concerned.append((stream, news)) }
        }
        if let news = concerned.first?.news {
            try await judge.prepare(news, for: concerned.map(\.stream.viewer))
        }
        for (stream, news) in concerned { stream.offer(StreamEvent(sequence: sequence, news: news)) }
    }

    /// Looks up the sources of the readers whose sources are unknown.
    private func learnReaders() async throws {
        while let viewer = state.withLock({ $0.index.unknown.first }) {
            let sources = try await judge.sources(of: viewer)
            state.withLock { $0.index.set(sources, of: viewer) }
        }
    }

    /// Returns the events for `viewer` in a batch of the changes after `cursor` up to `end`, and the end of the batch.
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

    /// Returns the next changes, none newer than the state of the caches. A reader's follow and the post that it brings
    /// may be in one commit, and the log may be read while the caches are applying that commit.
    private func nextChanges(above cursor: Int64) async throws -> [LoggedChange] {
        let next = try await changes.changes(above: cursor, limit: Self.changesAtOnce)
        if !next.isEmpty { try await catchUp() }
        return next
    }

    /// Returns the position of the latest committed change.
    package func latestChange() async throws -> Int64 { try await changes.latestChange() }

    /// Returns whether `cursor` is a position of this log, with everything after it still present.
    package func remembers(_ cursor: Int64) async throws -> Bool {
        guard let oldest = try await changes.oldestChange() else { return cursor == 0 }
        let latest = try await changes.latestChange()
        return cursor >= oldest - 1 && cursor <= latest
    }
}
