import Database
import Importing
import TestSupport
import Testing

@testable import SocialGraph

@Suite(.timeLimit(.unit))
struct OutboxTests {
    @Test
    func `an older lease epoch may not acknowledge`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await fixture.user("ann")
            let post = try await fixture.post(ann)
            let job = try #require(try await graph.outbox.outboxJobs(above: nil, limit: 1).first)
            let old = try await graph.outbox.takeLease(from: .mayLive).epoch
            let new = try await graph.another(fixture).outbox.takeLease(from: .isDead).epoch
            #expect(new > old)
            let place = AudienceCursor(author: 7, position: 8)
            await #expect(throws: LeaseLost.self) {
                try await graph.outbox.acknowledgeJobs(
                    by: .outbox(old), finished: [job.id], progressed: [(job.id, place)])
            }
            #expect(try await graph.outbox.outboxJobs(above: nil, limit: 9) == [job])
            try await graph.outbox.acknowledgeJobs(by: .outbox(new), finished: [], progressed: [(job.id, place)])
            let resumed = try await graph.outbox.outboxJobs(above: nil, limit: 9)
            #expect(resumed.map(\.progress) == [place])
            #expect(resumed.map(\.work) == [job.work])
            #expect(job.work == .push(post: post, author: ann))
            try await graph.outbox.acknowledgeJobs(by: .outbox(new), finished: [job.id])
            #expect(try await graph.outbox.outboxJobs(above: nil, limit: 9).isEmpty)
        }
    }

    /// Two processes, each with one of two groups.
    private static func shares(_ graph: GraphStore) async throws -> [GroupShare] {
        var shares: [GroupShare] = []
        for group in 0..<2 {
            let lease = try await LeaseStore(database: graph.database).take(
                OutboxStore.lease(ofGroup: group, of: 2), from: .isDead)
            shares.append(GroupShare(groups: GroupSet(group), all: GroupSet(upTo: 2), leases: [lease.stamp]))
        }
        return shares
    }

    @Test
    func `a job leaves the outbox when it is done in all groups, and its receipt is written then`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await fixture.user("ann")
            let post = try await fixture.post(ann)
            let job = try #require(try await graph.outbox.outboxJobs(above: nil, limit: 1).first?.id)
            let shares = try await Self.shares(graph)
            for _ in 0..<2 {
                // Once more does not matter.
                try await graph.outbox.acknowledgeJobs(by: shares[1], finished: [job])
                #expect(try await graph.outbox.outboxJobs(above: nil, limit: 9).map(\.doneGroups) == [GroupSet(1)])
                #expect(try await graph.outbox.progress(of: [job]).jobs[job]?.doneGroups == GroupSet(1))
                #expect(try await graph.deliveries.deliveryReceipt(of: post, for: ann).isPending)
            }
            try await graph.outbox.acknowledgeJobs(by: shares[0], finished: [job])
            #expect(try await graph.outbox.outboxJobs(above: nil, limit: 9).isEmpty)
            #expect(try await !graph.deliveries.deliveryReceipt(of: post, for: ann).isPending)
        }
    }

    @Test
    func `what is done in groups of a former division does not keep a job`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await fixture.user("ann")
            let post = try await fixture.post(ann)
            let job = try #require(try await graph.outbox.outboxJobs(above: nil, limit: 1).first?.id)
            let lease = try await LeaseStore(database: graph.database).take(
                OutboxStore.lease(ofGroup: 5, of: 16), from: .isDead)
            let former = GroupShare(groups: GroupSet(5), all: GroupSet(upTo: 16), leases: [lease.stamp])
            try await graph.outbox.acknowledgeJobs(by: former, finished: [job])
            #expect(try await graph.outbox.outboxJobs(above: nil, limit: 9).map(\.doneGroups) == [GroupSet(5)])
            let whole = try await graph.outbox.takeLease(from: .isDead).epoch
            try await graph.outbox.acknowledgeJobs(by: .outbox(whole), finished: [job])
            #expect(try await graph.outbox.outboxJobs(above: nil, limit: 9).isEmpty)
            #expect(try await !graph.deliveries.deliveryReceipt(of: post, for: ann).isPending)
        }
    }

    @Test
    func `a removal that is done in all groups stays until its end has had its effect`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            let ann = try await fixture.user("ann")
            let post = try await fixture.post(ann)
            try await graph.posts.deletePost(post, by: ann)
            let jobs = try await graph.outbox.outboxJobs(above: nil, limit: 9)
            let removal = try #require(jobs.first { $0.work.hasFinale })
            let shares = try await Self.shares(graph)
            for share in shares { try await graph.outbox.acknowledgeJobs(by: share, finished: jobs.map(\.id)) }
            let left = try await graph.outbox.outboxJobs(above: nil, limit: 9)
            #expect(left.map(\.id) == [removal.id] && left.map(\.doneGroups) == [GroupSet(upTo: 2)])
            try await graph.outbox.acknowledgeJobs(by: shares[0], finished: [], closed: [removal.id])
            #expect(try await graph.outbox.outboxJobs(above: nil, limit: 9).isEmpty)
        }
    }

    @Test
    func `a process that has lost one of its groups acknowledges nothing`() async throws {
        try await withGraph { fixture in
            let graph = fixture.graph
            _ = try await fixture.post(try await fixture.user("ann"))
            let job = try #require(try await graph.outbox.outboxJobs(above: nil, limit: 1).first?.id)
            let shares = try await Self.shares(graph)
            let both = GroupShare(
                groups: GroupSet(upTo: 2), all: GroupSet(upTo: 2), leases: shares.flatMap(\.leases))
            _ = try await LeaseStore(database: graph.database).take(
                OutboxStore.lease(ofGroup: 1, of: 2), from: .isDead)
            await #expect(throws: LeaseLost.self) {
                try await graph.outbox.acknowledgeJobs(by: both, finished: [job])
            }
            #expect(try await graph.outbox.outboxJobs(above: nil, limit: 9).map(\.doneGroups) == [[]])
        }
    }

    @Test
    func `without any lease nothing is acknowledged`() async throws {
        try await withGraph { fixture in
            await #expect(throws: LeaseLost.self) {
                try await fixture.graph.outbox.acknowledgeJobs(by: .outbox(0), finished: [])
            }
        }
    }

    @Test
    func `jobs are listed in commit order, page by page, as they were announced`() async throws {
        try await withGraph { fixture in
            let log = CommitLog(of: fixture.database)
            let users = try await fixture.users(3)
            try await fixture.graph.follows.follow(users[0], users[1])
            let post = try await fixture.post(users[1])
            try await fixture.graph.posts.deletePost(post, by: users[1])
            try await fixture.graph.outbox.enqueueDrop(of: [users[2], users[0], users[2]])
            try await fixture.graph.outbox.enqueueBuild(of: [users[1]])
            try await fixture.graph.follows.unfollow(users[0], users[1])
            let bulk = NewPost(author: users[2], caption: "bulk", mediaURL: "https://m.example/1")
            try await fixture.graph.bulkPosts.publish(batch: [bulk, bulk], fanout: .evict)
            try await fixture.graph.bulkPosts.publish(batch: [], fanout: .evict)

            var jobs: [OutboxJob] = []
            while let job = try await fixture.graph.outbox.outboxJobs(above: jobs.last?.id, limit: 1).first {
                jobs.append(job)
            }
            #expect(
                jobs.map(\.work) == [
                    .rebuild(viewer: users[0]), .push(post: post, author: users[1]),
                    .remove(post: post, author: users[1]),
                    .evict(viewers: [users[0], users[2]]), .build(viewers: [users[1]]),
                    .rebuild(viewer: users[0]), .evictAll,
                ])
            for user in users {
                #expect(try await fixture.graph.outbox.pendingWork(for: user, posts: []).touchesViewer)
            }
            let announced = log.jobs.map(\.id)
            #expect(announced == announced.sorted())
            #expect(Set(jobs.map(\.id)).isSubset(of: announced))
            let depth = try await fixture.graph.outbox.outboxDepth()
            #expect(depth.pending == 7)
            #expect(depth.oldest == fixture.clock.now)
        }
    }

    @Test(arguments: [[], [1], [1, 2, 127, 128, 129, 1 << 40, IDSequence.maximum]] as [[Int64]])
    func `a list of viewers survives its coding`(ids: [Int64]) throws {
        let viewers = ids.map(UserID.init(rawValue:))
        #expect(try IDListCoding.decode(IDListCoding.encode(viewers.reversed() + viewers)) == viewers)
    }

    @Test(arguments: [[0x80], [1, 0x80], [1, 0], Array(repeating: 0xFF, count: 9) + [1]] as [[UInt8]])
    func `a damaged list of viewers is an error`(bytes: [UInt8]) {
        #expect(throws: DatabaseError.self) { try IDListCoding.decode(bytes) as [UserID] }
    }

    private static let everyWork: [OutboxJob.Work] = {
        let (ann, post, position) = (UserID(rawValue: 7), PostID(rawValue: 8), FeedPosition(rawValue: 9))
        let (entry, many) = (FeedEntry(position: position, post: post), [ann, UserID(rawValue: IDSequence.maximum)])
        return [
            .push(post: post, author: ann), .remove(post: post, author: ann), .addReason(entry: entry, actor: ann),
            .removeReason(entry: entry, actor: ann), .rebuild(viewer: ann), .evict(viewers: many), .evict(viewers: []),
            .evictAll, .build(viewers: many), .backfill(author: ann, since: position), .rebuildFollowers(of: ann),
        ]
    }()

    @Test func `every kind of job comes back as it was written`() async throws {
        let works = Self.everyWork
        #expect(Set(works.map(\.kind)) == Set(OutboxJob.Work.Kind.allCases))
        try await withGraph { fixture in
            try await fixture.database.write { transaction in
                for work in works { try OutboxStore.Writer(transaction).enqueue(work) }
            }
            #expect(try await fixture.graph.outbox.outboxJobs(above: nil, limit: 99).map(\.work) == works)
        }
    }

    @Test(arguments: OutboxJob.Work.Kind.allCases.filter { $0 != .evictAll })
    func `a job that lacks a part is an error`(kind: OutboxJob.Work.Kind) async throws {
        try await withGraph { fixture in
            try await fixture.database.write { transaction in
                _ = try transaction.execute(
                    "INSERT INTO outbox (id, kind, created_at) VALUES (1, ?1, 1)", [.text(kind.rawValue)])
            }
            await #expect {
                _ = try await fixture.graph.outbox.outboxJobs(above: nil, limit: 9)
            } throws: { error in
                guard case .storageCorrupt(let detail)? = error as? DatabaseError else { return false }
                return detail.contains("\(kind.rawValue) without")
            }
        }
    }
}

extension GraphStore {
    /// The same database, opened a second time.
    fileprivate func another(_ fixture: GraphFixture) throws -> GraphStore { try fixture.another().graph }
}
