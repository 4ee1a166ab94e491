import Database
import SocialGraph
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.unit))
struct AuthorQueuesTests {
    static func push(_ id: Int, by author: Int) -> OutboxJob {
        let author = UserID(rawValue: Int64(author))
        return OutboxJob(
            id: JobID(rawValue: Int64(id)), work: .push(post: PostID(rawValue: Int64(id)), author: author), createdAt: 0
        )
    }

    private func take(_ count: Int, of authorQueues: inout AuthorQueues) -> [Int64] {
        (0..<count).compactMap { _ in authorQueues.next()?.job.id.rawValue }
    }

    @Test
    func `10,000 jobs of one author delay another's job by one step`() {
        var authorQueues = AuthorQueues()
        for id in 1...10_000 { authorQueues.add(Self.push(id, by: 1)) }
        #expect(take(3, of: &authorQueues) == [1, 2, 3])
        authorQueues.add(Self.push(20_000, by: 2))
        #expect(take(4, of: &authorQueues) == [4, 20_000, 5, 6])
        #expect(authorQueues.count == 9_994)
    }

    @Test
    func `a job of thousands of steps delays another author's by one step`() {
        var authorQueues = AuthorQueues()
        authorQueues.add(Self.push(1, by: 1))
        for step in 1...3_000 {
            guard var turn = authorQueues.next() else { break }
            #expect(turn.job.id.rawValue == 1)
            #expect(turn.cursor.position == Int64(step - 1))
            turn.cursor = AudienceCursor(author: 1, position: Int64(step))
            if step == 1_500 { authorQueues.add(Self.push(2, by: 2)) }
            authorQueues.resume(turn)
            if step == 1_500 { #expect(authorQueues.next()?.job.id.rawValue == 2) }
        }
        #expect(authorQueues.count == 1)
    }

    @Test
    func `a job that has begun goes on before later ones of its queue, after the other queues`() throws {
        var authorQueues = AuthorQueues()
        for job in [Self.push(1, by: 1), Self.push(2, by: 1), Self.push(3, by: 2)] { authorQueues.add(job) }
        let first = authorQueues.next()
        let begun = try #require(first)
        authorQueues.resume(begun)
        #expect(take(3, of: &authorQueues) == [3, 1, 2])
        #expect(authorQueues.next() == nil)
        authorQueues.resume(begun)
        #expect(take(2, of: &authorQueues) == [1])
    }

    @Test
    func `posts of one author that wait at the start make one turn, as many as are asked for`() throws {
        var authorQueues = AuthorQueues()
        for id in 1...5 { authorQueues.add(Self.push(id, by: 1)) }
        authorQueues.add(Self.push(6, by: 2))
        let turns = (0..<4).compactMap { _ in authorQueues.next(joining: 3)?.jobs.map(\.id.rawValue) }
        #expect(turns == [[1, 2, 3], [6], [4, 5]])
        #expect(authorQueues.count == 0)
    }

    @Test
    func `a post that has begun, or that goes by itself, is joined by no other`() throws {
        var authorQueues = AuthorQueues()
        let begun = AudienceCursor(author: 1, position: 7)
        for id in 1...4 { authorQueues.add(Self.push(id, by: 1)) }
        authorQueues.resume(AuthorQueues.Turn(jobs: [Self.push(10, by: 1)], cursor: .start, isAlone: true))
        authorQueues.resume(
            AuthorQueues.Turn(jobs: [Self.push(11, by: 1), Self.push(12, by: 1)], cursor: begun, isFirst: false))
        let turns = (0..<4).compactMap { _ in authorQueues.next(joining: 32)?.jobs.map(\.id.rawValue) }
        #expect(turns == [[11, 12], [10], [1, 2, 3, 4]])
    }

    @Test
    func `turns that are given back are the next ones, in their order`() throws {
        var authorQueues = AuthorQueues()
        for id in 1...9 { authorQueues.add(Self.push(id, by: id % 3)) }
        let before = (0..<9).reduce(into: (copy: authorQueues, ids: [Int64]())) { state, _ in
            state.ids += state.copy.next().map { [$0.job.id.rawValue] } ?? []
        }.ids
        for count in 0...9 {
            let taken = (0..<count).compactMap { _ in authorQueues.next() }
            authorQueues.giveBack(taken)
            #expect(authorQueues.count == 9)
            var copy = authorQueues
            #expect(take(9, of: &copy) == before)
        }
    }

    @Test
    func `what one user does shares that user's queue; bulk work has one of its own`() {
        let (user, other) = (UserID(rawValue: 1), UserID(rawValue: 2))
        let (post, since) = (PostID(rawValue: 5), FeedPosition(rawValue: 9))
        let works: [OutboxJob.Work] = [
            .push(post: post, author: user), .remove(post: post, author: user), .addReason(entry: at(5), actor: user),
            .removeReason(entry: at(5), actor: user), .rebuild(viewer: user), .backfill(author: user, since: since),
        ]
        let bulk: [OutboxJob.Work] = [.build(viewers: [user]), .evict(viewers: [user])]
        var authorQueues = AuthorQueues()
        for (id, work) in (works + [.rebuild(viewer: other)] + bulk).enumerated() {
            authorQueues.add(OutboxJob(id: JobID(rawValue: Int64(id)), work: work, createdAt: 0))
        }
        #expect(take(9, of: &authorQueues) == [0, 6, 7, 1, 8, 2, 3, 4, 5])
    }

    @Test
    func `evictions of all windows that wait together are one turn, whatever else but bulk work waits between`() {
        let user = UserID(rawValue: 1)
        let works: [OutboxJob.Work] = [
            .evictAll, .rebuild(viewer: user), .evictAll, .evict(viewers: [user]), .evictAll, .evictAll, .evictAll,
        ]
        var authorQueues = AuthorQueues()
        for (id, work) in works.enumerated() {
            authorQueues.add(OutboxJob(id: JobID(rawValue: Int64(id)), work: work, createdAt: 0))
        }
        var turns: [[Int64]] = []
        while let turn = authorQueues.next() { turns.append(turn.jobs.map(\.id.rawValue)) }
        #expect(turns == [[0, 2], [1], [3], [4, 5, 6]])
        #expect(authorQueues.count == 0)
    }

    @Test
    func `windows are built after the evictions before them; what else waits is not held up, nor is a drop`() throws {
        let user = UserID(rawValue: 1)
        let works: [OutboxJob.Work] = [
            .build(viewers: [user]), .evictAll, .evict(viewers: [user]), .build(viewers: [user]), .evictAll,
            .rebuild(viewer: user), .rebuild(viewer: user),
        ]
        var authorQueues = AuthorQueues()
        for (id, work) in works.enumerated() {
            authorQueues.add(OutboxJob(id: JobID(rawValue: Int64(id)), work: work, createdAt: 0))
        }
        var taken: [AuthorQueues.Turn] = []
        while let turn = authorQueues.next() { taken.append(turn) }
        #expect(taken.map(\.job.id.rawValue) == [0, 5, 1, 6, 2])
        #expect(authorQueues.count == 2)
        for turn in taken where turn.job.id.rawValue != 2 { authorQueues.finish(turn) }
        #expect(authorQueues.next() == nil)
        authorQueues.finish(try #require(taken.last))
        #expect(take(1, of: &authorQueues) == [3])
        authorQueues.add(OutboxJob(id: JobID(rawValue: 7), work: .build(viewers: [user]), createdAt: 0))
        let last = authorQueues.next()
        #expect(last?.job.id.rawValue == 4)
        #expect(authorQueues.next() == nil)
        authorQueues.finish(try #require(last))
        #expect(take(2, of: &authorQueues) == [7])
        #expect(authorQueues.count == 0)
    }

    @Test
    func `every job is served, in the order of its queue, and no queue waits for more than one step of each other`() {
        var random = SplitMix64(seed: 5)
        for _ in 0..<50 {
            var authorQueues = AuthorQueues()
            var waiting: [Int: Int] = [:]
            var steps: [Int64: Int] = [:]
            var started: [Int: Int64] = [:]
            var (next, served, added) = (1, 0, 0)
            while served < 300 {
                if added < 300, Int.random(in: 0..<3, using: &random) > 0 {
                    let author = min(Int.random(in: 1...12, using: &random), 6)
                    authorQueues.add(Self.push(next, by: author))
                    steps[Int64(next)] = Int.random(in: 1...5, using: &random)
                    waiting[author] = waiting[author] ?? 0
                    (next, added) = (next + 1, added + 1)
                }
                guard let turn = authorQueues.next(), case .push(_, let user) = turn.job.work else { continue }
                let (author, id) = (Int(user.rawValue), turn.job.id.rawValue)
                #expect((waiting[author] ?? 0) < 6)
                #expect(id >= started[author] ?? 0)
                started[author] = id
                for other in waiting.keys where other != author { waiting[other, default: 0] += 1 }
                steps[id, default: 1] -= 1
                if steps[id] == 0 { served += 1 } else { authorQueues.resume(turn) }
                waiting[author] = authorQueues.waits(for: author) ? 0 : nil
            }
            #expect(authorQueues.next() == nil)
        }
    }
}

extension AuthorQueues {
    /// Returns true if a job of `author` is waiting.
    fileprivate func waits(for author: Int) -> Bool {
        var copy = self
        while let turn = copy.next() {
            if case .push(_, let user) = turn.job.work, user.rawValue == Int64(author) { return true }
        }
        return false
    }
}
