import Database
import SocialGraph

/// A user's taste, derived from the inputs.
struct Taste: Sendable {
    let inputs: RecommendationInputs
    let history: TasteHistory
    let profile: TasteProfile
    let preferences: PreferenceMatch
    /// Traits of the history's posts that the user may still see; nothing may be revealed about other posts.
    let known: [PostID: [PostTrait]]
    let support: [Int64: ItemNeighbours.Support]

    init(
        _ inputs: RecommendationInputs, _ graph: GraphStore, _ neighbours: ItemNeighbours,
        visible: ([PostID]) async throws -> [RecommendablePost?]
    ) async throws {
        self.inputs = inputs
        let history = TasteHistory(inputs.acts)
        self.history = history
        let shown = try await visible(history.entries.map(\.post))
        profile = TasteProfile(
            zip(history.entries, shown).enumerated().compactMap { index, pair in
                pair.1.map { ($0, TasteHistory.slowWeight(pair.0, at: index)) }
            })
        known = Dictionary(uniqueKeysWithValues: shown.compactMap { $0.map { ($0.id, $0.traits) } })
        support = neighbours.support(of: history.entries.map { ($0.post.rawValue, $0.weight) })
        preferences = try await inputs.preferenceMatch(graph)
    }

    var user: UserID { inputs.context.viewer }
}
