import GraphAPI
import SocialGraph
import Timeline

/// The wire form of a post, encoded once and kept as a fragment.
struct PostEncoding: Sendable {
    /// Makes a stored address absolute.
    let publicURL: @Sendable (String) -> String

    func fragment(of post: Post) -> PostFragment {
        var json = JSONWriter(reservingCapacity: 640 + post.caption.utf8.count)
        json.beginObject()
        json.key("postId")
        json.id(post.id.rawValue)
        json.key("author")
        json.userReference(post.author, post.authorUsername)
        json.key("title")
        json.string(post.title)
        json.key("caption")
        json.string(post.caption)
        json.key("mediaUrl")
        json.string(publicURL(post.mediaURL))
        json.key("thumbnailUrl")
        json.string(post.thumbnailURL.map(publicURL))
        json.key("category")
        json.string(post.category)
        json.key("algorithmTags")
        json.beginArray()
        for tag in post.algorithmTags { json.string(tag) }
        json.endArray()
        json.key("collaborators")
        json.beginArray()
        for collaborator in post.collaborators {
            json.collaborator(collaborator.user, collaborator.username, collaborator.status)
        }
        json.endArray()
        json.key("link")
        json.string(post.link)
        json.key("visibility")
        json.string(post.visibility.rawValue)
        json.key("communityId")
        if let community = post.community { json.id(community.id.rawValue) } else { json.null() }
        json.key("attributes")
        json.attributes(post.attributes)
        json.countMembers(post.counts)
        json.key("createdAt")
        json.timestamp(milliseconds: post.createdAt)
        json.key("updatedAt")
        json.timestamp(milliseconds: post.updatedAt)
        if post.isHeld {
            json.key("held")
            json.bool(true)
        }
        return PostFragment(post: post, json: json.bytes)
    }
}

extension JSONWriter {
    mutating func userReference(_ user: UserID, _ username: String) {
        beginObject()
        key("userId")
        id(user.rawValue)
        key("username")
        string(username)
        endObject()
    }

    mutating func collaborator(_ user: UserID, _ username: String, _ status: Collaborator.Status) {
        beginObject()
        key("userId")
        id(user.rawValue)
        key("username")
        string(username)
        key("status")
        string(status.rawValue)
        endObject()
    }

    mutating func post(_ post: PostFragment) {
        postMembers(post)
        endObject()
    }

    /// A post whose object is left open for more members.
    mutating func postMembers(_ post: PostFragment) {
        raw(post.json)
    }
}
