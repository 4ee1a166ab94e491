import Audit
import Database
import MediaJobs
import TestSupport
import Testing

@testable import Push
@testable import SocialGraph

/// The position of app webhooks among the events, and their dead letters.
@Suite(.timeLimit(.unit))
struct AppWebhookStoreTests {
    private static let admin = UserID(rawValue: 1)

    private func added(_ fixture: GraphFixture, _ kinds: Set<AppEventKind> = Set(AppEventKind.allCases)) async throws
        -> AppWebhook
    {
        try await fixture.graph.appWebhooks.add(
            "https://hooks.example/", kinds: kinds, secret: [1, 2, 3], by: Self.admin)
    }

    private func events(_ webhook: AppWebhook, _ fixture: GraphFixture) async throws -> [AppEvent] {
        try await fixture.graph.appWebhooks.work(for: webhook.id, at: fixture.clock.now, limit: 99)?.events ?? []
    }

    @Test
    func `a webhook gets the events of its kinds after its registration, in the order of their commits`() async throws {
        try await withGraph { fixture in
            let ann = try await fixture.user("ann")
            let reserved = try await fixture.graph.media.reserveMediaIDs(2)
            let (all, users) = (try await added(fixture), try await added(fixture, [.userCreated]))
            let post = try await fixture.post(ann, "bread")
            let bob = try await fixture.user("bob")
            let files = reserved.map {
                NewMedia(id: $0, contentType: "video/mp4", fileName: "\($0.rawValue).mp4", bytes: 9, sha256: [1])
            }
            _ = try await fixture.graph.media.storeMedia(files, by: ann)
            let found = try await events(all, fixture)
            #expect(found.map(\.kind) == [.postCreated, .userCreated, .uploadCreated])
            #expect(found.map(\.subject) == [post.rawValue, bob.rawValue, reserved[0].rawValue])
            #expect(found.map(\.id) == found.map(\.id).sorted() && found[2].id > bob.rawValue)
            #expect(try await events(users, fixture).map(\.subject) == [bob.rawValue])
        }
    }

    @Test
    func `each end of a job is an event, in the order of the ends`() async throws {
        try await withGraph { fixture in
            let (graph, ann) = (fixture.graph, try await fixture.user("ann"))
            let webhook = try await added(fixture, [.mediaReady])
            var videos: [MediaID] = []
            for id in try await graph.media.reserveMediaIDs(4) {
                let file = NewMedia(
                    id: id, contentType: "video/mp4", fileName: "\(id.rawValue).mp4", bytes: 9, sha256: [1])
                // The last one was examined within its request.
                let job: NewMediaJob = videos.count == 3 ? .ready(nil) : .queued
                videos.append(try await graph.mediaJobs.store([file], by: ann, within: nil, job)[0].id)
            }
            #expect(try await events(webhook, fixture).map(\.subject) == [videos[3].rawValue])
            let jobs = try await graph.mediaJobs.take(limit: 3, dueSince: fixture.clock.now, lease: 60_000, by: 1)
            #expect(try await graph.mediaJobs.finish(jobs[2], .failed("broken")))
            #expect(try await graph.mediaJobs.finish(jobs[1], .retry(at: fixture.clock.now + 5_000)))
            #expect(try await graph.mediaJobs.finish(jobs[0], .ready(nil, poster: nil)))
            let found = try await events(webhook, fixture)
            #expect(found.map(\.subject) == [videos[3], videos[2], videos[0]].map(\.rawValue))
            #expect(found.map(\.kind) == [.mediaReady, .mediaReady, .mediaReady])
        }
    }

    @Test
    func `an outcome moves the position, and has no effect after a change`() async throws {
        try await withGraph { fixture in
            let store = fixture.graph.appWebhooks
            let webhook = try await added(fixture)
            let (ann, bob) = (try await fixture.user("ann"), try await fixture.user("bob"))
            let found = try await events(webhook, fixture)
            let due = fixture.clock.now + 5_000
            #expect(try await store.acknowledge(found[0], to: webhook, .retry(at: due, status: 500, failure: "f")))
            #expect(try await events(webhook, fixture) == [])
            fixture.clock.advance(by: 5_000)
            let again = try #require(try await store.work(for: webhook.id, at: fixture.clock.now, limit: 9))
            #expect(again.webhook.attempts == 1 && again.events == found)
            #expect(try await store.acknowledge(found[0], to: again.webhook, .accepted))
            #expect(try await events(webhook, fixture).map(\.subject) == [bob.rawValue])
            let replayed = try #require(try await store.replay(webhook.id, after: ann.rawValue - 1, by: Self.admin))
            #expect(try await events(replayed, fixture) == found)
            #expect(try await !store.acknowledge(found[1], to: again.webhook, .accepted))
            #expect(try await events(replayed, fixture) == found)
            #expect(try await store.acknowledge(found[0], to: replayed, .gone))
            #expect(try await store.work(for: webhook.id, at: fixture.clock.now, limit: 9) == nil)
            var change = AppWebhookChange()
            change.isPaused = false
            #expect(try await store.change(webhook.id, change, by: Self.admin)?.isActive == true)
            #expect(try await events(webhook, fixture) == found)
        }
    }

