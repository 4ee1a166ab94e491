import SocialGraph

extension GraphStore {
    package var followRequests: FollowRequestStore { FollowRequestStore(database: database) }
}
