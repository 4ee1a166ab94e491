import SocialGraph
import Text

/// The data about a user behind a list of recommendations.
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

    /// A hash of the inputs. Equal values mean equal inputs, with the certainty of a 64-bit hash. Valid within this
    /// process only.
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

    /// Returns the preferences resolved to topics as well as attributes.
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
