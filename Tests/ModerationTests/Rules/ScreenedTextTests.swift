import Database
import TestSupport
import Testing

@testable import Moderation
@testable import Discovery
@testable import SocialGraph

/// Coverage of rules: every text that others read is judged, wherever it is written.
@Suite(.timeLimit(.unit))
struct ScreenedTextTests {
    /// The text columns of tables whose rows others read. The value names the test below that writes a word there, or
    /// gives the reason why no rule judges the column.
    private static let columns: [String: String] = [
        "post.caption": "post", "post.title": "post", "post.link": "post", "post.category": "post",
        "post.media_url": "post", "post.thumbnail_url": "post", "post_tag.tag": "post", "post_attribute.name": "post",
        "post_attribute.text_value": "post", "comment.content": "comment", "segment.label": "video",
        "segmentation.transcript": "video", "account.username": "names", "account.display_name": "names",
        "account.bio": "names", "account.picture_url": "names", "community.name": "names",
        "community.description": "names",
        // Spellings of other columns, and texts that the server itself writes.
        "account.username_key": "", "account.email": "", "account.email_key": "", "account.password_hash": "",
        "account.site_role": "", "community.name_key": "", "post.visibility": "", "post_tag.tag_key": "",
        "post_attribute.kind": "", "post_attribute.text_key": "",
    ]

    @Test func `a new column of text is judged, or said to be none`() {
        let tables = Set(Self.columns.keys.compactMap { $0.split(separator: ".").first.map(String.init) })
        let texts = StoredTable.ofGraph.filter { tables.contains($0.name) }.flatMap { table in
            table.columns.filter { $0.type == .text }.map { "\(table.name).\($0.name)" }
        }
        #expect(Set(texts).subtracting(Self.columns.keys) == [], "say whether others read it, and judge it if so")
        #expect(texts.count > 20)
    }

    private static func rule(_ action: RuleAction, _ house: House) async throws {
        _ = try await house.graph.rules.createRule(
            NewRule("spam", .keyword(words: ["spam"], wholeWords: true), action: action), by: house.admin)
    }

    @Test(arguments: ["caption", "title", "link", "category", "media", "thumbnail", "tag", "name", "value", "list"])
    func `each text of a post is judged`(field: String) async throws {
        try await withModeration { house in
            try await Self.rule(.hold, house)
            var post = NewPost.sample(house.member, "fine")
            switch field {
            case "caption": post.caption = "sp\u{AD}am"
            case "title": post.title = "spam"
            case "link": post.link = "https://example.org/spam"
            case "category": post.category = "spam"
            case "media": post.mediaURL = "https://spam.example/v"
            case "thumbnail": post.thumbnailURL = "https://example.org/spam.jpg"
            case "tag": post.algorithmTags = ["spam"]
            case "name": post.attributes = ["spam": .flag(true)]
            case "value": post.attributes = ["colour": .text("spam")]
            default: post.attributes = ["colours": .list(["red", "spam"])]
            }
            #expect(try await house.state(.post(house.graph.posts.publish(post).id)) == .held)
        }
    }

    @Test func `a thumbnail that is edited is judged`() async throws {
        try await withModeration { house in
            try await Self.rule(.hold, house)
            let post = try await house.graph.posts.publish(.sample(house.member, "fine")).id
            var change = PostChange()
            change.thumbnailURL = .set("https://example.org/spam.jpg")
            _ = try await house.graph.posts.editPost(post, by: house.member, change)
            #expect(try await house.state(.post(post)) == .held)
        }
    }

    @Test func `what a video says is judged with its post`() async throws {
        try await withModeration { house in
            try await Self.rule(.hold, house)
            let graph = house.graph
            let post = try await graph.posts.publish(.sample(house.member, "fine")).id
            func replace(_ labels: [String]) async throws -> House.State {
                try await graph.segments.replaceSegments(
                    of: post, by: house.member,
                    with: labels.enumerated().map {
                        NewSegment(label: $1, start: Int64($0) * 1_000, end: Int64($0 + 1) * 1_000)
                    })
                return try await house.state(.post(post))
            }
            #expect(try await replace(["warm up", "stretch"]) == .shown)
            #expect(try await replace(["warm up", "s\u{200B}pam"]) == .held)
            try await house.moderate(.approvePost, .post(post))
            #expect(try await replace(["warm up"]) == .shown)
            func say(_ lines: String) async throws -> House.State {
                try await graph.segments.replaceTranscript(
                    of: post, by: house.member, with: "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\n\(lines)\n\n")
                return try await house.state(.post(post))
            }
            #expect(try await say("all is well") == .shown)
            #expect(try await say("this is spam") == .held)
        }
    }

