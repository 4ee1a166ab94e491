import Database
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import Discovery

/// Searches concurrent with writes.
@Suite(.timeLimit(.unit))
struct SimilarConcurrencyTests {
    @Test func `a search sees all that was acknowledged before it and nothing that was gone`() async throws {
        try await withDiscovery { fixture in
            var history = try await SimilarHistory(fixture, dimension: 130, seed: 11)
            try await history.publish(200)
            let (index, similar, graph, author) = (history.index, history.similar, fixture.graph, history.author)
            let query = history.query()
            let steady = history.truth(query).map(\.post)
            try await withThrowingTaskGroup(of: Void.self) { group in
                // Writes happen during and after the load.
                group.addTask { try await index.load() }
                for writer in 0..<4 {
                    group.addTask {
                        for _ in 0..<25 {
                            let post = try await graph.posts.publish(
                                NewPost(author: author, caption: "\(writer)", mediaURL: "https://example.org/1")
                            ).id
                            try await graph.embeddings.storeEmbedding(query, of: post, by: author)
                            let found = try await similar.nearest(.init(embedding: query), after: nil, limit: 50)
                            #expect(found.contains { $0.post == post && $0.similarity > 0.999 })
                            try await graph.posts.deletePost(post, by: author)
                            let left = try await similar.nearest(.init(embedding: query), after: nil, limit: 50)
                            #expect(!left.contains { $0.post == post })
                        }
                    }
                }
                for _ in 0..<2 {
                    group.addTask {
                        for _ in 0..<25 {
                            let found = try await similar.nearest(.init(embedding: query), after: nil, limit: 20)
                            #expect(found.count == 20 && found == found.sorted())
                        }
                    }
                }
                try await group.waitForAll()
            }
            let found = try await similar.nearest(.init(embedding: query), after: nil, limit: 300)
            #expect(found.map(\.post) == steady)
            #expect(index.count == steady.count)
        }
    }

    @Test func `what another process has written is found once it is told`() async throws {
        try await withDiscovery { fixture in
            var history = try await SimilarHistory(fixture, dimension: 24, seed: 12)
            try await history.index.load()
            try await history.publish(10)
            let other = try fixture.restarted()
            let post = try await fixture.post()
            let query = history.query()
            let latest = try await fixture.graph.changes.latestChange()
            try await other.graph.embeddings.storeEmbedding(query, of: post, by: history.author)
            let changes = try await fixture.graph.changes.changes(above: latest, limit: 10).map(\.change)
            #expect(changes.map(\.kind) == [.embeddingChanged])
            history.index.observe(changes)
            let found = try await history.similar.nearest(.init(embedding: query), after: nil, limit: 1)
            #expect(found.map(\.post) == [post])
        }
    }

    @Test func `after a change of an unknown kind all is read again`() async throws {
        try await withDiscovery { fixture in
            var history = try await SimilarHistory(fixture, dimension: 24, seed: 13)
            try await history.publish(10)
            try await history.index.load()
            history.index.observe([.unknown(kind: 99, subject: 1, object: 1)])
            #expect(!history.index.isReady)
            let query = history.query()
            let truth = Array(history.truth(query).prefix(5))
            #expect(try await history.similar.nearest(.init(embedding: query), after: nil, limit: 5) == truth)
            try await history.index.load()
            #expect(history.index.isReady)
            #expect(try await history.similar.nearest(.init(embedding: query), after: nil, limit: 5) == truth)
        }
    }

    @Test func `after a gap of the log during a load all is read again`() async throws {
        try await withDiscovery { fixture in
            var history = try await SimilarHistory(fixture, dimension: 24, seed: 14)
            try await history.publish(10)
            let (post, query, author) = (try await fixture.post(), history.query(), history.author)
            let database = DisturbedDatabase(fixture.database)
            let index = SimilarIndex(graph: GraphStore(database: database))
            // Another process writes behind the load, and what it has logged is lost.
            database.afterRead.withLock {
                $0 = {
                    try await fixture.graph.embeddings.storeEmbedding(query, of: post, by: author)
                    index.observe([.unknown(kind: 0, subject: 0, object: 0)])
                }
            }
            try await index.load()
            #expect(!index.isReady && index.count == 10)
            let similar = SimilarPosts(graph: fixture.graph, index: index)
            #expect(try await similar.nearest(.init(embedding: query), after: nil, limit: 1).map(\.post) == [post])
            try await index.load()
            #expect(index.isReady && index.count == 11)
            #expect(try await similar.nearest(.init(embedding: query), after: nil, limit: 1).map(\.post) == [post])
        }
    }
}

/// A database that runs an act of the test after its next read.
private final class DisturbedDatabase: ForwardingDatabase {
    typealias Act = @Sendable () async throws -> Void

    let afterRead = Mutex<Act?>(nil)
    let inner: any GraphDatabase

    init(_ inner: any GraphDatabase) { self.inner = inner }

    func read<T: Sendable>(_ body: @escaping @Sendable (any SQLReader) throws -> T) async throws -> T {
        let found = try await inner.read(body)
        let act = afterRead.withLock { act in
            defer { act = nil }
            return act
        }
        try await act?()
        return found
    }
}
