import SocialGraph

/// What is known of the user for whom a list is made.
struct RecommendationInputs: Sendable {
    let context: ViewerContext
    let acts: [TasteAct]
    let preferences: [String: AttributeValue]

    static func read(_ graph: GraphStore, of user: UserID) async throws -> RecommendationInputs {
        RecommendationInputs(
            context: try await graph.feeds.viewerContext(of: user),
            acts: try await graph.recommendations.tasteActs(of: user, limit: TasteHistory.length),
            preferences: try await graph.accounts.preferences(of: user).attributes)
    }

    /// Two of the same number are, with the certainty of a hash of 64 bits, the same. Within this process only.
    var fingerprint: Int {
        var hasher = Hasher()
        for act in acts {
            hasher.combine(act.id)
            hasher.combine(act.share)
        }
        for (name, value) in preferences.sorted(by: { $0.key < $1.key }) {
            hasher.combine(name)
            hasher.combine(String(describing: value))
        }
        hasher.combine(context.followees)
        hasher.combine(context.homeTopics)
        hasher.combine(context.homeCommunities)
        hasher.combine(context.blocked)
        hasher.combine(context.mutedPosts)
        return hasher.finalize()
    }

    /// What the preferences mean in topics as well as in attributes.
    func preferenceMatch(_ graph: GraphStore) async throws -> PreferenceMatch {
        let names = PreferenceMatch.topicNames(preferences)
        var topics: [String: Set<TopicID>] = [:]
        for kind in TopicKind.allCases {
            for (name, topic) in zip(names, try await graph.topics.topics(kind, named: names)) {
                if let topic { topics[NameFolding.key(name), default: []].insert(topic) }
            }
        }
        return PreferenceMatch(preferences, topics: topics)
    }
}
