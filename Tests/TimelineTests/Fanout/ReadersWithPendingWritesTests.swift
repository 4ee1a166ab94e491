import Database
import TestSupport
import Testing

@testable import SocialGraph
@testable import Timeline

@Suite(.timeLimit(.unit))
struct ReadersWithPendingWritesTests {
    static let post = PostID(rawValue: 100)
    static let author = UserID(rawValue: 1)

    static func job(_ id: Int64, _ work: OutboxJob.Work, progress: AudienceCursor = .start) -> OutboxJob {
        OutboxJob(id: JobID(rawValue: id), work: work, progress: progress, createdAt: 0)
    }

    static func commit(_ jobs: OutboxJob..., changes: [GraphChange] = []) -> CommitRecord {
        CommitRecord(changes: changes, sequence: changes.isEmpty ? nil : 1...Int64(changes.count), jobs: jobs)
    }

    static let push = job(5, .push(post: post, author: author))
    static let rebuild = job(6, .rebuild(viewer: author))
    static let addReason = job(5, .addReason(entry: reshared(90, at: 100), actor: author))
    static let removeReason = job(5, .removeReason(entry: reshared(90, at: 100), actor: author))

    @Test(arguments: [push, rebuild, addReason, removeReason])
    func `a writer has pending writes from the commit to the first step of the job`(
        job: OutboxJob
    ) {
        let readers = ReadersWithPendingWrites()
        readers.observe(Self.commit(job))
        #expect(readers.contains(Self.author))
        #expect(!readers.contains(otherViewer))
        readers.markApplied(job)
        #expect(!readers.contains(Self.author))
        #expect(readers.count == 0)
    }

    @Test
    func `a writer waits until the job is done in the windows of the writer's group`() {
        let readers = ReadersWithPendingWrites(followsOthers: true, shards: 256)
        readers.observe(Self.commit(Self.push))
        let own = ShardNumber.group(of: Self.author, among: 256)
        let asked = readers.awaited(limit: 10)
        readers.settle(asked, [Self.push.id: (.start, GroupSet(upTo: 16).subtracting(GroupSet(own)))])
        #expect(readers.contains(Self.author))
        readers.settle(asked, [Self.push.id: (.start, GroupSet(own))])
        #expect(readers.count == 0)
    }

    @Test
    func `a process with other windows does not settle the writer's, nor with some those of all followers`()
        async throws
    {
        try await withGraphStore { graph in
            let lease = try await LeaseStore(database: graph.database).take("outbox.0", from: .isDead)
            let own = ShardNumber.group(of: Self.author, among: 256)
            let readers = ReadersWithPendingWrites(followsOthers: true, shards: 256)
            let followers = Self.job(7, .rebuildFollowers(of: Self.author))
            readers.observe(Self.commit(Self.push, followers))
            let others = try #require(FanoutShare(of: [(own + 1) % 16: lease], shards: 256))
            readers.markApplied(Self.push, in: others)
            #expect(readers.count == 2)
            let share = try #require(FanoutShare(of: [own: lease], shards: 256))
            readers.markApplied(Self.push, in: share)
            readers.markApplied(followers, in: share)
            #expect(readers.count == 1, "the followers are in all groups")
        }
    }

    @Test
    func `other jobs leave nobody with pending writes`() {
        let readers = ReadersWithPendingWrites()
        readers.observe(
            Self.commit(
                Self.job(1, .remove(post: Self.post, author: Self.author)), Self.job(2, .evict(viewers: [Self.author])),
                Self.job(3, .build(viewers: [Self.author])), Self.job(5, .evictAll),
                Self.job(4, .backfill(author: Self.author, since: FeedPosition(rawValue: 9)))))
        #expect(readers.count == 0)
    }

    @Test
    func `jobs of other nodes count, own ones only once, until the outbox tells that they are done`() {
        let readers = ReadersWithPendingWrites(followsOthers: true)
        readers.observe(Self.commit(Self.push))
        readers.markApplied(Self.push)
        // The outbox is read before the job has left it.
        readers.add(ofAllNodes: [Self.push])
        #expect(readers.count == 0)
        let others = [
            Self.job(7, .push(post: Self.post, author: Self.author)), Self.job(8, .rebuildFollowers(of: otherViewer)),
        ]
        readers.add(ofAllNodes: others)
        #expect(readers.contains(Self.author))
        let asked = readers.awaited(limit: 10)
        #expect(Set(asked) == Set(others.map(\.id)))
        let (waiting, begun): (JobProgress, JobProgress) = ((.start, []), (AudienceCursor(author: 1, position: 5), []))
        readers.settle(asked, [asked[0]: waiting, asked[1]: waiting])
        #expect(readers.count == 2)
        // The first step of a push is enough, and the last of a rebuild of all followers.
        readers.settle(
            asked, Dictionary(uniqueKeysWithValues: asked.map { ($0, begun) }))
        #expect(!readers.contains(Self.author) && readers.count == 1)
        readers.settle(readers.awaited(limit: 10), [:])
        #expect(readers.count == 0)
    }

    @Test
    func `all of a reader's jobs must be done`() {
        let readers = ReadersWithPendingWrites()
        readers.observe(Self.commit(Self.push, Self.rebuild))
        readers.markApplied(Self.rebuild)
        #expect(readers.contains(Self.author))
        readers.markApplied(Self.push)
        #expect(!readers.contains(Self.author))
    }

    @Test
    func `a job that was done before its commit was announced leaves nobody with pending writes`() {
        let readers = ReadersWithPendingWrites()
        readers.markApplied(Self.rebuild)
        readers.markApplied(Self.push)
        readers.observe(Self.commit(Self.push, Self.rebuild))
        #expect(readers.count == 0)
        readers.observe(Self.commit(Self.job(7, .rebuild(viewer: Self.author))))
        #expect(readers.contains(Self.author))
    }

    @Test
    func `one of a group that was done early does not apply its neighbours`() {
        let readers = ReadersWithPendingWrites()
        readers.markApplied(Self.rebuild)
        readers.observe(Self.commit(Self.push, Self.rebuild))
        #expect(readers.contains(Self.author))
        readers.markApplied(Self.push)
        #expect(readers.count == 0)
    }

    @Test
    func `applying twice, as a long push does, is harmless, and does not apply a later job`() {
        let readers = ReadersWithPendingWrites()
        readers.observe(Self.commit(Self.push))
        readers.markApplied(Self.push)
        readers.observe(Self.commit(Self.rebuild))
        readers.markApplied(Self.push)
        #expect(readers.contains(Self.author))
    }

    @Test
    func `an act that is undone leaves its reader with pending writes until the jobs of both are done`() {
        let readers = ReadersWithPendingWrites()
        let undoing = Self.job(7, .removeReason(entry: reshared(90, at: 100), actor: Self.author))
        readers.observe(Self.commit(Self.addReason))
        readers.observe(Self.commit(undoing))
        readers.markApplied(undoing)
        #expect(readers.contains(Self.author))
        readers.markApplied(Self.addReason)
        #expect(readers.count == 0)
    }

    @Test
    func `of the jobs found at the start, those that have begun have reached their author's window already`() {
        let readers = ReadersWithPendingWrites()
        let begun = Self.job(
            8, .push(post: Self.post, author: viewer), progress: AudienceCursor(author: 1, position: 9))
        readers.add([Self.push, begun])
        #expect(readers.contains(Self.author))
        #expect(!readers.contains(viewer))
    }
}
