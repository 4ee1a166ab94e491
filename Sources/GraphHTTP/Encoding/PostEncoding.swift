import Database
import GraphAPI
import GraphServices
import SocialGraph
import Timeline

/// The encodings of a post and of an author, computed once and kept in memory.
package struct PostEncoding: Sendable {
    private static let titleKey = Array(",\"title\":".utf8)

    let urls: PublicURL

    package init(urls: PublicURL) {
        self.urls = urls
    }

    package var items: ItemEncoding { ItemEncoding(post: fragment(of:), author: card(of:)) }

    /// `{userId, username, displayName, profilePicUrl}`
    package func card(of profile: AuthorProfile) -> AuthorCard {
        var json = JSONWriter(reservingCapacity: 192)
        json.beginObject()
        json.member("userId", id: profile.id.rawValue)
        json.member("username", profile.username)
        json.member("displayName", profile.displayName)
        json.member("profilePicUrl", profile.pictureURL.map(urls.shared))
        json.endObject()
        return AuthorCard(json: json.bytes)
    }

    package func fragment(of post: Post) -> PostFragment {
        var json = JSONWriter(reservingCapacity: 640 + post.caption.utf8.count)
        json.beginObject()
        json.member("postId", id: post.id.rawValue)
        json.key("author")
        // Cards change without the post, so that they are inserted when the post is written.
        let authorPlace = json.bytes.count
        json.continued(Self.titleKey)
        json.string(post.title)
        json.member("caption", post.caption)
        json.member("mediaUrl", urls.file(post.mediaURL, of: post))
        json.member("thumbnailUrl", post.thumbnailURL.map { urls.file($0, of: post) })
        if let renditions = post.renditions { json.member("renditions", raw: Array(renditions.utf8)) }
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
        return PostFragment(
            post: post, json: json.bytes, authorPlace: authorPlace, collaboratorsEnd: collaboratorsEnd)
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

    package mutating func post(_ post: PostFragment, _ details: ItemDetails) {
        postMembers(post, details)
        endObject()
    }

    /// A post as `viewer` sees it: with pending invitations if the post names the viewer.
    package mutating func post(_ post: PostFragment, _ details: ItemDetails, for viewer: UserID) {
        postMembers(post, details, for: viewer)
        endObject()
    }

    /// Same as ``post(_:_:for:)``, with the object left open for more members.
    package mutating func postMembers(_ post: PostFragment, _ details: ItemDetails, for viewer: UserID) {
        let invitations = post.invitations(shownTo: viewer)
        guard !invitations.isEmpty else { return postMembers(post, details) }
        authored(post, details, upTo: post.collaboratorsEnd)
        for invited in invitations { collaborator(invited.user, invited.username, invited.status) }
        continued(post.json[post.collaboratorsEnd...])
        viewerMember(details.viewer)
    }

    /// A post whose object is left open for more members.
    package mutating func postMembers(_ post: PostFragment, _ details: ItemDetails) {
        authored(post, details, upTo: post.json.count)
        viewerMember(details.viewer)
    }

    /// The first members of a post, its author included.
    private mutating func authored(_ post: PostFragment, _ details: ItemDetails, upTo end: Int) {
        raw(post.json[..<post.authorPlace])
        continued(details.author.json)
        continued(post.json[post.authorPlace..<end])
    }
}
