import Database
import Discovery
import GraphAPI
import GraphHTTP
import GraphServices
import SocialGraph

/// Answers in the format of VistaVid's API: a post is a video, a caption its description.
extension JSONWriter {
    /// `{success: true, …}`
    package mutating func success(_ members: (inout JSONWriter) -> Void = { _ in }) {
        beginObject()
        member("success", true)
        members(&self)
        endObject()
    }

    mutating func vistaVid(video post: Post, _ urls: PublicURL, businessData: TrendStatistics?) {
        beginObject()
        member("videoId", id: post.id.rawValue)
        member("userId", id: post.author.rawValue)
        member("videoUrl", urls.file(post.mediaURL, of: post))
        member("thumbnailUrl", post.thumbnailURL.map { urls.file($0, of: post) })
        member("description", post.caption)
        countMembers(post.counts)
        member("createdAt", time: post.createdAt)
        member("algorithmTags", post.algorithmTags)
        key("businessData")
        self.businessData(businessData)
        endObject()
    }

    mutating func vistaVid(comment: PostComment) {
        beginObject()
        member("commentId", id: comment.id.rawValue)
        key("userId")
        if comment.isDeleted { null() } else { id(comment.author.rawValue) }
        member("content", comment.isDeleted ? nil : comment.content)
        member("createdAt", time: comment.createdAt)
        member("parentCommentId", id: comment.parent?.rawValue)
        endObject()
    }

    /// A community. `members` and `moderators` hold ids up to a bound, the latest member first; `membersCount` is
    /// exact.
    mutating func vistaVid(community: Community, members: [UserID], moderators: [UserID]) {
        beginObject()
        member("communityId", id: community.id.rawValue)
        member("name", community.name)
        member("description", community.description)
        member("createdAt", time: community.createdAt)
        member("members", listing: members) { $0.id($1.rawValue) }
        member("membersCount", community.membersCount)
        member("moderators", listing: moderators) { $0.id($1.rawValue) }
        endObject()
    }

    /// A user. `own` has the members that only the user sees.
    mutating func vistaVid(user: Account, _ urls: PublicURL, selectedAlgorithms own: [String]?) {
        beginObject()
        member("userId", id: user.id.rawValue)
        member("username", user.username)
        member("email", own == nil ? nil : user.email)
        member("profilePicUrl", user.pictureURL.map(urls.shared))
        member("createdAt", time: user.createdAt)
        member("isBusiness", user.isBusiness)
        key("selectedAlgorithms")
        if let own { strings(own) } else { null() }
        endObject()
    }

    package mutating func ids(_ users: [UserID]) { array(users) { $0.id($1.rawValue) } }
}
