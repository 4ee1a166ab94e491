import Database
import TestSupport
import Testing

@testable import Moderation
@testable import SocialGraph

/// Stacks of which only the newest effects are read, compared with all effects in force.
@Suite(.timeLimit(.model))
struct FacetStackTests {
    @Test(arguments: 0..<4 as Range<UInt64>)
    func `a state is what all effects in force make of the base`(seed: UInt64) async throws {
        try await withGraph { fixture in
            let town = try await ModerationTown(fixture)
            var history = StackHistory(town: town, random: SplitMix64(seed: seed))
            var most: Int64 = 0
            for act in 0..<400 {
                fixture.clock.advance(by: Int64(1))
                try await history.act()
                let (state, defined, count) = try await history.states()
                most = max(most, count)
                try #require(state == defined, "seed \(seed), act \(act)")
            }
            #expect(most > Int64(FacetStack.effectsRead), "seed \(seed)")
        }
    }

    @Test
    func `what was not read does not count as lasting`() {
        let key = FacetKey(.postRemoved, 1)
        func lasts(_ cut: Set<ModerationScope>, _ effects: [FacetStack.Effect] = []) -> Bool {
            let stack = FacetStack(
                key: key, base: .flag(since: 1), effects: effects, isStored: true, cutScopes: cut)
            return stack.lasts(until: nil, in: .site, isSameInBase: true) { $0 != .set(.flag(since: nil)) }
        }
        #expect(lasts([]) && lasts([.community]) && !lasts([.site]))
        let forever = FacetStack.Effect(
            id: 1, entry: ModlogEntryID(rawValue: 1), step: .set(.flag(since: 2)), endsAt: nil, scope: .site)
        #expect(lasts([.site], [forever]))
    }
}

/// Removals and restorations of one post by the site and by its community, and their undos.
private struct StackHistory {
    let town: ModerationTown
    var random: SplitMix64
    private var batches: [BatchID] = []

    init(town: ModerationTown, random: SplitMix64) {
        self.town = town
        self.random = random
    }

    private var post: PostID { town.posts[0] }

    mutating func act() async throws {
        let isOfSite = Int.random(in: 0..<4, using: &random) == 0
        let actor = isOfSite ? town.siteModerator : town.owner
        do {
            if Int.random(in: 0..<6, using: &random) == 0, let batch = batches.randomElement(using: &random) {
                let undone = try await town.graph.moderation.undo(batch, by: actor)
                if let next = undone.batch { batches.append(next) }
            } else {
                let action: ModerationAction = Bool.random(using: &random) ? .removePost : .restorePost
                let hasEnd = action == .removePost && Int.random(in: 0..<3, using: &random) == 0
                let end = hasEnd ? Int64.max - Int64.random(in: 1...1_000, using: &random) : nil
                let outcome = try await town.order(action, [.post(post)], by: actor, endsAt: end)
                if let batch = outcome.batch { batches.append(batch) }
            }
        } catch is ModerationError {
        } catch is GraphError {}
    }

    /// The state in the post's row, the one by definition, and the number of effects in force.
    func states() async throws -> (state: FacetState?, defined: FacetState, count: Int64) {
        let post = post
        return try await town.fixture.database.read { reader in
            let key = FacetKey(.postRemoved, post.rawValue)
            let base = try reader.first(FacetStore.Reader.baseQuery, key.arguments) {
                try FacetState(.postRemoved, text: $0.text(0))
            }
            var effective = EffectiveFacetState(.postRemoved, base: base ?? .flag(since: nil))
            var count: Int64 = 0
            try reader.forEach(Self.effectsQuery, key.arguments) { row in
                let step = try FacetStep(.postRemoved, text: row.text(0))
                effective.apply(step, by: ModerationScope(isSite: row.integer(1)))
                count += 1
                return true
            }
            return (try FacetStore.Reader(reader).state(of: key), effective.state, count)
        }
    }

    private static let effectsQuery = """
        SELECT state, is_site FROM moderation_effect
        WHERE subject_id = ?1 AND facet = ?2 AND community_id = ?3 AND ended_at IS NULL ORDER BY id
        """
}
