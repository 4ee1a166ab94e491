import Database
import GraphAPI
import Sessions
import Privacy
import SocialGraph

/// Encodings that only occur in an export.
extension JSONWriter {
    mutating func identity(issuer: String, subject: String) {
        beginObject()
        member("issuer", issuer)
        member("subject", subject)
        endObject()
    }

    mutating func session(listed session: Session) {
        beginObject()
        sessionMembers(session)
        endObject()
    }

    mutating func collaboration(_ collaboration: OwnCollaboration) {
        beginObject()
        member("postId", id: collaboration.post.rawValue)
        member("status", collaboration.status.rawValue)
        endObject()
    }

    package mutating func reshare(_ reshare: FeedEntry) {
        beginObject()
        member("reshareId", id: reshare.position.rawValue)
        member("postId", id: reshare.post.rawValue)
        endObject()
    }

    mutating func exportedShare(_ share: ExternalShare) {
        beginObject()
        member("shareId", id: share.id)
        member("postId", id: share.post.rawValue)
        member("platform", share.platform)
        endObject()
    }

    mutating func communityTie(_ tie: CommunityTie) {
        beginObject()
        member("communityId", id: tie.community.rawValue)
        member("name", tie.name)
        member("role", tie.kind.rawValue)
        endObject()
    }

    mutating func ownFile(_ file: OwnFile, _ publicURL: (String) -> String) {
        beginObject()
        member("mediaId", id: file.id.rawValue)
        member("url", publicURL("/media/" + file.fileName))
        member("contentType", file.contentType)
        member("bytes", file.bytes)
        member("createdAt", time: file.createdAt)
        endObject()
    }
}
