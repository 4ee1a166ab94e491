import SocialGraph

extension GraphStore {
    package var embeddings: EmbeddingStore { EmbeddingStore(database: database) }
    package var rankings: RankingStore { RankingStore(database: database) }
    package var recommendations: RecommendationStore { RecommendationStore(database: database) }
    package var search: SearchStore { SearchStore(database: database) }
    package var segments: SegmentStore { SegmentStore(database: database) }
    package var trends: TrendStore { TrendStore(database: database) }
    package var watches: WatchStore { WatchStore(database: database) }
}
