import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Rules in effect: texts are judged within the write.
@Suite(.timeLimit(.unit))
struct ScreeningTests {
    @Test
    func `the strongest rule acts, and moderators are not judged`() async throws {
        try await withModeration { house in
            let graph = house.graph
            func rule(_ word: String, _ action: RuleAction, of community: CommunityID? = nil) async throws {
                _ = try await graph.rules.createRule(
                    NewRule(word, .keyword(words: [word], wholeWords: true), action: action, community: community),
                    by: house.admin)
            }
            try await rule("flagged", .flag)
            try await rule("held", .hold)
            try await rule("removed", .remove)
            try await rule("local", .hold, of: house.community)
            let cases: [(caption: String, inside: House.State, outside: House.State)] = [
                ("fine", .shown, .shown), ("flagged", .reported, .reported), ("HELD!", .held, .held),
                ("removed", .removed, .takenDown), ("flagged held", .held, .held),
                ("held removed flagged", .removed, .takenDown), ("local", .held, .shown), ("unheld", .shown, .shown),
            ]
            for (caption, inside, outside) in cases {
                #expect(try await house.write(caption, by: house.member, inCommunity: true) == inside, "\(caption)")
                #expect(try await house.write(caption, by: house.member, inCommunity: false) == outside, "\(caption)")
                let comment = try await house.comment(caption, by: house.member, inCommunity: true)
                #expect(comment == inside, "\(caption)")
                // Outside their community, its moderators are ordinary users.
                #expect(try await house.write(caption, by: house.owner, inCommunity: false) == outside, "\(caption)")
                #expect(try await house.write(caption, by: house.admin, inCommunity: false) == .shown, "\(caption)")
            }
            #expect(try await house.write("local", by: house.owner, inCommunity: true) == .shown)
            // A second report by graphd itself would add nothing.
            let held = try await graph.queue.queue(QueueFilter(), above: nil, limit: 100, by: house.admin).items
            #expect(held.count == 10 && held.allSatisfy { $0.entry != nil })
            #expect(Set(held.map(\.rule)) == ["held", "local"])
            let own = try await graph.queue.queue(QueueFilter(kind: .post), above: nil, limit: 100, by: house.owner)
                .items
            #expect(own.map(\.community) == Array(repeating: house.community, count: 3))
            let first = try await graph.queue.queue(QueueFilter(), above: nil, limit: 5, by: house.admin)
            let rest = try await graph.queue.queue(QueueFilter(), above: first.next, limit: 100, by: house.admin)
            #expect(first.items + rest.items == held && rest.next == nil)
            await #expect(throws: ModerationError.notPermitted(.approvePost)) {
                _ = try await graph.queue.queue(QueueFilter(), above: nil, limit: 5, by: house.member)
            }
        }
    }

    @Test
    func `what is hidden at birth is told of when it is let out, once`() async throws {
        try await withModeration { house in
            let graph = house.graph
            _ = try await graph.rules.createRule(
                NewRule("w", .keyword(words: ["wait"], wholeWords: true), action: .hold), by: house.admin)
            let caption = "wait @mention"
            var new = NewPost.sample(house.member, caption, with: [house.owner])
            new.algorithmTags = ["t"]
            let post = try await graph.posts.publish(new).id
            let onto = try await house.fixture.post(house.owner, "plain")
            let comment = try await graph.comments.comment(on: onto, by: house.member, content: caption).id
            _ = try await graph.posts.editPost(post, by: house.member, house.caption("wait @mention @other"))
            #expect(try await house.told() == [])
            try await house.moderate(.approvePost, .post(post))
            let ofPost = ["collaboration owner", "mention mention", "mention other"]
            #expect(try await house.told() == ofPost)
            try await house.moderate(.approveComment, .comment(comment))
            let all = (ofPost + ["comment owner", "mention mention"]).sorted()
            #expect(try await house.told() == all)
            for action in [ModerationAction.holdPost, .approvePost] { try await house.moderate(action, .post(post)) }
            for action in [ModerationAction.holdComment, .approveComment] {
                try await house.moderate(action, .comment(comment))
            }
            #expect(try await house.told() == all)
            // The post is deleted before its approval, so no notification is left to send.
            let gone = try await graph.posts.publish(new).id
            try await graph.posts.deletePost(gone, by: house.member)
            #expect(try await house.fixture.integer("SELECT COUNT(*) FROM unannounced") == 0)
        }
    }

    @Test
    func `an edit is judged by what it says`() async throws {
        try await withModeration { house in
            let graph = house.graph
            for definition: RuleDefinition in [
                .link(domains: ["bad.example"], mode: .deny), .pattern(#"\bfr[e3]{2}\b"#),
                .rate(count: 2, seconds: 60), .newAccount(maxAgeSeconds: 0, minPosts: 1),
            ] {
                _ = try await graph.rules.createRule(NewRule("r", definition, action: .hold), by: house.admin)
            }
            // The member's first post is held, the next is fine, and a third within the minute is held.
            #expect(try await house.write("a", by: house.member, inCommunity: false) == .held)
            let second = try await house.fixture.post(house.member, "b")
            #expect(try await house.state(.post(second)) == .shown)
            #expect(try await house.write("c", by: house.member, inCommunity: false) == .held)
            house.fixture.clock.advance(by: 61_000)
            #expect(try await house.write("d", by: house.member, inCommunity: false) == .shown)
            for caption in ["now FR33", "see www.bad.example"] {
                _ = try await graph.posts.editPost(second, by: house.member, house.caption(caption))
                #expect(try await house.state(.post(second)) == .held, "\(caption)")
                try await house.moderate(.approvePost, .post(second))
            }
            _ = try await graph.posts.editPost(second, by: house.member, house.caption("harmless"))
            #expect(try await house.state(.post(second)) == .shown)
            var tagged = NewPost.sample(house.member, "fine")
            tagged.algorithmTags = ["free"]
            house.fixture.clock.advance(by: 61_000)
            #expect(try await house.state(.post(graph.posts.publish(tagged).id)) == .held)
        }
    }

    @Test(arguments: 0..<4)
    func `a dry run says what the rule would have done`(seed: UInt64) async throws {
        try await withModeration { house in
            let graph = house.graph
            var random = SplitMix64(seed: seed)
            let words = ["one", "two", "three", "x.example", "https://y.example/a", "FREE", "12"]
            func text() -> String {
                (0..<3).compactMap { _ in words.randomElement(using: &random) }.joined(separator: " ")
            }
            let definitions: [RuleDefinition] = [
                .keyword(words: ["two", "free one"], wholeWords: true), .pattern(#"\d+ \w+$"#),
                .link(domains: ["x.example"], mode: .deny), .link(domains: ["x.example"], mode: .allowOnly),
                .rate(count: 3, seconds: 100), .newAccount(maxAgeSeconds: 200, minPosts: nil),
                .newAccount(maxAgeSeconds: 0, minPosts: 5),
            ]
            let definition = try #require(definitions.randomElement(using: &random))
            let scope = Bool.random(using: &random) ? house.community : nil
            let asked = NewRule("r", definition, action: .flag, community: scope)
            // The same acts, judged when they happen and again in a dry run.
            let rule = try await graph.rules.createRule(asked, by: house.admin)
            for _ in 0..<40 {
                house.fixture.clock.advance(by: Int64.random(in: 1...60_000, using: &random))
                let author = Bool.random(using: &random) ? house.member : house.owner
                let isInside = Bool.random(using: &random)
                if Bool.random(using: &random) {
                    _ = try await house.write(text(), by: author, inCommunity: isInside)
                } else {
                    _ = try await house.comment(text(), by: author, inCommunity: isInside)
                }
            }
            try await graph.rules.deleteRule(rule.id, by: house.admin)
            let flagged = Set(try await house.fixture.integers("SELECT subject_id FROM report"))
            let dry = try await graph.rules.dryRun(asked, last: 1_000, by: house.admin)
            #expect(Set(dry.items.map(\.subject.rawValue)) == flagged && dry.matched == flagged.count)
            let newest = try await graph.rules.dryRun(asked, last: 10, by: house.admin)
            #expect(newest.looked == 10)
            #expect(newest.items == Array(dry.items.prefix(newest.items.count)))
        }
    }

    @Test
    func `rules are for those who moderate their scope`() async throws {
        try await withModeration { house in
            let graph = house.graph
            let new = NewRule("r", .pattern("a"), action: .hold, community: house.community)
            let rule = try await graph.rules.createRule(new, by: house.owner)
            let ofSite = try await graph.rules.createRule(NewRule("s", .pattern("b"), action: .flag), by: house.admin)
            #expect(
                try await graph.rules.rules(of: house.community, above: nil, limit: 9, by: house.owner).items == [rule])
            #expect(try await graph.rules.rules(of: nil, above: nil, limit: 9, by: house.admin).items == [ofSite])
            let refused = ModerationError.notPermitted(.holdPost)
            for user in [house.member, house.owner] {
                await #expect(throws: refused) { _ = try await graph.rules.rule(ofSite.id, by: user) }
                await #expect(throws: refused) {
                    _ = try await graph.rules.createRule(NewRule("s", .pattern("b"), action: .flag), by: user)
                }
                await #expect(throws: refused) {
                    _ = try await graph.rules.rules(of: nil, above: nil, limit: 9, by: user)
                }
            }
            await #expect(throws: refused) { try await graph.rules.deleteRule(rule.id, by: house.member) }
            await #expect(throws: refused) { _ = try await graph.rules.dryRun(new, last: 5, by: house.member) }
            var change = RuleChange()
            change.isEnabled = false
            change.definition = .rate(count: 1, seconds: 2)
            let changed = try await graph.rules.changeRule(rule.id, change, by: house.owner)
            #expect(!changed.isEnabled && changed.definition == .rate(count: 1, seconds: 2) && changed.name == "r")
            try await graph.rules.deleteRule(rule.id, by: house.admin)
            await #expect(throws: ModerationError.ruleNotFound) {
                _ = try await graph.rules.rule(rule.id, by: house.owner)
            }
            for definition: RuleDefinition in [
                .keyword(words: [], wholeWords: true), .keyword(words: [" "], wholeWords: true), .pattern("(a"),
                .pattern("a*"), .link(domains: ["a b"], mode: .deny), .link(domains: [], mode: .deny),
                .rate(count: 0, seconds: 1), .newAccount(maxAgeSeconds: -1, minPosts: nil),
            ] {
                await #expect(throws: ModerationError.self, "\(definition)") {
                    _ = try await graph.rules.createRule(NewRule("r", definition, action: .hold), by: house.admin)
                }
            }
        }
    }
}
