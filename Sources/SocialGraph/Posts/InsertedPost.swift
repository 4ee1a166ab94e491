import Algorithms
import Database
import Text

/// The parts of a new post that its draft lacks.
package struct InsertedPost {
    package let id: PostID
    /// The tags without duplicates.
    let tags: [String]
    /// The topics of its tags, then that of its category.
    let topics: [TopicID]
}

/// The properties of an author that a post shows.
struct PostAuthor {
    let username: String
    let isSuspended: Bool
    let isSilenced: Bool
    let isPrivate: Bool

    init(row: any SQLRow) {
        username = row.text(0)
        isSuspended = row.optionalInteger(1) != nil
        isSilenced = row.optionalInteger(2) != nil
        isPrivate = row.integer(3) != 0
    }
}

extension NewPost {
    /// The tags with their keys, without duplicates; of tags that differ in case only, the first is kept.
    var distinctTags: [(tag: String, key: String)] {
        algorithmTags.map { ($0, NameFolding.key($0)) }.uniqued(on: \.1)
    }

    /// The topics of its distinct `tags`, then that of the category.
    func topicKeys(_ tags: [(tag: String, key: String)]) -> [TopicKey] {
        tags.map { TopicKey(.tag, key: $0.key) } + (category.map { [TopicKey(.category, $0)] } ?? [])
    }
}

extension Post {
    /// The post as it would be read back: one without a community, collaborators and a stored file, which nobody hides.
    ///
    /// - Parameter now: milliseconds since 1970.
    init(_ post: NewPost, _ inserted: InsertedPost, by author: PostAuthor, at now: Int64) {
        let time = post.createdAt ?? now
        self.init(
            id: inserted.id, author: post.author, authorUsername: author.username, caption: post.caption,
            mediaURL: post.mediaURL, category: post.category, algorithmTags: inserted.tags,
            collaborators: [], link: post.link, title: post.title, thumbnailURL: post.thumbnailURL,
            attributes: post.attributes, visibility: post.visibility, community: nil, topics: inserted.topics.sorted(),
            categoryTopic: post.category == nil ? nil : inserted.topics.last,
            counts: EngagementCounts(likes: 0, comments: 0, shares: 0), createdAt: time,
            updatedAt: time, isAuthorSuspended: author.isSuspended, isAuthorSilenced: author.isSilenced,
            isAuthorPrivate: author.isPrivate)
    }
}
