import Database
import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Limits on the steps of rules, and the places where rules are evaluated.
@Suite(.timeLimit(.unit))
struct ScreeningStepTests {
    /// A pattern of 282 instructions, each of which examines every letter.
    private static let costly = "([a-z ]?){140}#"

    @Test
    func `rules take no step inside the writer's transaction`() async throws {
        try await withModeration { house in
            let database = WatchedDatabase(house.fixture.database)
            let graph = GraphStore(database: database)
            database.screeningState.withLock { $0 = graph.screeningState }
            for index in 0..<20 {
                let rule = NewRule(
                    "costly \(index)", .pattern(Self.costly), action: .hold, community: house.community)
                _ = try await graph.rules.createRule(rule, by: house.owner)
            }
            _ = try await graph.rules.createRule(
                NewRule("site", .keyword(words: ["spam"], wholeWords: true), action: .hold), by: house.admin)
            var new = NewPost.sample(house.member, "a perfectly harmless text")
            new.community = house.community
            let post = try await graph.posts.publish(new).id
            _ = try await graph.comments.comment(on: post, by: house.member, content: "another harmless text")
            new.community = nil
            let loose = try await graph.posts.publish(new).id
            _ = try await graph.posts.editPost(loose, by: house.member, house.caption("this is spam"))
            #expect(try await house.state(.post(loose)) == .held)
            let comment = try await graph.comments.comment(on: post, by: house.member, content: "fine").id
            _ = try await graph.comments.editComment(comment, by: house.member, content: "spam after all")
            #expect(try await house.state(.comment(comment)) == .held)
            #expect(graph.screeningState.steps > 10_000)
            #expect(database.stepsInWriter.withLock { $0 } == 0)
        }
    }

    @Test
    func `a community's rules that run out of steps hold its own posts, and take none of the site's`() async throws {
        try await withModeration { house in
            let graph = house.graph
            for index in 0..<20 {
                let rule = NewRule(
                    "costly \(index)", .pattern(Self.costly), action: .flag, community: house.community)
                _ = try await graph.rules.createRule(rule, by: house.owner)
            }
            let long = String(repeating: "word ", count: 400)
            #expect(try await house.write(long, by: house.member, inCommunity: true) == .held)
            let held = try await graph.queue.queue(QueueFilter(), above: nil, limit: 5, by: house.owner).items
            #expect(held.count == 1 && held[0].scope == .community)
            #expect(held[0].reason.hasPrefix("The rules took too many steps and stopped at costly"))
            let spent = graph.screeningState.steps
            #expect(spent <= ModerationLimits.screeningSteps + 100_000)
            // Outside the community, nothing is held and no steps are spent.
            #expect(try await house.write(long, by: house.member, inCommunity: false) == .shown)
            #expect(graph.screeningState.steps == spent)
            // Rules of the site match, however many steps the community's rules spend.
            _ = try await graph.rules.createRule(
                NewRule("site", .keyword(words: ["spam"], wholeWords: true), action: .remove), by: house.admin)
            #expect(try await house.write(long + "spam", by: house.member, inCommunity: true) != .held)
            let removed = try await house.fixture.integers("SELECT id FROM post WHERE removed_at IS NOT NULL")
            #expect(removed.count == 1)
            let rule = NewRule("one", .pattern(Self.costly), action: .hold, community: house.community)
            let run = try await graph.rules.dryRun(rule, last: 100, by: house.owner)
            #expect(run.looked == 2 && run.mostSteps > 100_000)
            #expect((run.tooCostly == 2) == (run.mostSteps > ModerationLimits.screeningSteps))
        }
    }

    @Test
    func `a rule that was acknowledged judges what is written after it, though it was judged before`() async throws {
        try await withModeration { house in
            let database = WatchedDatabase(house.fixture.database)
            let graph = GraphStore(database: database)
            _ = try await graph.rules.createRule(
                NewRule("first", .keyword(words: ["eggs"], wholeWords: true), action: .hold), by: house.admin)
            // The rule is created between the judgement and the transaction.
            database.beforeWrite.withLock {
                $0 = {
                    _ = try await house.graph.rules.createRule(
                        NewRule("second", .keyword(words: ["spam"], wholeWords: true), action: .hold), by: house.admin)
                }
            }
            let post = try await graph.posts.publish(NewPost.sample(house.member, "spam")).id
            #expect(try await house.state(.post(post)) == .held)
            // Rules of other communities have no effect.
            let other = try await graph.communities.createCommunity(name: "other", description: "", by: house.owner).id
            var steps = graph.screeningState.steps
            _ = try await graph.posts.publish(NewPost.sample(house.member, "fine"))
            let once = graph.screeningState.steps - steps
            steps += once
            database.beforeWrite.withLock {
                $0 = {
                    _ = try await house.graph.rules.createRule(
                        NewRule("third", .pattern("a#"), action: .hold, community: other), by: house.owner)
                }
            }
            _ = try await graph.posts.publish(NewPost.sample(house.member, "fine"))
            #expect(graph.screeningState.steps - steps == once)
        }
    }

