import Database
import GraphAPI
import GraphServices
import SocialGraph

extension JSONWriter {
    mutating func session(_ session: IssuedSession) {
        beginObject()
        key("userId")
        id(session.user.rawValue)
        key("token")
        string(session.token)
        key("expiresAt")
        timestamp(milliseconds: session.expiresAt)
        key("refreshToken")
        string(session.refreshToken)
        key("refreshExpiresAt")
        timestamp(milliseconds: session.refreshExpiresAt)
        endObject()
    }

    /// `{items: […]}`; `current` is the session that asks.
    mutating func sessions(_ sessions: [Session], current: Int64?) {
        beginObject()
        key("items")
        beginArray()
        for session in sessions {
            beginObject()
            sessionMembers(session)
            key("current")
            bool(session.id.rawValue == current)
            endObject()
        }
        endArray()
        endObject()
    }

    mutating func sessionMembers(_ session: Session) {
        key("sessionId")
        id(session.id.rawValue)
        key("createdAt")
        timestamp(milliseconds: session.createdAt)
        key("usedAt")
        timestamp(milliseconds: session.usedAt)
        key("expiresAt")
        timestamp(milliseconds: session.expiresAt)
    }
}
