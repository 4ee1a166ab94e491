import Database
import GraphAPI
import GraphServices
import SocialGraph
import Timeline

/// The encoding of a post, computed once and kept as a fragment.
package struct PostEncoding: Sendable {
    /// Makes a stored URL absolute.
    let publicURL: @Sendable (String) -> String

    package init(publicURL: @escaping @Sendable (String) -> String) {
        self.publicURL = publicURL
    }

    package func fragment(of post: Post) -> PostFragment {
        var json = JSONWriter(reservingCapacity: 640 + post.caption.utf8.count)
        json.beginObject()
        json.member("postId", id: post.id.rawValue)
        json.key("author")
        json.userReference(post.author, post.authorUsername)
        json.member("title", post.title)
        json.member("caption", post.caption)
        json.member("mediaUrl", publicURL(post.mediaURL))
        json.member("thumbnailUrl", post.thumbnailURL.map(publicURL))
        json.member("category", post.category)
        json.member("algorithmTags", listing: post.algorithmTags) { $0.string($1) }
        json.key("collaborators")
        json.beginArray()
        // The same for every viewer: pending invitations are spliced in for the users who may see them.
        for partner in post.partners { json.collaborator(partner.user, partner.username, partner.status) }
        let collaboratorsEnd = json.bytes.count
        json.endArray()
        json.member("link", post.link)
        json.member("visibility", post.visibility.rawValue)
        json.key("communityId")
        if let community = post.community { json.id(community.id.rawValue) } else { json.null() }
        json.key("attributes")
        json.attributes(post.attributes)
        json.countMembers(post.counts)
        json.member("createdAt", time: post.createdAt)
        json.member("updatedAt", time: post.updatedAt)
        if post.isHeld {
            json.member("held", true)
        }
        return PostFragment(post: post, json: json.bytes, collaboratorsEnd: collaboratorsEnd)
    }
}

extension JSONWriter {
    mutating func collaborator(_ user: UserID, _ username: String, _ status: Collaborator.Status) {
        beginObject()
        member("userId", id: user.rawValue)
        member("username", username)
        member("status", status.rawValue)
        endObject()
    }

    package mutating func post(_ post: PostFragment) {
        postMembers(post)
        endObject()
    }

    /// A post as `viewer` sees it: with pending invitations if the post names the viewer.
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
