import Database
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

private func job(_ id: Int64) -> OutboxJob {
    OutboxJob(id: JobID(rawValue: id), work: .rebuild(viewer: UserID(rawValue: 1)), createdAt: 0)
}

private func id(_ value: Int64) -> JobID { JobID(rawValue: value) }

@Suite(.timeLimit(.unit))
struct ReceivedJobsTests {
    @Test
    func `a job that was announced is not received again by a read, nor the other way round`() {
        var received = ReceivedJobs()
        func announce(_ number: Int64) -> Bool { received.receive(announced: id(number)) }
        func read(_ numbers: [Int64], isLast: Bool = true, latest: Int64) -> [Int64] {
            received.receive(read: numbers.map(job), isLast: isLast, latest: id(latest)).map(\.id.rawValue)
        }
        #expect(announce(5))
        #expect(!announce(5))
        #expect(read([4, 5, 6], latest: 5) == [4, 6])
        #expect(received.cursor == id(6))
        #expect(!announce(6))
        #expect(announce(7))
    }

    @Test
    func `a read to the end passes the jobs that were announced before it, done or not`() {
        var received = ReceivedJobs()
        func announce(_ number: Int64) -> Bool { received.receive(announced: id(number)) }
        func read(_ numbers: [Int64], isLast: Bool = true, latest: Int64) -> [Int64] {
            received.receive(read: numbers.map(job), isLast: isLast, latest: id(latest)).map(\.id.rawValue)
        }
        for number in Int64(1)...3 { #expect(announce(number)) }
        #expect(read([], latest: 3).isEmpty)
        #expect(received.cursor == id(3))
    }

    @Test
    func `a read that did not reach the end passes only what it has read`() {
        var received = ReceivedJobs()
        func announce(_ number: Int64) -> Bool { received.receive(announced: id(number)) }
        func read(_ numbers: [Int64], isLast: Bool = true, latest: Int64) -> [Int64] {
            received.receive(read: numbers.map(job), isLast: isLast, latest: id(latest)).map(\.id.rawValue)
        }
        #expect(announce(9))
        #expect(read([2, 3], isLast: false, latest: 9) == [2, 3])
        #expect(received.cursor == id(3))
        #expect(read([4, 9], latest: 9) == [4])
        #expect(received.cursor == id(9))
    }

    /// Two processes commit jobs. The commits of this one are announced sooner or later, in their order; reads have a
    /// limit, and their results come late; jobs leave the outbox once they have been received.
    @Test(arguments: 0..<UInt64(200))
    func `each job is received once, whoever has left it`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        func roll(_ sides: Int) -> Int { Int(random.next() % UInt64(sides)) }
        var received = ReceivedJobs()
        var (outbox, announcements, got): ([Int64], [Int64], [Int64]) = ([], [], [])
        var (next, reading): (Int64, (jobs: [OutboxJob], isLast: Bool, latest: JobID?)?) = (1, nil)
        func beginRead() {
            let above = outbox.filter { id($0) > received.cursor ?? id(0) }
            reading = (above.prefix(3).map(job), above.count < 3, received.latest)
        }
        func endRead() {
            guard let read = reading else { return }
            reading = nil
            let new = received.receive(read: read.jobs, isLast: read.isLast, latest: read.latest)
            got += new.map(\.id.rawValue)
        }
        for _ in 0..<400 {
            switch roll(6) {
            case 0: (outbox, announcements, next) = (outbox + [next], announcements + [next], next + 1)
            case 1: (outbox, next) = (outbox + [next], next + 1)
            case 2 where !announcements.isEmpty:
                let job = announcements.removeFirst()
                // Sometimes there is no room, and the job is left to a read.
                if roll(5) > 0, received.receive(announced: id(job)) { got.append(job) }
            case 3: if reading == nil { beginRead() }
            case 4: endRead()
            default: outbox.removeAll { got.contains($0) && roll(2) == 0 }
            }
        }
        endRead()
        while got.count < next - 1, outbox.contains(where: { id($0) > received.cursor ?? id(0) }) {
            beginRead()
            endRead()
        }
        #expect(got.sorted() == Array(1..<next))
    }

    @Test
    func `announcements beyond the room are left to a read`() {
        let announced = AnnouncedJobs()
        announced.announce((0..<Int64(AnnouncedJobs.capacity)).map(job))
        announced.announce([job(1_000_000)])
        var taken = announced.take()
        #expect(taken.jobs.count == AnnouncedJobs.capacity && !taken.isWhole)
        announced.announce([job(1_000_001)])
        taken = announced.take()
        #expect(taken.jobs.map(\.id) == [id(1_000_001)] && taken.isWhole)
    }
}
