import Testing

@testable import SocialGraph
@testable import Timeline

@Suite("Unsettled readers", .timeLimit(.minutes(1)))
struct UnsettledReadersTests {
    static let post = PostID(rawValue: 100)
    static let author = UserID(rawValue: 1)

    static func job(_ id: Int64, _ work: OutboxJob.Work, progress: AudienceCursor = .start) -> OutboxJob {
        OutboxJob(id: JobID(rawValue: id), work: work, progress: progress, createdAt: 0)
    }

    static func commit(_ jobs: OutboxJob..., changes: [GraphChange] = []) -> CommitRecord {
        CommitRecord(changes: changes, sequence: changes.isEmpty ? nil : 1...Int64(changes.count), jobs: jobs)
    }

    static let push = job(5, .push(post: post, author: author))
    static let edge = job(6, .edge(follower: author, followee: otherViewer))

    @Test("an author, or a follower, is unsettled from the commit to the end of the job", arguments: [push, edge])
    func untilSettled(job: OutboxJob) {
        let readers = UnsettledReaders()
        readers.observe(Self.commit(job))
        #expect(readers.contains(Self.author))
        #expect(!readers.contains(otherViewer))
        readers.settle(job)
        #expect(!readers.contains(Self.author))
        #expect(readers.count == 0)
    }

    @Test("other jobs unsettle nobody")
    func others() {
        let readers = UnsettledReaders()
        readers.observe(
            Self.commit(
                Self.job(1, .unpush(post: Self.post, author: Self.author)), Self.job(2, .drop(viewers: [Self.author])),
                Self.job(3, .build(viewers: [Self.author]))))
        #expect(readers.count == 0)
    }

    @Test("all of a reader's jobs must be done")
    func several() {
        let readers = UnsettledReaders()
        readers.observe(Self.commit(Self.push, Self.edge))
        readers.settle(Self.edge)
        #expect(readers.contains(Self.author))
        readers.settle(Self.push)
        #expect(!readers.contains(Self.author))
    }

    @Test("a job that was done before its commit was announced leaves nobody unsettled")
    func early() {
        let readers = UnsettledReaders()
        readers.settle(Self.edge)
        readers.settle(Self.push)
        readers.observe(Self.commit(Self.push, Self.edge))
        #expect(readers.count == 0)
        readers.observe(Self.commit(Self.job(7, .edge(follower: Self.author, followee: viewer))))
        #expect(readers.contains(Self.author))
    }

    @Test("one of a group that was done early does not settle its neighbours")
    func earlyNeighbour() {
        let readers = UnsettledReaders()
        readers.settle(Self.edge)
        readers.observe(Self.commit(Self.push, Self.edge))
        #expect(readers.contains(Self.author))
        readers.settle(Self.push)
        #expect(readers.count == 0)
    }

    @Test("settling twice, as a long push does, is harmless, and does not settle a later job")
    func twice() {
        let readers = UnsettledReaders()
        readers.observe(Self.commit(Self.push))
        readers.settle(Self.push)
        readers.observe(Self.commit(Self.edge))
        readers.settle(Self.push)
        #expect(readers.contains(Self.author))
    }

    @Test("a deletion settles the push, whose job it has taken away", arguments: [true, false])
    func deletion(inOneGroup: Bool) {
        let readers = UnsettledReaders()
        let deleted = GraphChange(.postDeleted, subject: Self.post.rawValue, object: Self.author.rawValue)
        if inOneGroup {
            readers.observe(Self.commit(Self.push, changes: [deleted]))
        } else {
            readers.observe(Self.commit(Self.push))
            readers.observe(Self.commit(changes: [deleted]))
        }
        #expect(readers.count == 0)
    }

    @Test("of the jobs found at the start, those that have begun have reached their author's window already")
    func found() {
        let readers = UnsettledReaders()
        let begun = Self.job(
            8, .push(post: Self.post, author: viewer), progress: AudienceCursor(author: 1, position: 9))
        readers.add([Self.push, begun])
        #expect(readers.contains(Self.author))
        #expect(!readers.contains(viewer))
    }
}
