import Database
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON

/// Hidden content appears in no answer: every documented GET, those of the product APIs included, is sent as every
/// reader, with a post of each kind that can be hidden.
@Suite(.timeLimit(.model))
struct HiddenCrawlTests {
    @Test func `no answer tells of what its reader may not see`() async throws {
        try await withWorld { world in
            let operations = try APIDescription.documented().all.filter { $0.method == "GET" }
            #expect(operations.count > 110)
            for reader in HiddenWorld.Reader.allCases {
                let crawl = Crawl(world: world, reader: reader)
                let (leaks, answers) = try await crawl.leaks(operations, expecting: reader)
                #expect(leaks.isEmpty, "\(reader): \(leaks.sorted().prefix(12).joined(separator: "; "))")
                #expect(answers > 500, "\(reader)")
            }
        }
    }

    @Test func `the crawl finds what leaks`() async throws {
        try await withWorld { world in
            // Content for followers or members counts as a leak to strangers.
            let operations = try APIDescription.documented().all.filter {
                $0.method == "GET"
                    && ["/v1/posts/{id}", "/v1/timelines/users/{id}", "/v1/search/posts"].contains($0.path)
            }
            for (reader, kind) in [
                (HiddenWorld.Reader.follower, HiddenWorld.Kind.followersOnly), (.member, .privateCommunity),
                (.author, .held),
            ] {
                let crawl = Crawl(world: world, reader: reader)
                let leaks = try await crawl.leaks(operations, expecting: .stranger).leaks
                #expect(leaks.contains { $0.contains(kind.canary) }, "\(reader)")
            }
        }
    }

    @Test func `a post opens for whom it may and its stream no more`() async throws {
        try await withWorld { world in
            for reader in HiddenWorld.Reader.allCases where reader != .anonymous {
                let client = world.client(reader)
                for item in world.hidden {
                    let path = "/v1/posts/\(item.post.rawValue)"
                    let answer = try await client.get(path)
                    guard HiddenWorld.mayOpen(item.kind, reader) else {
                        try answer.expectProblem(404, "post_not_found", "\(item.kind) \(reader)")
                        try await client.get("\(path)/stream").expectProblem(404, "post_not_found")
                        try await client.get("/v1/timelines/home/why/\(item.post.rawValue)")
                            .expectProblem(404, "post_not_found")
                        continue
                    }
                    #expect(answer.status == 200 && answer.text.contains(item.kind.canary), "\(item.kind) \(reader)")
                }
            }
        }
    }

    @Test func `counts are the same for everybody and those of a plain query`() async throws {
        try await withWorld { world in
            let id = world.open.rawValue
            let expected = try await world.server.graph.database.read { reader in
                try [
                    """
                    SELECT COUNT(*) FROM comment WHERE post_id = ?1 AND deleted_at IS NULL AND held_at IS NULL
                        AND removed_at IS NULL AND taken_down_at IS NULL
                    """, "SELECT COUNT(*) FROM post_like WHERE post_id = ?1",
                ].map {
                    try reader.first($0, [.integer(id)]) { $0.integer(0) } ?? -1
                }
            }
            #expect(expected[0] == 1 && expected[1] > 10)
            for reader in HiddenWorld.Reader.allCases where reader != .anonymous {
                let client = world.client(reader)
                let post = try await client.get("/v1/posts/\(id)").json
                #expect(post["commentsCount"] == .integer(expected[0]) && post["likesCount"] == .integer(expected[1]))
                let comments = try await client.walk("/v1/posts/\(id)/comments")
                let shown = comments.filter { $0["deleted"] == .bool(false) }
                let isModerator = reader == .moderator || reader == .author
                #expect(shown.count == (isModerator ? 2 : 1), "\(reader)")
                // Lists of people omit users parted from the reader by a block, and silenced users the reader does not
                // follow.
                let likers = Set(try await client.walk("/v1/posts/\(id)/likes").compactMap { $0["userId"]?.text })
                for item in world.hidden {
                    let isMet: Bool? =
                        switch item.kind {
                        case .suspended: false
                        case .silenced: reader == .follower
                        case .blockedByAuthor: reader != .blocked
                        case .blockedByReader: reader != .blocking
                        default: nil
                        }
                    if let isMet { #expect(likers.contains(item.author.idText) == isMet, "\(item.kind) \(reader)") }
                }
            }
        }
    }

    @Test func `streams tell of nothing hidden`() async throws {
        try await withWorld { world in
            // The stream replays everything from the first change on, to readers who may see it.
            for reader in HiddenWorld.Reader.allCases where reader != .anonymous {
                let author = try #require(world.readers[.author])
                if reader != .author { try await world.client(reader).act("PUT", "\(author.path)/follow") }
                var stream = try await world.client(reader).stream(after: "1")
                let last = try await world.server.client(author).publish("the last")
                while let event = try await stream.next() {
                    for item in world.hidden where !HiddenWorld.mayMeet(item.kind, reader) {
                        // New followers may see posts for followers.
                        if item.kind == .followersOnly { continue }
                        let text = event.data ?? ""
                        // Authors learn of decisions about their own posts.
                        if reader == .author, text.contains(#""type":"moderation""#) { continue }
                        #expect(
                            !text.contains(item.kind.canary) && !text.contains("\"\(item.post.rawValue)\""),
                            "\(reader): \(text)")
                    }
                    if event.postID == last { break }
                }
            }
        }
    }

    private func withWorld(_ body: (HiddenWorld) async throws -> Void) async throws {
        try await GraphdServer.prepared { server in
            let world = try await HiddenWorld.made(by: server)
            try await server.start()
            try await body(world)
        }
    }
}

/// All requests of one reader.
private struct Crawl: Sendable {
    let world: HiddenWorld
    let reader: HiddenWorld.Reader

