import TestSupport
import Testing

@testable import loadtests

@Suite(.timeLimit(.unit))
struct BacklogTests {
    private let due = (0..<100).map { Double($0) }

    @Test func `requests that are done before the next one meet nothing`() {
        let backlog = Backlog(due: due, done: due.map { $0 + 0.9 })
        #expect(backlog.requests == 100)
        #expect(backlog.share(allowed: 0) == 1)
    }

    @Test func `a request that ends when the next one is due is not met`() {
        #expect(Backlog(due: due, done: due.map { $0 + 1 }).share(allowed: 0) == 1)
    }

    @Test func `each request meets as many as are unfinished`() {
        let backlog = Backlog(due: due, done: due.map { $0 + 2.5 })
        #expect(backlog.share(allowed: 0) == 0.01)
        #expect(backlog.share(allowed: 1) == 0.02)
        #expect(backlog.share(allowed: 2) == 1)
        #expect(!backlog.isKeptUpWith(allowed: 1) && backlog.isKeptUpWith(allowed: 2))
    }

    @Test func `requests that wait and are handled together at the end are not kept up with`() {
        // All are done a moment after the last one was due.
        let backlog = Backlog(due: due, done: due.map { _ in 99.05 })
        #expect(!backlog.isKeptUpWith(allowed: 1))
        // So do ten at a time.
        let groups = Backlog(due: due, done: due.map { ($0 / 10).rounded(.down) * 10 + 9.5 })
        #expect(!groups.isKeptUpWith(allowed: 1))
    }

    @Test func `a short pause of the machine is exempt and a longer one is not`() {
        func paused(_ late: Int) -> Backlog {
            var done = (0..<1_000).map { Double($0) + 0.5 }
            for number in 500..<(500 + late) { done[number] = Double(500 + late) - 0.5 }
            return Backlog(due: (0..<1_000).map { Double($0) }, done: done)
        }
        #expect(paused(20).share(allowed: 1) == 0.982)
        #expect(paused(20).isKeptUpWith(allowed: 1))
        #expect(!paused(30).isKeptUpWith(allowed: 1))
    }

    @Test func `requests of the warm-up are met but not counted`() {
        let done = due.map { $0 < 10 ? 10.5 : $0 + 0.5 }
        let backlog = Backlog(due: due, done: done, from: 10)
        #expect(backlog.requests == 90)
        #expect(backlog.share(allowed: 9) == 89.0 / 90)
        #expect(backlog.share(allowed: 10) == 1)
    }

    @Test func `requests may end in another order`() {
        let backlog = Backlog(due: [0, 1, 2, 3.0], done: [2.5, 1.5, 2.2, 3.5])
        #expect(backlog.share(allowed: 0) == 0.5)
        #expect(backlog.share(allowed: 1) == 1)
    }

    @Test func `nothing is kept up with without requests`() {
        #expect(Backlog().share(allowed: 8) == 0)
        #expect(!Backlog().isKeptUpWith(allowed: 8))
    }
}
