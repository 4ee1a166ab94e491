import Audit
import Database
import Discovery
import Idempotency
import MediaJobs
import Moderation
import PostgreSQL
import Push
import Saves
import Sessions
import SocialGraph

extension DatabaseSchema {
    /// The tables of each topic, each of which stands in the folder of its topic.
    package static let graph = DatabaseSchema(
        tables: Tables.engine + Tables.accounts + Tables.sessions + Tables.follows + Tables.blocksAndMutes
            + Tables.posts
            + Tables.topics + Tables.communities + Tables.media + Tables.engagement + Tables.saves
            + Tables.notifications + Tables.outbox + Tables.rankings + Tables.recommendations + Tables.watches
            + Tables.segments + Tables.embeddings + Tables.search + Tables.push + Tables.moderation + Tables.cases
            + Tables.rules,
        changes: [
            .searchableAttributes, .followRequests, .expiringMutes, .mutedWords, .idempotency, .appWebhooks,
            .accountMail, .totp, .audit, .topLevelComments, .servingNodes, .deliveryGroups,
            .mediaJobs, .serviceTokens, .renditions, .outboxIndexes, .effectsInForce, .heldComments,
        ],
        mergedIndex: .posts)
}

extension GraphHooks {
    /// The acts of every module above the graph.
    package static var all: GraphHooks {
        GraphHooks(
            discovery: DiscoveryUpkeep(), idempotency: IdempotencyUpkeep(), media: MediaJobUpkeep(),
            moderation: ScreeningState(), push: PushArming(), saves: SaveUpkeep(), sessions: SessionUpkeep())
    }

    /// Checks that the limits of the modules fit each other.
    fileprivate static func assertConsistency() {
        SocialGraphLimits.assertConsistency()
        DiscoveryLimits.assertConsistency()
        ModerationLimits.assertConsistency()
        PushEventStore.assertTuning()
    }
}

extension SQLiteDatabase {
    /// Opens or creates the database of a social graph at `path` and brings its schema up to date.
    ///
    /// - Parameters:
    ///   - purpose: what memory and the write-ahead log are sized for.
    ///   - clock: milliseconds since 1970.
    ///   - times: the times of a clock that tells more than one; nil: `clock` gives them all.
    ///   - observe: called with the start of every statement that SQLite executes. Nil costs nothing.
    package convenience init(
        path: String, purpose: Purpose = .serving,
        clock: @escaping @Sendable () -> Int64 = SystemClock.milliseconds, times: GraphClock? = nil,
        observingStatements observe: (@Sendable () -> Void)? = nil
    ) throws {
        GraphHooks.assertConsistency()
        try self.init(
            path: path, schema: .graph, hooks: GraphHooks.all,
            purpose: purpose, clock: clock, times: times, observingStatements: observe)
    }
}

extension PostgreSQLDatabase {
    /// Opens the database of a social graph at `address` and brings its schema up to date. Blocks.
    ///
    /// - Parameters:
    ///   - options: connections, time-outs, and whether a synchronous standby is required.
    ///   - clock: milliseconds since 1970.
    ///   - times: the times of a clock that tells more than one; nil: `clock` gives them all.
    ///   - observe: called once for each round trip to the server that somebody waits for.
    package convenience init(
        graphAt address: PostgreSQLAddress, options: PostgreSQLOptions = PostgreSQLOptions(),
        clock: @escaping @Sendable () -> Int64 = SystemClock.milliseconds, times: GraphClock? = nil,
        observingRoundTrips observe: @escaping @Sendable () -> Void = {}
    ) throws {
        GraphHooks.assertConsistency()
        try self.init(
            address: address, options: options, schema: .graph, hooks: GraphHooks.all,
            clock: clock, times: times, observingRoundTrips: observe)
    }
}
