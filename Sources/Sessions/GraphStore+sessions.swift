import SocialGraph

extension GraphStore {
    package var sessions: SessionStore { SessionStore(database: database) }
}
