@testable import Moderation
@testable import SocialGraph
import Database

extension EveryOperation {
    /// Rules and classifiers of the site and of a community, with all their effects.
    static func screen(on graph: GraphStore, _ ann: UserID, _ bob: UserID, _ group: CommunityID) async throws {
        let root = try await graph.accounts.createAccount(username: "root", email: nil, passwordHash: nil).id
        try await graph.database.write { transaction in
            try transaction.execute("UPDATE account SET site_role = 'admin' WHERE id = ?1", [.user(root)])
        }
        try await graph.communities.joinCommunity(group, by: bob)
        for community in [nil, group] {
            let kinds: [(RuleDefinition, RuleAction)] = [
                (.keyword(words: ["held"], wholeWords: true), .hold), (.pattern("flag+ed"), .flag),
                (.link(domains: ["removed.example"], mode: .deny), .remove), (.rate(count: 900, seconds: 60), .flag),
                (.newAccount(maxAgeSeconds: 0, minPosts: 1), .flag),
            ]
            for (definition, action) in kinds {
                let rule = NewRule("r", definition, action: action, community: community)
                _ = try await graph.rules.dryRun(rule, last: 10, by: root)
                let id = try await graph.rules.createRule(rule, by: root).id
                _ = try await graph.rules.changeRule(id, RuleChange(), by: root)
                _ = try await graph.rules.rule(id, by: root)
            }
            _ = try await graph.rules.rules(of: community, above: nil, limit: 5, by: root)
            for fallback in ClassifierVerdict.allCases {
                let new = NewClassifier(
                    "c", url: "u", secret: [1], timeout: 1_000, fallback: fallback, community: community)
                let id = try await graph.classifiers.createClassifier(new, by: root).id
                _ = try await graph.classifiers.changeClassifier(id, ClassifierChange(), by: root)
            }
            _ = try await graph.classifiers.classifiers(of: community, above: nil, limit: 5, by: root)
        }
        try await write(graph, bob, group)
        try await answerQuestions(graph, root)
        for user in [root, ann] { _ = try await graph.queue.queue(QueueFilter(), above: nil, limit: 5, by: user) }
        _ = try await graph.queue.queue(QueueFilter(community: group), above: nil, limit: 5, by: ann)
        try await graph.queue.restoreComments()
        for community in [nil, group] {
            let rules = try await graph.rules.rules(of: community, above: nil, limit: 9, by: root).items
            for rule in rules { try await graph.rules.deleteRule(rule.id, by: root) }
            let classifiers = try await graph.classifiers.classifiers(of: community, above: nil, limit: 9, by: root)
                .items
            for classifier in classifiers { try await graph.classifiers.deleteClassifier(classifier.id, by: root) }
        }
    }

    private static func write(_ graph: GraphStore, _ bob: UserID, _ group: CommunityID) async throws {
        for text in ["held @ann", "flagged", "removed.example"] {
            for community in [nil, group] {
                let post = try await graph.posts.publish(
                    NewPost(author: bob, caption: text, mediaURL: "m", community: community)
                ).id
                let comment = try await graph.comments.comment(on: post, by: bob, content: text).id
                _ = try await graph.comments.editComment(comment, by: bob, content: text)
                var change = PostChange()
                change.caption = text
                _ = try await graph.posts.editPost(post, by: bob, change)
                guard text != "removed.example" else { continue }
                let orders: [(ModerationAction, ModerationSubject)] = [
                    (.approvePost, .post(post)), (.approveComment, .comment(comment)),
                ]
                try await graph.database.write { transaction in
                    for (action, subject) in orders {
                        _ = try ModerationStore.Writer(transaction).carryOut(
                            ModerationOrder(action, [subject], reason: "r"), by: nil)
                    }
                }
            }
        }
    }

    private static func answerQuestions(_ graph: GraphStore, _ root: UserID) async throws {
        let now = Int64.max / 2
        try await graph.classifiers.freeClassifications(from: .isDead, at: now)
        let questions = try await graph.classifiers.takeClassifications(limit: 1_000, lease: 1, at: now)
        for (question, verdict) in zip(questions, Array(repeating: ClassifierVerdict.allCases, count: 99).joined()) {
            try await graph.classifiers.apply(question, ClassifierAnswer(verdict, reason: "r", labels: ["l"]))
            try await graph.classifiers.apply(question, nil)
        }
        _ = try await graph.posts.publish(NewPost(author: root, caption: "c", mediaURL: "m"))
        if let question = try await graph.classifiers.takeClassifications(limit: 1, lease: 1, at: now).first {
            try await graph.classifiers.postpone(question, until: 0)
        }
    }
}
