import SocialGraph

extension GraphStore {
    package var exports: ExportStore { ExportStore(database: database) }
    package var mutedWords: MutedWordStore { MutedWordStore(database: database) }
    package var followRequests: FollowRequestStore { FollowRequestStore(database: database) }
}