    @Test
    func `a dead letter is kept, sent again and removed, and the oldest are evicted`() async throws {
        try await withGraph { fixture in
            let store = fixture.graph.appWebhooks
            let webhook = try await added(fixture)
            _ = try await fixture.users(PushLimits.deadLettersPerWebhook + 3)
            let found = try await store.work(for: webhook.id, at: fixture.clock.now, limit: 200)?.events ?? []
            #expect(found.count == PushLimits.deadLettersPerWebhook + 3)
            for event in found {
                #expect(try await store.acknowledge(event, to: webhook, .failed(status: 500, failure: "f")))
            }
            let page = try #require(try await store.letters(of: webhook.id, below: nil, limit: 200))
            #expect(page.items.map(\.event) == found.dropFirst(3).reversed())
            let letter = page.items[0]
            #expect(try await store.retry(letter.id, of: webhook.id, by: Self.admin))
            #expect(try await !store.retry(letter.id, of: webhook.id, by: Self.admin))
            #expect(try await !store.retry(1, of: webhook.id, by: Self.admin))
            let work = try #require(try await store.work(for: webhook.id, at: fixture.clock.now, limit: 9))
            #expect(work.letter?.event == letter.event && work.events == [])
            try await store.acknowledge(letter, to: webhook, .accepted)
            #expect(try await store.letters(of: webhook.id, below: nil, limit: 1)?.items.first?.id == page.items[1].id)
            fixture.clock.advance(by: RetainedData.failedDeliveries.standard + 1)
            while try await store.prune(limit: 50) {}
            #expect(try await store.letters(of: webhook.id, below: nil, limit: 1)?.items == [])
            #expect(try await store.remove(webhook.id, by: Self.admin))
            #expect(try await !store.remove(webhook.id, by: Self.admin))
            #expect(try await store.letters(of: webhook.id, below: nil, limit: 1) == nil)
        }
    }

    @Test(arguments: [nil, 30 * Milliseconds.day])
    func `events are kept for a time, and a replay reaches no further`(_ age: Int64?) async throws {
        try await withGraph { fixture in
            if let age { try await fixture.graph.settings.store([.webhookEvents: age]) }
            let store = fixture.graph.appWebhooks
            let webhook = try await added(fixture)
            _ = try await fixture.user("ann")
            if let age {
                // Longer than the standard time, shorter than the one that is set.
                fixture.clock.advance(by: age - 1_000)
                #expect(try await events(webhook, fixture).count == 1)
            }
            fixture.clock.advance(by: RetainedData.webhookEvents.standard + 1_000)
            let bob = try await fixture.user("bob")
            #expect(try await events(webhook, fixture).map(\.subject) == [bob.rawValue])
            let replayed = try #require(try await store.replay(webhook.id, after: 0, by: Self.admin))
            #expect(try await events(replayed, fixture).map(\.subject) == [bob.rawValue])
        }
    }

    @Test
    func `there are at most so many webhooks`() async throws {
        try await withGraph { fixture in
            for _ in 0..<PushLimits.appWebhooks { _ = try await added(fixture) }
            await #expect(throws: GraphError.self) { try await added(fixture) }
        }
    }

    @Test
    func `each act of an admin that changes something has one entry in the audit, without URL and secret`() async throws
    {
        try await withGraph { fixture in
            let (store, audit) = (fixture.graph.appWebhooks, fixture.graph.audit)
            let webhook = try await added(fixture)
            _ = try await fixture.user("ann")
            let event = try #require(try await events(webhook, fixture).first)
            #expect(try await store.acknowledge(event, to: webhook, .failed(status: 500, failure: "f")))
            let letter = try #require(try await store.letters(of: webhook.id, below: nil, limit: 1)?.items.first)
            var change = AppWebhookChange()
            _ = try await store.change(webhook.id, change, by: Self.admin)
            change.url = "https://name:secret@hooks.example/"
            change.secret = [9]
            change.kinds = [.postCreated]
            change.isPaused = true
            for _ in 0..<2 { _ = try await store.change(webhook.id, change, by: Self.admin) }
            for _ in 0..<2 { _ = try await store.retry(letter.id, of: webhook.id, by: Self.admin) }
            for _ in 0..<2 { _ = try await store.replay(webhook.id, after: event.id - 1, by: Self.admin) }
            for _ in 0..<2 { _ = try await store.remove(webhook.id, by: Self.admin) }
            _ = try await store.change(webhook.id, change, by: Self.admin)
            _ = try await store.replay(webhook.id, after: 0, by: Self.admin)
            func note(_ action: AuditAction, _ detail: String? = nil) -> AuditNote {
                AuditNote(action, by: .user(Self.admin), subject: webhook.id, detail: detail)
            }
            #expect(
                try await audit.entries(below: nil, limit: 100).items.map(\.act).reversed() == [
                    note(.webhookAdded), note(.webhookChanged, "url, events, secret, pausedAt"),
                    note(.webhookDeliveryRetried, "delivery \(letter.id)"),
                    note(.webhookReplayed, "after event \(event.id - 1)"), note(.webhookRemoved),
                ])
        }
    }
}
