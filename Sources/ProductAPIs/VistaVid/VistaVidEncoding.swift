import Database
import Discovery
import GraphAPI
import GraphHTTP
import SocialGraph

/// Answers in the words of VistaVid's contract: a post is a video, a caption its description.
extension JSONWriter {
    /// `{success: true, …}`
    package mutating func success(_ members: (inout JSONWriter) -> Void = { _ in }) {
        beginObject()
        key("success")
        bool(true)
        members(&self)
        endObject()
    }

    mutating func vistaVid(video post: Post, _ publicURL: (String) -> String, businessData: TrendStatistics?) {
        beginObject()
        key("videoId")
        id(post.id.rawValue)
        key("userId")
        id(post.author.rawValue)
        key("videoUrl")
        string(publicURL(post.mediaURL))
        key("thumbnailUrl")
        string(post.thumbnailURL.map(publicURL))
        key("description")
        string(post.caption)
        countMembers(post.counts)
        key("createdAt")
        timestamp(milliseconds: post.createdAt)
        key("algorithmTags")
        strings(post.algorithmTags)
        key("businessData")
        self.businessData(businessData)
        endObject()
    }

    mutating func vistaVid(comment: PostComment) {
        beginObject()
        key("commentId")
        id(comment.id.rawValue)
        key("userId")
        if comment.isDeleted { null() } else { id(comment.author.rawValue) }
        key("content")
        string(comment.isDeleted ? nil : comment.content)
        key("createdAt")
        timestamp(milliseconds: comment.createdAt)
        key("parentCommentId")
        if let parent = comment.parent { id(parent.rawValue) } else { null() }
        endObject()
    }

    /// `members` and `moderators` hold ids up to a bound, the latest member first; `membersCount` is exact.
    mutating func vistaVid(community: Community, members: [UserID], moderators: [UserID]) {
        beginObject()
        key("communityId")
        id(community.id.rawValue)
        key("name")
        string(community.name)
        key("description")
        string(community.description)
        key("createdAt")
        timestamp(milliseconds: community.createdAt)
        key("members")
        ids(members)
        key("membersCount")
        integer(community.membersCount)
        key("moderators")
        ids(moderators)
        endObject()
    }

    /// `own`: what is shown to the user alone.
    mutating func vistaVid(user: Account, _ publicURL: (String) -> String, selectedAlgorithms own: [String]?) {
        beginObject()
        key("userId")
        id(user.id.rawValue)
        key("username")
        string(user.username)
        key("email")
        string(own == nil ? nil : user.email)
        key("profilePicUrl")
        string(user.pictureURL.map(publicURL))
        key("createdAt")
        timestamp(milliseconds: user.createdAt)
        key("isBusiness")
        bool(user.isBusiness)
        key("selectedAlgorithms")
        if let own { strings(own) } else { null() }
        endObject()
    }

    package mutating func ids(_ users: [UserID]) {
        beginArray()
        for user in users { id(user.rawValue) }
        endArray()
    }

    package mutating func strings(_ texts: [String]) {
        beginArray()
        for text in texts { string(text) }
        endArray()
    }
}
