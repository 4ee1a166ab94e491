import Foundation
import Testing

@testable import GraphdClient

/// The tour of docs/guide/tour.md by this client, against the graphd at the address in `GRAPHD_URL`.
@Suite(.timeLimit(.minutes(20)))
struct TourTests {
    private let server: URL
    /// Distinguishes the names of this run.
    private let run = String(UInt32.random(in: 0...UInt32.max), radix: 36)

    init() throws {
        let address = ProcessInfo.processInfo.environment["GRAPHD_URL"]
        server = try #require(address.flatMap { URL(string: $0) }, "set GRAPHD_URL (make test-clients does)")
    }

    private func person(_ name: String) async throws -> (client: GraphdClient, id: String, name: String) {
        let (client, username) = (GraphdClient(server: server), "\(name)\(run)")
        let session = try await client.signUp(
            email: "\(username)@example.org", password: "correct horse \(run)", username: username)
        return (client, session.userId, username)
    }

    /// Reads until the condition holds: posts of others arrive a moment later.
    private func eventually<Value: Sendable>(
        _ read: () async throws -> Value, until holds: (Value) -> Bool
    ) async throws -> Value {
        while true {
            let value = try await read()
            if holds(value) { return value }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func `the tour`() async throws {
        let (ada, bob, cyd) = (try await person("ada"), try await person("bob"), try await person("cyd"))
        try await ada.client.follows.follow(userId: bob.id)
        #expect(try await ada.client.timelines.home().items.isEmpty)

        let post = try await bob.client.posts.create(
            NewPost(caption: "First light", mediaUrl: "https://cdn.example.org/1.mp4", algorithmTags: ["sky"]))
        #expect(post.author.username == bob.name && post.title == nil && post.visibility == .public)
        let home = try await eventually {
            try await ada.client.timelines.home(limit: 1)
        } until: {
            !$0.items.isEmpty
        }
        #expect(home.items.map(\.postId) == [post.postId] && home.nextCursor == nil)

        try await filterAndExplain(ada, bob, cyd)
        try await likeAndComment(ada, bob, post)
        try await searchAndJump(ada, bob)
        try await ada.client.follows.unfollow(userId: bob.id)
        #expect(try await ada.client.timelines.home().items.isEmpty)
        try await moderate(bob, cyd)
        await #expect(throws: APIError.self) { try await ada.client.timelines.home(limit: 0) }
        try await ada.client.logOut()
        await #expect(throws: APIError.self) { try await ada.client.accounts.me() }
    }

    private typealias Person = (client: GraphdClient, id: String, name: String)

    private func filterAndExplain(_ ada: Person, _ bob: Person, _ cyd: Person) async throws {
        let run = try await cyd.client.posts.create(
            NewPost(caption: "Night run", mediaUrl: "https://cdn.example.org/2.mp4", algorithmTags: ["AI", "Fitness"]))
        try await bob.client.posts.reshare(postId: run.postId)
        let filtered = try await eventually {
            try await ada.client.timelines.home(limit: 1, algorithms: "fitness,yoga", explain: true)
        } until: {
            !$0.items.isEmpty
        }
        #expect(filtered.items.first?.reasons?.map(\.kind) == [.reshare, .algorithm])
        try await ada.client.relations.mute(userId: bob.id, MuteKinds(reshares: true))
        let verdict = try await ada.client.timelines.explain(postId: run.postId)
        #expect(!verdict.visible && verdict.reasons.map(\.kind) == ["not_followed", "reshares_muted"])
    }

    private func likeAndComment(_ ada: Person, _ bob: Person, _ post: Post) async throws {
        #expect(try await ada.client.posts.like(postId: post.postId).likesCount == 1)
        let key = UUID().uuidString
        let comment = NewComment(content: "Worth getting up for, @\(bob.name)")
        let first = try await ada.client.comments.create(postId: post.postId, comment, idempotencyKey: key)
        let again = try await ada.client.comments.create(postId: post.postId, comment, idempotencyKey: key)
        #expect(first == again)
        let mention = try await bob.client.notifications.list(limit: 1)
        #expect(mention.items.first?.type == .mention && mention.items.first?.isRead == false)
        var kinds: [NotificationItemType] = []
        for try await item in bob.client.notifications.all(pageSize: 1) { kinds.append(item.type) }
        #expect(kinds.count > 2 && kinds.contains(.like) && kinds.contains(.follow) && kinds.allSatisfy(\.isKnown))
    }

    private func searchAndJump(_ ada: Person, _ bob: Person) async throws {
        let word = "hill\(run)s"
        let hill = try await bob.client.posts.create(
            NewPost(
                caption: "Twelve minutes \(word)", mediaUrl: "https://cdn.example.org/4.mp4", title: "Hill sprints",
                attributes: ["workoutType": "HIIT", "duration": 720]))
        try await bob.client.segments.replace(
            postId: hill.postId,
            [
                NewSegment(label: "Intro", startTime: 0, endTime: 20),
                NewSegment(label: "Warm-up", startTime: 20, endTime: 140),
            ])
        let found = try await ada.client.search.posts(query: word, attributes: ["workoutType": "hiit"])
        #expect(found.items.first?.postId == hill.postId && found.items.first?.attributes["duration"] == 720)
        let place = try await ada.client.segments.jump(postId: hill.postId, JumpCommand(command: "skip intro"))
        #expect(place.kind == .segment && place.startTime == 20)
        #expect(try await ada.client.saves.save(postId: hill.postId).postId == hill.postId)
        let recommended = try await ada.client.timelines.forYou(limit: 5, explain: true)
        #expect(recommended.items.allSatisfy { !$0.postId.isEmpty })
        #expect(
            try await ada.client.fitstream.workoutJump(
                FitStreamWorkoutJumpRequest(videoId: hill.postId, command: "show warm-up")
            ).timestamp == 20)
    }

    private func moderate(_ bob: Person, _ cyd: Person) async throws {
        let community = try await bob.client.communities.create(
            NewCommunity(name: "Runners \(run)", description: "After sunset"))
        let id = community.communityId
        #expect(try await cyd.client.communities.join(communityId: id) == nil)
        let outcome = try await bob.client.moderation.moderate(
            ModerationOrder(
                action: .banMember, subjects: [ModerationSubject(userId: cyd.id)], reason: "Spam, again",
                communityId: id, duration: 7 * 86_400))
        #expect(outcome.changed == 1)
    }

    @Test func `a stream brings new items and continues where it was`() async throws {
        let (ada, bob) = (try await person("eve"), try await person("fay"))
        try await ada.client.follows.follow(userId: bob.id)
        func publish(_ caption: String) async throws {
            try await bob.client.posts.create(NewPost(caption: caption, mediaUrl: "https://cdn.example.org/1.mp4"))
        }
        // The stream begins when it is opened, so posts go on until the first one has arrived.
        let publishing = Task {
            while !Task.isCancelled {
                try await publish("tick")
                try await Task.sleep(for: .milliseconds(50))
            }
        }
        var last: String?
        for try await case .item(let item, let id) in ada.client.timelines.homeEvents() {
            #expect(item.caption == "tick" && id != nil)
            last = id
            break
        }
        publishing.cancel()
        _ = try? await publishing.value
        try await publish("after the break")
        for try await case .item(let item, _) in ada.client.timelines.homeEvents(after: last)
        where item.caption == "after the break" { break }
    }

    @Test func `a picture is uploaded and downloaded`() async throws {
        let ada = try await person("gil")
        let picture = try #require(
            Data(
                base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAA"
                    + "AABJRU5ErkJggg=="))
        let media = try await ada.client.media.upload(file: UploadFile(data: picture))
        #expect(media.contentType == "image/png")
        let name = try #require(media.url.split(separator: "/").last.map(String.init))
        let stored = try await ada.client.media.download(file: name).collected(limit: 10_000)
        #expect(stored.count == media.bytes && stored.starts(with: picture.prefix(8)))
    }

    @Test func `a session is renewed once, and its former refresh token is refused`() async throws {
        let ada = try await person("hal")
        let session = try #require(await ada.client.session)
        let renewed = try await ada.client.accounts.refresh(RefreshRequest(refreshToken: session.refreshToken))
        await ada.client.use(renewed)
        #expect(try await ada.client.accounts.me().username == ada.name)
        let error = await #expect(throws: APIError.self) {
            try await ada.client.accounts.refresh(RefreshRequest(refreshToken: session.refreshToken))
        }
        #expect(error?.code == .refreshTokenInvalid)
    }

    @Test func `the description of the API is the one that this client was made from`() async throws {
        let text = try await GraphdClient(server: server).operations.openapi()
        #expect(text.contains("operationId: publishPost"))
    }
}
