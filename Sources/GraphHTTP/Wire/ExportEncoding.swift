import Database
import GraphAPI
import SocialGraph

/// What stands in an export only.
extension JSONWriter {
    mutating func identity(issuer: String, subject: String) {
        beginObject()
        key("issuer")
        string(issuer)
        key("subject")
        string(subject)
        endObject()
    }

    mutating func session(listed session: Session) {
        beginObject()
        sessionMembers(session)
        endObject()
    }

    mutating func collaboration(_ collaboration: OwnCollaboration) {
        beginObject()
        key("postId")
        id(collaboration.post.rawValue)
        key("status")
        string(collaboration.status.rawValue)
        endObject()
    }

    package mutating func reshare(_ reshare: FeedEntry) {
        beginObject()
        key("reshareId")
        id(reshare.position.rawValue)
        key("postId")
        id(reshare.post.rawValue)
        endObject()
    }

    mutating func exportedShare(_ share: ExternalShare) {
        beginObject()
        key("shareId")
        id(share.id)
        key("postId")
        id(share.post.rawValue)
        key("platform")
        string(share.platform)
        endObject()
    }

    mutating func communityTie(_ tie: CommunityTie) {
        beginObject()
        key("communityId")
        id(tie.community.rawValue)
        key("name")
        string(tie.name)
        key("role")
        string(tie.kind.rawValue)
        endObject()
    }

    mutating func ownFile(_ file: OwnFile, _ publicURL: (String) -> String) {
        beginObject()
        key("mediaId")
        id(file.id.rawValue)
        key("url")
        string(publicURL("/media/" + file.fileName))
        key("contentType")
        string(file.contentType)
        key("bytes")
        integer(file.bytes)
        key("createdAt")
        timestamp(milliseconds: file.createdAt)
        endObject()
    }
}