    @Test
    func `rules that change with every attempt end in a refusal, not in an unjudged post`() async throws {
        try await withModeration { house in
            let database = WatchedDatabase(house.fixture.database)
            let graph = GraphStore(database: database)
            let rule = try await house.graph.rules.createRule(
                NewRule("r", .keyword(words: ["eggs"], wholeWords: true), action: .hold), by: house.admin)
            database.beforeEveryWrite.withLock {
                $0 = { _ = try await house.graph.rules.changeRule(rule.id, RuleChange(), by: house.admin) }
            }
            await #expect(throws: DatabaseError.busy) {
                _ = try await graph.posts.publish(NewPost.sample(house.member, "fine"))
            }
        }
    }

    @Test
    func `an edit that another overtakes is judged by what comes of both`() async throws {
        try await withModeration { house in
            let database = WatchedDatabase(house.fixture.database)
            let graph = GraphStore(database: database)
            _ = try await graph.rules.createRule(
                NewRule("spam", .keyword(words: ["spam"], wholeWords: true), action: .hold), by: house.admin)
            let post = try await graph.posts.publish(NewPost.sample(house.member, "spam".uppercased() + "ming")).id
            #expect(try await house.state(.post(post)) == .shown)
            _ = try await house.graph.posts.editPost(post, by: house.member, house.caption("fine"))
            // The edit is judged while the title is empty, and written when the title is set.
            database.beforeWrite.withLock {
                $0 = {
                    _ = try await house.fixture.database.write { transaction in
                        try transaction.execute(
                            "UPDATE post SET title = 'about spam' WHERE id = ?1", [.post(post)])
                    }
                }
            }
            _ = try await graph.posts.editPost(post, by: house.member, house.caption("still fine"))
            #expect(try await house.state(.post(post)) == .held)
        }
    }

    @Test
    func `scopes take turns on the thread for long judgements, and each has a bounded queue`() async throws {
        let (thread, log, gate) = (ScreeningThread(), ScopeLog(), DispatchGate())
        let (started, startedNow) = AsyncStream<Void>.makeStream()
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await thread.hasRun(for: 0) {
                    startedNow.yield()
                    gate.wait()
                }
            }
            for await _ in started { break }
            // The queue of scope 1 fills while the thread is busy, then scope 2 comes.
            let limit = ScreeningThread.waitingPerScope
            for _ in 0..<(limit + 5) {
                group.addTask { await thread.hasRun(for: 1) { log.append(1) } }
            }
            // Judgements beyond the limit are refused. The others wait for the gate.
            for _ in 0..<5 {
                let isDone = await group.next()
                #expect(isDone == false)
            }
            group.addTask { await thread.hasRun(for: 2) { log.append(2) } }
            while thread.waiting(for: 2) < 1 { await Task.yield() }
            gate.open()
            for await isDone in group { #expect(isDone) }
        }
        #expect(log.scopes.firstIndex(of: 2) == 1)
    }
}

extension ScreeningThread {
    /// Returns false if the judgement was refused because too many were waiting.
    fileprivate func hasRun(for scope: Int64, _ body: @escaping @Sendable () -> Void) async -> Bool {
        do {
            try await run(for: scope, body)
            return true
        } catch {
            return false
        }
    }
}

/// Scopes in the order in which their judgements finished.
final class ScopeLog: Sendable {
    private let entries = Mutex<[Int64]>([])

    var scopes: [Int64] { entries.withLock { $0 } }

    func append(_ scope: Int64) { entries.withLock { $0.append(scope) } }
}

/// A database that counts the steps of rules while the writer waits, and runs an act of the test before a write.
final class WatchedDatabase: ForwardingDatabase {
    typealias Act = @Sendable () async throws -> Void

    let screeningState = Mutex<ScreeningState?>(nil)
    let stepsInWriter = Mutex(0)
    let beforeWrite = Mutex<Act?>(nil)
    let beforeEveryWrite = Mutex<Act?>(nil)
    let inner: any GraphDatabase

    init(_ inner: any GraphDatabase) { self.inner = inner }

    func write<T: Sendable>(_ body: @escaping @Sendable (any GraphTransaction) throws -> T) async throws -> T {
        let act = beforeWrite.withLock { act in
            defer { act = nil }
            return act
        }
        try await (act ?? beforeEveryWrite.withLock { $0 })?()
        return try await inner.write { transaction in
            let screeningState = self.screeningState.withLock { $0 }
            let before = screeningState?.steps ?? 0
            defer { self.stepsInWriter.withLock { $0 += (screeningState?.steps ?? 0) - before } }
            return try body(transaction)
        }
    }
}

/// Blocks a thread until it is opened.
final class DispatchGate: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)

    func wait() { semaphore.wait() }
    func open() { semaphore.signal() }
}
