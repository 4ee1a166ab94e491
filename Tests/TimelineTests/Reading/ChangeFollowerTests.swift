import Database
import Importing
import Logging
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import Timeline

@Suite(.timeLimit(.unit))
struct ChangeFollowerTests {
    @Test
    func `what another process writes is applied, though the log cannot be read at first`() async throws {
        try await withGraphLocation { location in
            let database = try location.open()
            let flaky = FlakyDatabase(database)
            let applied = AsyncStream<GraphChange>.makeStream()
            let follower = ChangeFollower(
                graph: GraphStore(database: flaky), known: 0,
                logger: .silent,
                receivers: .init { news in for change in news.groups.changes { applied.continuation.yield(change) } })
            var importer = FollowImporter(
                graph: GraphStore(database: try location.open()))
            try await importer.write([("ada", "bob")])
            // The number of the latest change is read, but the changes themselves are not.
            flaky.failures.withLock { $0 = [false, true] }
            await withTaskGroup { group in
                group.addTask { await follower.run() }
                var changes = applied.stream.makeAsyncIterator()
                #expect(await changes.next()?.kind == .graphImported)
                group.cancelAll()
            }
        }
    }

    @Test
    func `a gap before an own commit is somebody else's and is applied`() async throws {
        try await withGraphLocation { location in
            let graph = GraphStore(database: try location.open())
            let applied = AsyncStream<GraphChange>.makeStream()
            let follower = ChangeFollower(
                graph: graph, known: 0, logger: .silent,
                receivers: .init { news in for change in news.groups.changes { applied.continuation.yield(change) } })
            let ada = try await graph.accounts.createAccount(username: "ada", email: nil, passwordHash: nil).id
            let bob = try await graph.accounts.createAccount(username: "bob", email: nil, passwordHash: nil).id
            try await graph.follows.follow(ada, bob)
            try await graph.follows.follow(bob, ada)
            follower.noteOwn(CommitRecord(changes: [], sequence: 2...2, jobs: []))
            await withTaskGroup { group in
                group.addTask { await follower.run() }
                var changes = applied.stream.makeAsyncIterator()
                #expect(await changes.next() == GraphChange.followed(follower: ada, followee: bob))
                group.cancelAll()
            }
        }
    }
}

/// Fails reads as scripted: true fails a read, and an empty script lets all pass.
private final class FlakyDatabase: ForwardingDatabase {
    let failures = Mutex<[Bool]>([])
    let inner: any GraphDatabase

    init(_ inner: any GraphDatabase) { self.inner = inner }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLReader) throws -> T) async throws -> T {
        let isFailing = failures.withLock { $0.isEmpty ? false : $0.removeFirst() }
        if isFailing { throw DatabaseError.storage(detail: "scripted") }
        return try await inner.read(body)
    }
}
