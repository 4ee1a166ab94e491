import SocialGraph
import Synchronization

/// The latest lists of recommendations that the database could not take, as on a full disk; in memory only.
final class UnstoredLists: Sendable {
    private let ids = StoredRankings.UnstoredIDs()
    private let lists = Mutex<[Int64: StoredRecommendations]>([:])

    subscript(id: Int64) -> StoredRecommendations? { lists.withLock { $0[id] } }

    func keep(_ entries: [UInt8], for user: UserID, scope: String, at time: Int64) -> StoredRecommendations {
        let list = StoredRecommendations(id: ids.take(), user: user, scope: scope, createdAt: time, entries: entries)
        lists.withLock { lists in
            if lists.count >= Recommendations.listsInMemory { lists.removeAll() }
            lists[list.id] = list
        }
        return list
    }
}
