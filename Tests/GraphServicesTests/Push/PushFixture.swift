import Database
import Discovery
import Foundation
import GraphAssembly
import Logging
import Push
import RedisClient
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing
import Timeline

@testable import GraphHTTP
@testable import GraphServices

/// The push service in this process, over a graph of its own, with a scripted Firebase, a scripted receiver of
/// webhooks, and a clock that the test moves.
struct PushFixture: Sendable {
    let graph: GraphStore
    let clock: AdjustableClock
    let firebase: FakeFirebase
    let receiver: FakeReceiver
    let receiverURL: String
    let service: PushService
    let letters: DeadLetterReader

    struct Settings: Sendable {
        var backoff = PushBackoff(first: 1_000, factor: 2, longest: 60_000, attempts: 4, random: { 0 })
        var suggestions: PushSuggestions?
        var allowsPrivate = true
        var resolve: @Sendable (String, BudgetHolder) async throws -> [IPAddress] = { _, _ in
            throw AddressGuard.Refusal.notFound
        }
        /// The time limit of an attempt. It is longer than in production: on a busy machine, an abandoned attempt may
        /// have arrived and would be repeated.
        var limit = Duration.seconds(600)
    }

    static func with(
        _ settings: Settings = Settings(), _ body: @Sendable (PushFixture) async throws -> Void
    ) async throws {
        let (firebase, receiver) = (try FakeFirebase(), FakeReceiver())
        try await firebase.running { base in
            try await receiver.running { hooks in
                try await withTemporaryDirectory("push") { path in
                    try await body(try await PushFixture(path, base, hooks, firebase, receiver, settings))
                }
            }
        }
        #expect(firebase.malformed == [])
    }

    private init(
        _ path: String, _ base: String, _ hooks: String, _ firebase: FakeFirebase, _ receiver: FakeReceiver,
        _ settings: Settings
    ) async throws {
        let clock = AdjustableClock()
        let now: @Sendable () -> Int64 = { clock.now }
        try EmptyGraph.create(at: path + "/graph.db")
        graph = GraphStore(database: try SQLiteDatabase(path: path + "/graph.db", clock: now))
        let timelines = try await TimelineService(
            graph: graph, formerOwner: .mayLive,
            redis: .servers([RedisConfiguration(endpoint: .unix(path: path + "/none"))]),
            depth: WindowDepth(cap: 16), logger: .silent,
            encoding: PostEncoding(urls: PublicURL(configured: nil)).items)
        try firebase.writeServiceAccount(base: base, to: path + "/account.json")
        let account = try await ServiceAccount(file: path + "/account.json")
        let sender = FirebaseSender(account: account, base: base, limit: settings.limit, now: now)
        let webhooks = WebhookSender(
            addresses: AddressGuard(allowsPrivate: settings.allowsPrivate, resolve: settings.resolve), now: now,
            limit: settings.limit)
        let trends = Trends(graph: graph, clock: now)
        let suggestions =
            settings.suggestions
            ?? PushSuggestions(
                graph: graph, timelines: timelines.readers,
                rankings: Rankings(graph: graph, trends: trends, clock: now))
        service = PushService(
            graph: graph, formerOwner: .isDead, timelines: timelines.readers, suggestions: suggestions,
            messages: sender.send, webhooks: webhooks.send, backoffs: (settings.backoff, settings.backoff),
            logger: .silent,
            now: now)
        letters = DeadLetterReader(graph: graph, timelines: timelines.readers)
        (self.clock, self.firebase, self.receiver, receiverURL) = (clock, firebase, receiver, hooks)
    }

    func user(_ name: String, token: String? = nil) async throws -> UserID {
        let id = try await graph.accounts.createAccount(username: name, email: nil, passwordHash: nil).id
        if let token { try await graph.devices.registerDevice(token, platform: .ios, app: nil, of: id) }
        return id
    }

    func prefer(_ user: UserID, _ types: [String]) async throws {
        var change = ProfileChange()
        change.preferences = ["preferredWorkoutTypes": .list(types)]
        try await graph.accounts.changeProfile(of: user, change)
    }

    @discardableResult
    func workout(_ author: UserID, _ type: String, visibility: PostVisibility = .everyone) async throws -> PostID {
        try await graph.posts.publish(
            NewPost(
                author: author, caption: "a caption", mediaURL: "https://m.example/1",
                attributes: ["workoutType": .text(type)], visibility: visibility)
        ).id
    }
}
