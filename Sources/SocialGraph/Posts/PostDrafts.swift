import Database

/// The parts of a post: a query for each part, over a list of posts.
package enum PostPart: CaseIterable {
    /// The post itself. It comes first: the other parts are read for the posts that it has found.
    case post
    case tags, topics, attributes, collaborators

    /// The query of the part; nil: the caller supplies it.
    var query: ListQuery? {
        switch self {
        case .post: nil
        case .tags: Self.tagsOfPosts
        case .topics: Self.topicsOfPosts
        case .attributes: AttributeStore.Reader.attributesOfPosts
        case .collaborators: Self.collaboratorsOfPosts
        }
    }

    static let tagsOfPosts = ListQuery { "SELECT post_id, ordinal, tag FROM post_tag WHERE post_id IN (\($0))" }

    static let topicsOfPosts = ListQuery { list in
        """
        SELECT tp.post_id, tp.topic_id, t.kind FROM topic_post tp JOIN topic t ON t.id = tp.topic_id
        WHERE tp.post_id IN (\(list))
        """
    }

    static let collaboratorsOfPosts = ListQuery { list in
        """
        SELECT c.post_id, c.user_id, a.username, c.status, a.silenced_at
        FROM post_collaborator c LEFT JOIN account a ON a.id = c.user_id
        WHERE c.post_id IN (\(list)) AND COALESCE(a.deleted_at, a.suspended_at, 0) = 0
        """
    }
}

/// Posts under construction from rows that come part after part, in any order within a part.
struct PostDrafts {
    fileprivate struct Draft {
        var post: Post
        var tags: [(ordinal: Int64, tag: String)] = []
        var attributes: [AttributeRow] = []
    }

    private var drafts: [Draft] = []
    private var places: [PostID: Int] = [:]

    /// Adds a row of the query for `part`.
    mutating func add(_ part: PostPart, _ row: any SQLRow) throws {
        let id = PostID(rawValue: row.integer(0))
        if case .post = part {
            places[id] = drafts.count
            drafts.append(Draft(post: try Post(row: row)))
            return
        }
        guard let place = places[id] else { return }
        switch part {
        case .post: break
        case .tags: drafts[place].tags.append((row.integer(1), row.text(2)))
        case .topics:
            let topic = TopicID(rawValue: row.integer(1))
            drafts[place].post.topics.append(topic)
            if try row.choice(2, of: TopicKind.self) == .category { drafts[place].post.categoryTopic = topic }
        case .attributes: drafts[place].attributes.append(try AttributeRow(row: row, from: 1))
        case .collaborators: drafts[place].post.collaborators.append(try Collaborator(row: row, from: 1))
        }
    }

    /// The posts among `ids` that were found, in the order of `ids`.
    func posts(_ ids: [PostID]) throws -> [Post] {
        try ids.compactMap { id in try places[id].map { try drafts[$0].finished() } }
    }
}

extension PostDrafts.Draft {
    fileprivate func finished() throws -> Post {
        var post = post
        post.algorithmTags = tags.sorted { $0.ordinal < $1.ordinal }.map(\.tag)
        post.topics.sort()
        post.collaborators.sort { $0.user < $1.user }
        post.attributes = try AttributeRow.attributes(attributes)
        return post
    }
}

extension Collaborator {
    /// - Parameter column: the first column of the collaborator in the row.
    fileprivate init(row: any SQLRow, from column: Int) throws {
        user = UserID(rawValue: row.integer(column))
        username = row.text(column + 1)
        status = try row.choice(column + 2)
        isSilenced = row.optionalInteger(column + 3) != nil
    }
}
