import Database
import GraphAPI
import GraphServices
import SocialGraph
import Timeline

/// The wire form of a post, encoded once and kept as a fragment.
package struct PostEncoding: Sendable {
    /// Makes a stored address absolute.
    let publicURL: @Sendable (String) -> String

    package init(publicURL: @escaping @Sendable (String) -> String) {
        self.publicURL = publicURL
    }

    package func fragment(of post: Post) -> PostFragment {
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
        // The same for every viewer: pending invitations are spliced in for those who may see them.
        for partner in post.partners { json.collaborator(partner.user, partner.username, partner.status) }
        let collaboratorsEnd = json.bytes.count
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
        return PostFragment(post: post, json: json.bytes, collaboratorsEnd: collaboratorsEnd)
    }
}

extension JSONWriter {
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

    package mutating func post(_ post: PostFragment) {
        postMembers(post)
        endObject()
    }

    /// A post as `viewer` sees it: with pending invitations where the post names the viewer.
    package mutating func post(_ post: PostFragment, for viewer: UserID) {
        postMembers(post, for: viewer)
        endObject()
    }

    /// Same as ``post(_:for:)``, with the object left open for more members.
    mutating func postMembers(_ post: PostFragment, for viewer: UserID) {
        let invitations = post.invitations(shownTo: viewer)
        guard !invitations.isEmpty else { return postMembers(post) }
        raw(Array(post.json[..<post.collaboratorsEnd]))
        for invited in invitations { collaborator(invited.user, invited.username, invited.status) }
        continued(Array(post.json[post.collaboratorsEnd...]))
    }

    /// A post whose object is left open for more members.
    mutating func postMembers(_ post: PostFragment) {
        raw(post.json)
    }
}
