@testable import SocialGraph
@testable import SocialGraphModel
import Importing
import TestSupport

/// Account deletion in a history.
extension RandomHistory {
    /// Deletes an account. Checks the visible content before the erasure begins, and the remaining content after it.
    mutating func deleteAccount() async throws {
        let leavers = model.users.dropFirst(max(shape.wideReaders, 4)).filter { !strangers.contains($0) }
        guard let user = leavers.randomElement(using: &random) else { return }
        let feed = model.entries(of: .actor(user))
        try await apply({ try await $0.erasures.deleteAccount(user) }, { _ in true })
        deleted += model.posts.filter { $0.author == user }.map(\.id)
        let owners = model.owners
        model.erase(user)
        // Ownership passes with the erasure, so the heirs' views differ until then.
        let heirs = Set(model.owners.filter { owners[$0.key] != $0.value }.values)
        try await askWhatIsShown(without: user, feed.map(\.post), to: model.users.filter { !heirs.contains($0) })
        try await erase(user)
        // A running importer remembers the ids of the names that it has met.
        importer = FollowImporter(graph: graph)
        imported = []
    }

    private func askWhatIsShown(
        without user: UserID, _ posts: [PostID], to readers: [UserID]
    ) async throws {
        try expect("account \(user)", try await graph.accounts.account(user), nil)
        for post in posts where model.post(post) == nil {
            try expect("post \(post) of \(user)", try await graph.posts.posts([post]).isEmpty, true)
        }
        for reader in readers.prefix(20) {
            try expect(
                "home of \(reader) without \(user)", try await graph.feeds.homeByDefinition(of: reader),
                model.home(reader))
            for direction in [FollowDirection.followers, .following] {
                let list = try await graph.follows.followList(of: reader, direction, below: nil, limit: 1_000)
                try expect(
                    "\(direction) of \(reader) without \(user)", list.items.map(\.user),
                    model.shownList(reader, direction))
            }
            let context = try await graph.feeds.viewerContext(of: reader)
            try expect("context without \(user)", context.followees, model.shownList(reader, .following).sorted())
        }
    }

    private mutating func erase(_ user: UserID) async throws {
        for _ in 0..<100_000 {
            switch try await graph.erasures.eraseSome(of: user, limit: Int.random(in: 1...20, using: &random)) {
            case .removed: continue
            case .waiting: try await fixture.acknowledgeAll()
            case .finished: return try expect("erasures", try await graph.erasures.erasures(), [])
            }
        }
        throw WrongAnswer(problem: "the erasure of \(user) does not end")
    }
}

extension ReferenceGraph {
    fileprivate var owners: [CommunityID: UserID] {
        communities.compactMapValues { group in group.members.first { $0.value.role == .owner }?.key }
    }

    /// Removes a user and all of the user's acts from the network.
    mutating func erase(_ user: UserID) {
        for post in posts where post.author == user { delete(post.id) }
        for post in posts where post.collaborators[user] != nil { endCollaboration(of: user, on: post.id) }
        if defect != .deletedKeepSharing { reshares.removeAll { $0.user == user } }
        for other in users where defect != .deletedKeepFollowing {
            _ = unfollow(other, user)
            _ = unfollow(user, other)
        }
        for other in users {
            blocks[other]?.removeAll { $0 == user }
            mutes[other]?.removeAll { $0.user == user }
        }
        for (id, community) in communities { communities[id] = community.without(user, suspended, defect) }
        for list in [\ReferenceGraph.blocks, \.following, \.followers] { self[keyPath: list][user] = nil }
        mutes[user] = nil
        topics[user] = nil
        hubs[user] = nil
        users.removeAll { $0 == user }
        suspended.remove(user)
        silenced.remove(user)
        secluded.remove(user)
        requests.removeAll { $0.follower == user || $0.followee == user }
        names = names.filter { $0.value != user }
    }
}

extension ReferenceGraph.Group {
    /// The community without `user`. Ownership passes to the oldest moderator, or else to the oldest member.
    fileprivate func without(
        _ user: UserID, _ suspended: Set<UserID>, _ defect: ReferenceGraph.Defect?
    ) -> Self {
        var rest = self
        rest.banned.remove(user)
        guard let member = rest.members.removeValue(forKey: user), member.role == .owner else { return rest }
        let ages = Dictionary(joined.enumerated().map { ($1, $0) }) { _, last in last }
        let oldest = rest.members.keys.filter { !suspended.contains($0) }.sorted {
            ages[$0, default: 0] < ages[$1, default: 0]
        }
        let heir = oldest.first { rest.members[$0]?.role == .moderator } ?? oldest.first
        if let heir, let membership = rest.members[heir], defect != .ownershipEnds {
            rest.members[heir] = Membership(
                community: membership.community, role: .owner, isInHome: membership.isInHome)
        }
        return rest
    }
}
