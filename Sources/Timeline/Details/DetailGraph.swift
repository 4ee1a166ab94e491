import Database
import Saves
import SocialGraph

/// The graph query of details that are not in memory.
package protocol DetailGraph: Sendable {
    /// Returns the profiles of `authors`, and the posts among `posts` that `viewer` likes, has saved or has reshared.
    /// One round trip.
    func details(of authors: [UserID], _ posts: [PostID], for viewer: UserID) async throws -> LoadedDetails
}

/// Details as they are in the graph.
package struct LoadedDetails: Sendable {
    package var profiles: [AuthorProfile] = []
    /// The acts of the viewer, without posts that have none.
    package var acts: [PostID: ViewerState] = [:]

    package init() {}
}

extension GraphStore: DetailGraph {
    package func details(
        of authors: [UserID], _ posts: [PostID], for viewer: UserID
    ) async throws -> LoadedDetails {
        let profiles = AccountStore.authorProfiles.queries(authors.map(SQLValue.user))
        let acts: [(ViewerState, ListQuery)] = [
            (.liked, LikeStore.likedAmong), (.saved, SaveStore.Reader.savedAmong),
            (.reshared, ReshareStore.Reader.resharedAmong),
        ]
        var queries = profiles
        var kinds: [ViewerState] = []
        for (kind, query) in acts {
            let added = query.queries(posts.map(SQLValue.post), after: [.user(viewer)])
            queries += added
            kinds += added.map { _ in kind }
        }
        return try await database.read { [queries, kinds] reader in
            var loaded = LoadedDetails()
            try reader.fetch(queries) { index, row in
                if index < profiles.count {
                    loaded.profiles.append(AuthorProfile(row: row))
                } else {
                    loaded.acts[PostID(rawValue: row.integer(0)), default: []].insert(kinds[index - profiles.count])
                }
                return true
            }
            return loaded
        }
    }
}
