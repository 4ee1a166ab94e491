import Database
import Saves
import SocialGraph

/// A reader, and a post that the reader may have liked, saved or reshared.
struct ReaderAndPost: Hashable, Sendable {
    let reader: UserID
    let post: PostID
}

/// Details as they are in the graph.
struct LoadedDetails: Sendable {
    var profiles: [AuthorProfile] = []
    /// The acts of readers, without pairs that have none.
    var acts: [ReaderAndPost: ViewerState] = [:]
}

extension GraphStore {
    private static let acts: [(ViewerState, ListQuery)] = [
        (.liked, LikeStore.likedAmong), (.saved, SaveStore.Reader.savedAmong),
        (.reshared, ReshareStore.Reader.resharedAmong),
    ]

    /// Returns the profiles of `authors`, and the acts of readers on posts. One round trip.
    func details(of authors: [UserID], _ pairs: [ReaderAndPost]) async throws -> LoadedDetails {
        let profiles = AccountStore.authorProfiles.queries(authors.map(SQLValue.user))
        var (queries, sources) = (profiles, [(reader: UserID, act: ViewerState)]())
        for (reader, pairs) in Dictionary(grouping: pairs, by: \.reader) {
            for (act, query) in Self.acts {
                let added = query.queries(pairs.map { .post($0.post) }, after: [.user(reader)])
                queries += added
                sources += added.map { _ in (reader, act) }
            }
        }
        return try await database.read { [queries, sources] reader in
            var loaded = LoadedDetails()
            try reader.fetch(queries) { index, row in
                if index < profiles.count {
                    loaded.profiles.append(AuthorProfile(row: row))
                } else {
                    let (reader, act) = sources[index - profiles.count]
                    let pair = ReaderAndPost(reader: reader, post: PostID(rawValue: row.integer(0)))
                    loaded.acts[pair, default: []].insert(act)
                }
                return true
            }
            return loaded
        }
    }
}