    /// Returns the requests whose answers contain text hidden from `expected`, each with that text, and the number of
    /// answers.
    func leaks(
        _ operations: Set<APIDescription.Operation>, expecting expected: HiddenWorld.Reader
    ) async throws -> (leaks: [String], answers: Int) {
        let plan = CrawlPlan(world: world, reader: reader)
        var requests: [(path: String, template: String)] = []
        for operation in operations where !CrawlPlan.streams.contains(operation.path) {
            requests += try plan.requests(for: operation).map { ($0, operation.path) }
        }
        let client = world.client(reader)
        return try await withThrowingTaskGroup(of: [String].self) { group in
            var leaks: [String] = []
            var rest = requests[...]
            func next() {
                guard let (path, template) = rest.popFirst() else { return }
                group.addTask {
                    let answer = try await client.get(path)
                    guard answer.status < 500 else { throw UnexpectedAnswer(answer) }
                    return faults(of: answer, path, template, expected)
                }
            }
            for _ in 0..<16 { next() }
            while let found = try await group.next() {
                leaks += found
                next()
            }
            return (leaks, requests.count)
        }
    }

    private func faults(
        of answer: Answer, _ path: String, _ template: String, _ expected: HiddenWorld.Reader
    ) -> [String] {
        var faults: [String] = []
        for item in world.hidden {
            // A mute hides posts in feeds only, not saved posts or direct links.
            let isAllowed =
                Self.isFeed(template)
                ? HiddenWorld.mayMeet(item.kind, expected) : HiddenWorld.mayOpen(item.kind, expected)
            if isAllowed || Self.tells(template, of: item, expected) { continue }
            if answer.has(item.kind.canary) { faults.append("\(path) has \(item.kind.canary)") }
            // A refusal may name the id from the request.
            let id = String(item.post.rawValue)
            if !path.contains(id), answer.has("\"\(id)\""), !Self.names(template, item, expected) {
                faults.append("\(path) has the id of \(item.kind.canary)")
            }
        }
        return faults
    }

    private static func isFeed(_ template: String) -> Bool {
        [
            "/v1/timelines/home", "/v1/timelines/public", "/v1/timelines/trending", "/v1/timelines/for-you",
            "/v1/communities/{id}/timeline", "/v1/search/posts", "/social/timeline/{id}",
            "/social/timeline/{id}/category/{category}", "/vistavid/communities/{id}/feed",
            "/fitstream/ai/recommendations", "/reelai/getPersonalizedFeed", "/fitfocus/recommendations",
        ].contains(template) || template.hasSuffix("/videos") && !template.contains("{")
    }

    /// Returns true if the answer tells authors about their own content: the text they wrote, and moderation of it.
    private static func tells(
        _ template: String, of item: HiddenWorld.Hidden, _ reader: HiddenWorld.Reader
    ) -> Bool {
        let isOwn =
            reader == .author
            && ![.suspended, .silenced, .muted, .blockedByAuthor, .blockedByReader, .privateAccount]
                .contains(item.kind)
        let isTheirs = [
            "/v1/me/export", "/v1/me/moderation", "/v1/me/strikes", "/v1/notifications",
        ].contains(template)
        // Moderators of a community see the content held or removed in it.
        let isModerators = template.hasPrefix("/v1/moderation/") && (reader == .author || reader == .moderator)
        return isOwn && isTheirs || isModerators
    }

    /// Returns true if the answer names ids on purpose: the reader's own acts, and the public modlog.
    private static func names(
        _ template: String, _ item: HiddenWorld.Hidden, _ reader: HiddenWorld.Reader
    ) -> Bool { template == "/v1/me/export" || template == "/v1/modlog" }
}
