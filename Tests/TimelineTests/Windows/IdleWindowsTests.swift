import Database
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.unit))
struct IdleWindowsTests {
    @Test(arguments: [30, 3_000])
    func `a reader's window is renewed at the first read, and then after a share of its time`(idle: Int64) {
        let clock = Guarded(Int64(1_000))
        let windows = IdleWindows(idle: .seconds(idle), now: { clock.withLock { $0 } })
        let share = idle / Int64(IdleWindows.idleShare)
        #expect(windows.renewal(of: viewer) == idle)
        #expect(windows.renewal(of: viewer) == nil)
        #expect(windows.renewal(of: otherViewer) == idle)
        clock.withLock { $0 += share - 1 }
        #expect(windows.renewal(of: viewer) == nil)
        clock.withLock { $0 += 1 }
        #expect(windows.renewal(of: viewer) == idle)
        #expect(windows.renewal(of: viewer) == nil)
    }

    @Test(arguments: [Int64(1), 2, 29, 31, 1_000])
    func `no read comes so late that the window of a steady reader is gone`(idle: Int64) {
        let clock = Guarded(Int64(0))
        let windows = IdleWindows(idle: .seconds(idle), now: { clock.withLock { $0 } })
        var end = Int64(0)
        for second in 0..<idle * 3 {
            clock.withLock { $0 = second }
            if second > 0 { #expect(end >= second, "gone at \(second)") }
            if let seconds = windows.renewal(of: viewer) { end = second + seconds }
        }
    }

    @Test
    func `of more readers than it remembers, some are renewed again, none too seldom`() {
        let clock = Guarded(Int64(0))
        let windows = IdleWindows(idle: .seconds(300), capacity: 100, now: { clock.withLock { $0 } })
        var renewed: [Int64: Int64] = [:]
        var renewals = 0
        var random = SplitMix64(seed: 3)
        for read in 0..<20_000 {
            clock.withLock { $0 = Int64(read) / 200 }
            let reader = Int64.random(in: 0..<400, using: &random)
            if windows.renewal(of: UserID(rawValue: reader)) != nil {
                renewed[reader] = Int64(read) / 200
                renewals += 1
            }
            #expect(Int64(read) / 200 - (renewed[reader] ?? -1_000) < 10)
        }
        #expect(renewals > 4_000)
        // A remembered reader is not renewed again.
        for _ in 0..<3 { _ = windows.renewal(of: viewer) }
        #expect(windows.renewal(of: viewer) == nil)
    }
}
