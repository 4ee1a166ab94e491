extension ModelGraph {
    struct Cursor: Equatable {
        var actor = -1
        var number = 0
    }

    /// The users whose followers a job concerns.
    enum Scope: Equatable {
        /// The authors of a post.
        case authors(of: Int)
        /// Everybody who may have brought a post to a window.
        case actors(of: Int)
        /// The actor who brings an entry.
        case reasonAdded(Int, ModelEntry)
        /// The actor who has brought an entry.
        case reasonRemoved(Int, ModelEntry)
        case backfilled(Int)
    }

    /// Returns true if the act behind a job has not been undone.
    func stands(_ scope: Scope) -> Bool {
        switch scope {
        case .authors(let post): live.contains(post)
        case .reasonAdded(let user, let entry):
            live.contains(entry.post)
                && (entry.isReshare
                    ? reshare(of: entry.post, by: user)?.place == entry.place : authors[entry.post].contains(user))
        case .actors, .reasonRemoved, .backfilled: true
        }
    }

    /// The audience in chunks: the actors first, then one follower a chunk. Followers of a hub pull and are left out,
    /// except when undoing an act that may have been pushed before.
    func audience(of scope: Scope, past cursor: Cursor) -> (members: [Int], next: Cursor?) {
        let actors = actors(of: scope)
        var members = cursor == Cursor() ? actors : []
        if case .backfilled = scope { members = [] }
        for actor in actors where actor >= cursor.actor {
            let start = actor == cursor.actor ? cursor.number : 0
            guard isPushed(scope, actor) else { continue }
            guard let follow = follows.first(where: { $0.followee == actor && $0.number > start }) else { continue }
            if isWilling(follow.follower, scope) { members.append(follow.follower) }
            return (members, Cursor(actor: actor, number: follow.number))
        }
        return (members, nil)
    }

    private func actors(of scope: Scope) -> [Int] {
        switch scope {
        case .authors(let post): authors[post].sorted()
        case .actors(let post): Set(authors[post] + reshares.filter { $0.post == post }.map(\.user)).sorted()
        case .reasonAdded(let user, _), .reasonRemoved(let user, _), .backfilled(let user): [user]
        }
    }

    private func isPushed(_ scope: Scope, _ actor: Int) -> Bool {
        guard let hub = hubs[actor], hub.isPulledOnly else { return true }
        switch scope {
        case .authors, .reasonAdded, .backfilled: return false
        case .reasonRemoved(_, let entry): return entry.place < hub.since
        case .actors(let post) where authors[post].contains(actor): return post < hub.since
        case .actors(let post): return reshare(of: post, by: actor).map { $0.place < hub.since } ?? false
        }
    }

    private func isWilling(_ follower: Int, _ scope: Scope) -> Bool {
        guard case .reasonAdded(let user, let entry) = scope, entry.isReshare else { return true }
        return !hidesReshares(follower, user)
    }
}
