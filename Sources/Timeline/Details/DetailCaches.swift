import Database
import SocialGraph

/// In-memory caches of author cards, and of readers' acts on posts. Every commit updates them before it is
/// acknowledged.
final class DetailCaches: Sendable {
    /// Author cards kept in memory.
    private static let cachedCards = 100_000
    /// Pairs of a reader and a post kept in memory.
    private static let cachedActs = 500_000
    /// Pairs that one commit invalidates one by one; beyond, all are.
    private static let pairsAtOnce = 4_096

    private let cards: VersionedCache<UserID, AuthorCard>
    private let acts: VersionedCache<ReaderAndPost, ViewerState>
    private let graph: GraphStore
    private let encode: @Sendable (AuthorProfile) -> AuthorCard

    init(graph: GraphStore, encode: @escaping @Sendable (AuthorProfile) -> AuthorCard) {
        self.graph = graph
        self.encode = encode
        cards = VersionedCache(capacity: Self.cachedCards)
        acts = VersionedCache(capacity: Self.cachedActs)
    }

    /// Applies the changes of a commit. `touched`: the feeds that it has touched; nil: not known.
    func observe(_ changes: [GraphChange], touched: [FeedSource]?) {
        for change in changes {
            switch change {
            case .likesChanged(let post, let user), .savesChanged(let post, let user), .unreshared(let post, let user):
                acts.invalidate(ReaderAndPost(reader: user, post: post))
            case .accountChanged(let user, _), .accountDeleted(let user), .accountModerated(let user):
                cards.invalidate(user)
            case .unknown:
                cards.invalidateAll()
                acts.invalidateAll()
            default: break
            }
        }
        observeReshares(changes, touched)
    }

    /// The change of a reshare does not name its user, who is among the actors whose feeds the commit touched.
    private func observeReshares(_ changes: [GraphChange], _ touched: [FeedSource]?) {
        var posts: [PostID] = []
        for case .reshared(_, let post) in changes { posts.append(post) }
        guard !posts.isEmpty else { return }
        guard let touched, touched.count * posts.count <= Self.pairsAtOnce else { return acts.invalidateAll() }
        for case .actor(let user) in touched {
            for post in posts { acts.invalidate(ReaderAndPost(reader: user, post: post)) }
        }
    }

    /// The details of `posts` for the viewer of `context`; nil if one of them is not in memory.
    func warmDetails(of posts: [PostFragment], for context: ViewerContext) -> [ItemDetails]? {
        cards.withValues { card in
            acts.withValues { act in
                var details: [ItemDetails] = []
                details.reserveCapacity(posts.count)
                for post in posts {
                    guard let card = card(post.publisher),
                        let act = act(ReaderAndPost(reader: context.viewer, post: post.id))
                    else { return nil }
                    details.append(ItemDetails(author: card, viewer: act.union(context.relation(to: post))))
                }
                return details
            }
        }
    }

    /// The cards of `authors` and the acts of `viewer` on `posts`, each in the order given. One query for all that is
    /// missing.
    func details(
        of authors: [UserID], _ posts: [PostID], for viewer: UserID
    ) async throws -> (cards: [AuthorCard], acts: [ViewerState]) {
        try await details(of: authors, posts.map { ReaderAndPost(reader: viewer, post: $0) })
    }

    /// Reads what is missing of the details of a post for many readers, in one query.
    func load(_ post: PostFragment, for readers: [UserID]) async throws {
        _ = try await details(of: [post.publisher], readers.map { ReaderAndPost(reader: $0, post: post.id) })
    }

    private func details(
        of authors: [UserID], _ pairs: [ReaderAndPost]
    ) async throws -> (cards: [AuthorCard], acts: [ViewerState]) {
        var cards = cards.values(for: authors)
        var acts = acts.values(for: pairs)
        let missing = (cards: cards.indices.filter { cards[$0] == nil }, acts: acts.indices.filter { acts[$0] == nil })
        if !missing.cards.isEmpty || !missing.acts.isEmpty {
            let loads = (self.cards.beginLoad(), self.acts.beginLoad())
            let loaded = try await graph.details(
                of: Array(Set(missing.cards.map { authors[$0] })), Array(Set(missing.acts.map { pairs[$0] })))
            var encoded: [UserID: AuthorCard] = [:]
            for profile in loaded.profiles {
                let card = encode(profile)
                encoded[profile.id] = card
                self.cards.finish(loads.0, profile.id, card)
            }
            for index in missing.cards { cards[index] = encoded[authors[index]] }
            for index in missing.acts {
                let state = loaded.acts[pairs[index]] ?? []
                acts[index] = state
                self.acts.finish(loads.1, pairs[index], state)
            }
        }
        // An account without a row: its foreign keys do not allow that.
        let none = AuthorCard(json: Self.nullCard)
        return (cards.map { $0 ?? none }, acts.map { $0 ?? [] })
    }

    private static let nullCard = Array("null".utf8)
}
