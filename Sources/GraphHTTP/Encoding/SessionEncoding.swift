import Database
import GraphAPI
import GraphServices
import Sessions
import SocialGraph

extension JSONWriter {
    mutating func session(_ session: IssuedSession) {
        beginObject()
        member("userId", id: session.user.rawValue)
        member("token", session.token)
        member("expiresAt", time: session.expiresAt)
        member("refreshToken", session.refreshToken)
        member("refreshExpiresAt", time: session.refreshExpiresAt)
        endObject()
    }

    /// `{items: […]}`; `current` is the session of the request.
    mutating func sessions(_ sessions: [Session], current: Int64?) {
        beginObject()
        key("items")
        beginArray()
        for session in sessions {
            beginObject()
            sessionMembers(session)
            member("current", session.id.rawValue == current)
            endObject()
        }
        endArray()
        endObject()
    }

    mutating func sessionMembers(_ session: Session) {
        member("sessionId", id: session.id.rawValue)
        member("createdAt", time: session.createdAt)
        member("usedAt", time: session.usedAt)
        member("expiresAt", time: session.expiresAt)
    }
}
