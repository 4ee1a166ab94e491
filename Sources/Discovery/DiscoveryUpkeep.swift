import Database
import SocialGraph

/// The graph's interface to discovery.
package struct DiscoveryUpkeep: GraphDiscovery {
    package init() {}

    package func videoTexts(of post: PostID, _ reader: any SQLReader) throws -> [String] {
        try SegmentStore.Reader(reader).videoTexts(of: post)
    }

    package func delete(_ post: PostID, _ transaction: any GraphTransaction) throws {
        try SegmentStore.Writer(transaction).deleteSegmentation(of: post)
        try EmbeddingStore.Writer(transaction).deleteEmbedding(of: post)
    }

    package func purge(_ post: PostID, limit: Int, _ transaction: any GraphTransaction) throws -> Int {
        try WatchStore.Writer(transaction).purgeWatches(of: post, limit)
    }

    package func erase(_ user: UserID, limit: Int, _ transaction: any GraphTransaction) throws -> Bool {
        let watches = try WatchStore.Writer(transaction).eraseWatches(user, limit)
        let lists = try RecommendationStore.Writer(transaction).eraseRecommendations(user, limit)
        return watches + lists > 0
    }

    package func prune(_ transaction: any GraphTransaction) throws {
        try RankingStore.Writer(transaction).pruneRankings()
        try RecommendationStore.Writer(transaction).pruneRecommendations()
    }
}
