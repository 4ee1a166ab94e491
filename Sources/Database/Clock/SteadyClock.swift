import Foundation
import Synchronization

/// A clock that does not follow a jump of the wall clock until the jump has lasted.
///
/// It compares the wall clock with the clock since boot, which cannot be set. If the two move apart by more than
/// ``step``, ``expiry()`` continues at the former pace; by more than ``jump``, ``now()`` does as well. They follow
/// after ``confirmation`` at the new time, or once an operator confirms it. A wall clock that returns leaves no trace.
///
/// Between two boots there is nothing to compare with. A gap of more than ``jump`` since the last stored time may come
/// from a machine that was off, so ``now()`` follows at once; ``expiry()`` continues from the stored time.
package final class SteadyClock: Sendable {
    /// Largest change of the wall clock, in milliseconds either way, that expiry follows.
    package static let step = 10 * Milliseconds.minute
    /// Largest change of the wall clock, in milliseconds either way, that timestamps follow.
    package static let jump = Milliseconds.day
    /// Milliseconds that a new time must last before it is followed.
    package static let confirmation = Milliseconds.day

    /// A change of the state that is reported to operators.
    package enum Event: Sendable, Equatable {
        /// The wall clock has moved by so many milliseconds against the former pace.
        case jumped(by: Int64)
        case returned
        /// The new time has lasted, or was confirmed.
        case accepted(by: Int64)
    }

    /// The state that outlives a process.
    package struct Mark: Sendable, Equatable {
        /// Trusted time, in milliseconds since 1970, when the clock since boot showed ``boot``.
        package let trusted: Int64
        package let boot: Int64
        /// The boot that ``boot`` counts from; nil: not known.
        package let bootID: String?
        /// Duration of the jump, in milliseconds; 0 without one.
        package let pending: Int64

        package init(trusted: Int64, boot: Int64 = 0, bootID: String? = nil, pending: Int64 = 0) {
            self.trusted = trusted
            self.boot = boot
            self.bootID = bootID
            self.pending = pending
        }
    }

    private struct Candidate {
        /// Milliseconds between the clock since boot and 1970.
        var offset: Int64
        /// The time of the change by the clock since boot.
        var since: Int64
    }

    private struct State {
        /// Offsets, as for a candidate: of the confirmed time, and of ``SteadyClock/now()``.
        var trusted: Int64
        var current: Int64
        var candidate: Candidate?
        var events: [Event] = []
    }

    private let readWall: @Sendable () -> Int64
    private let readBoot: @Sendable () -> Int64
    private let bootID: String?
    private let state: Mutex<State>

    /// - Parameters:
    ///   - wall: milliseconds since 1970.
    ///   - boot: milliseconds since boot, those of suspension included.
    ///   - bootID: a name of this boot; nil: not known.
    package init(
        wall: @escaping @Sendable () -> Int64 = SystemClock.milliseconds,
        boot: @escaping @Sendable () -> Int64 = BootClock.milliseconds, bootID: String? = BootClock.bootID()
    ) {
        readWall = wall
        readBoot = boot
        self.bootID = bootID
        let offset = wall() - boot()
        state = Mutex(State(trusted: offset, current: offset))
    }

    /// Continues from the state of an earlier process. Call it before the times are used.
    package func resume(from mark: Mark) {
        let (wall, boot) = (readWall(), readBoot())
        let isSameBoot = mark.bootID != nil && mark.bootID == bootID && mark.boot <= boot
        state.withLock { state in
            state.trusted = isSameBoot ? mark.trusted - mark.boot : mark.trusted - boot
            let gap = wall - boot - state.trusted
            // A wall clock that shows less than the stored time has lost its time. One that shows more may be right or
            // wrong.
            state.current = isSameBoot || gap < 0 ? state.trusted : wall - boot
            // Clock changes while the server was off.
            if !isSameBoot, abs(gap) <= Self.jump { state.trusted = wall - boot }
            Self.take(wall, boot, &state)
            state.candidate?.since -= mark.pending
        }
    }

    /// Milliseconds since 1970, for ids and stamps.
    @Sendable package func now() -> Int64 {
        let (wall, boot) = (readWall(), readBoot())
        return state.withLock { state in
            Self.take(wall, boot, &state)
            return boot + state.current
        }
    }

    /// Milliseconds since 1970 up to which data may expire for good.
    @Sendable package func expiry() -> Int64 {
        let (wall, boot) = (readWall(), readBoot())
        return state.withLock { state in
            Self.take(wall, boot, &state)
            return boot + min(state.trusted, state.current)
        }
    }

    /// The unchanged wall clock, in milliseconds since 1970.
    @Sendable package func wall() -> Int64 { readWall() }

    /// Confirms the wall clock, on behalf of an operator.
    package func confirm() {
        let offset = readWall() - readBoot()
        state.withLock { state in
            let jump = offset - state.trusted
            (state.trusted, state.current, state.candidate) = (offset, offset, nil)
            if abs(jump) > Self.step { state.events.append(.accepted(by: jump)) }
        }
    }

    /// Distance of the wall clock from the trusted time, in milliseconds, while it exceeds the tolerance.
    package var jump: Int64? {
        _ = now()
        return state.withLock { state in state.candidate.map { $0.offset - state.trusted } }
    }

    /// Returns the events since the last call and removes them.
    package func takeEvents() -> [Event] {
        _ = now()
        return state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    package var mark: Mark {
        _ = now()
        let boot = readBoot()
        return state.withLock { state in
            Mark(
                trusted: boot + state.trusted, boot: boot, bootID: bootID,
                pending: state.candidate.map { max(boot - $0.since, 0) } ?? 0)
        }
    }

    private static func take(_ wall: Int64, _ boot: Int64, _ state: inout State) {
        let offset = wall - boot
        func isNear(_ other: Int64, within bound: Int64 = SteadyClock.step) -> Bool {
            abs(offset - other) <= bound
        }
        // A machine without a battery starts long before the time of its first id.
        let wasUnset = boot + state.trusted < IDSequence.epoch && offset > state.trusted
        if wasUnset || isNear(state.trusted) {
            (state.trusted, state.current) = (offset, offset)
            if state.candidate != nil { state.events.append(.returned) }
            state.candidate = nil
            return
        }
        let follows = [state.current, state.trusted].contains { isNear($0, within: Self.jump) }
        if follows { state.current = offset }
        guard let candidate = state.candidate, isNear(candidate.offset) else {
            state.candidate = Candidate(offset: offset, since: boot)
            state.events.append(.jumped(by: offset - state.trusted))
            return
        }
        if boot - candidate.since >= Self.confirmation {
            state.events.append(.accepted(by: offset - state.trusted))
            (state.trusted, state.current, state.candidate) = (offset, offset, nil)
        } else {
            state.candidate?.offset = offset
        }
    }
}

/// The clock that counts since boot, suspension included.
package enum BootClock {
    package static func milliseconds() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// A name of the present boot; nil if the system provides none.
    package static func bootID() -> String? {
        let file = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
        guard let id = file?.trimmingCharacters(in: .whitespacesAndNewlines), !id.isEmpty else { return nil }
        return id.contains(" ") ? nil : id
    }
}