    /// A phrase may continue in the next cue. Times are not part of the text.
    @Test func `a transcript is judged as it is said`() async throws {
        try await withModeration { house in
            _ = try await house.graph.rules.createRule(
                NewRule("r", .keyword(words: ["buy now", "00"], wholeWords: true), action: .hold), by: house.admin)
            let post = try await house.graph.posts.publish(.sample(house.member, "fine")).id
            let timing = "00:00:00.000 --> 00:00:01.000"
            for (text, isHeld) in [("buy\n\n\(timing)\nit", false), ("buy\n\n\(timing)\nnow", true)] {
                try await house.graph.segments.replaceTranscript(
                    of: post, by: house.member, with: "WEBVTT\n\n\(timing)\n\(text)\n\n")
                #expect(try await house.state(.post(post)) == (isHeld ? .held : .shown))
            }
        }
    }

    /// A transcript is stored with character references for some signs.
    @Test func `rules judge the signs of a transcript, not the references that stand for them`() async throws {
        try await withModeration { house in
            _ = try await house.graph.rules.createRule(
                NewRule("r", .keyword(words: ["at&t", "amp", "lt", "123"], wholeWords: true), action: .hold),
                by: house.admin)
            let post = try await house.graph.posts.publish(.sample(house.member, "fine")).id
            for (text, isHeld) in [("salt & {pepper} < 5", false), ("ask AT&T", true)] {
                let said = Transcript(cues: [Cue(start: 0, end: 1_000, text: text)])
                try await house.graph.segments.replaceTranscript(
                    of: post, by: house.member, with: said.text(as: .webVTT))
                #expect(try await house.state(.post(post)) == (isHeld ? .held : .shown), "\(text)")
            }
        }
    }

    @Test(arguments: [RuleAction.hold, .remove])
    func `names and descriptions are refused`(action: RuleAction) async throws {
        try await withModeration { house in
            let graph = house.graph
            let before = try await graph.communities.createCommunity(name: "plain", description: "", by: house.member)
                .id
            try await Self.rule(action, house)
            let refusal = GraphError.refusedByRule("spam")
            await #expect(throws: refusal) {
                try await graph.accounts.createAccount(username: "spam", email: nil, passwordHash: nil)
            }
            await #expect(throws: refusal) {
                try await graph.accounts.createAccount(
                    username: "fine", email: nil, passwordHash: nil, displayName: "s\u{301}pam")
            }
            var changes = (0..<4).map { _ in ProfileChange() }
            changes[0].username = "spam"
            changes[1].displayName = "Spam & co"
            changes[2].bio = "I sell ѕраm"
            changes[3].picture = .at(url: "https://example.org/spam.png")
            for change in changes {
                await #expect(throws: refusal) { try await graph.accounts.changeProfile(of: house.member, change) }
            }
            await #expect(throws: refusal) {
                try await graph.communities.createCommunity(name: "spam", description: "", by: house.member)
            }
            await #expect(throws: refusal) {
                try await graph.communities.createCommunity(name: "other", description: "about spam", by: house.member)
            }
            await #expect(throws: refusal) {
                try await graph.joinRequests.changeCommunity(before, by: house.member, description: "spam")
            }
            await #expect(throws: refusal) {
                try await graph.moderation.moderate(
                    ModerationOrder(
                        .renameCommunity, [.community(before)], reason: "r", detail: .name("spam")), by: house.member)
            }
            #expect(try await graph.communities.community(before).name == "plain")
            // No report was made, and texts of the site's roles are not judged.
            #expect(try await house.fixture.integer("SELECT COUNT(*) FROM report") == 0)
            try await graph.accounts.changeProfile(of: house.admin, changes[2])
        }
    }

    /// Nobody can choose another name at the first log-in.
    @Test(arguments: ["spam", "fine"], ["", "spam"])
    func `an account from an OpenID Connect provider is created without refused names`(
        username: String, displayName: String
    ) async throws {
        try await withModeration { house in
            try await Self.rule(.hold, house)
            let person = ExternalIdentity(
                issuer: "https://id.example", subject: "1", username: username, email: nil, displayName: displayName,
                pictureURL: nil)
            let id = try await house.graph.accounts.findOrCreateUser(person)
            let account = try #require(try await house.graph.accounts.account(id))
            let isFine = username == "fine" && displayName.isEmpty
            #expect(account.username == (isFine ? "fine" : "user") && account.displayName == "")
            #expect(try await house.graph.accounts.findOrCreateUser(person) == id)
        }
    }

    @Test func `what a rule flags is written and reported`() async throws {
        try await withModeration { house in
            try await Self.rule(.flag, house)
            var change = ProfileChange()
            change.bio = "spam"
            try await house.graph.accounts.changeProfile(of: house.member, change)
            try await house.graph.accounts.changeProfile(of: house.member, change)
            let community = try await house.graph.communities.createCommunity(
                name: "spam", description: "", by: house.member
            ).id
            let reported = try await house.graph.database.read { reader in
                try reader.rows("SELECT subject_kind, subject_id FROM report ORDER BY id", []) {
                    "\($0.text(0)) \($0.integer(1))"
                }
            }
            #expect(reported == ["user \(house.member.rawValue)", "community \(community.rawValue)"])
        }
    }
}
