import SocialGraph

/// Home timelines by their plain definition, in collections.
struct HomeModel {
    struct Post {
        let id: PostID
        let author: UserID
        let authors: Set<UserID>
    }

    private(set) var followees: [UserID: Set<UserID>] = [:]
    /// Live ones, oldest first.
    private(set) var posts: [Post] = []

    func follows(_ follower: UserID, _ followee: UserID) -> Bool { followees[follower]?.contains(followee) == true }

    mutating func follow(_ follower: UserID, _ followee: UserID) { followees[follower, default: []].insert(followee) }

    mutating func unfollow(_ follower: UserID, _ followee: UserID) { followees[follower]?.remove(followee) }

    mutating func publish(_ id: PostID, by author: UserID, with collaborators: [UserID]) {
        let accepted = collaborators.filter { follows($0, author) }
        posts.append(Post(id: id, author: author, authors: Set([author] + accepted)))
    }

    mutating func delete(_ id: PostID) { posts.removeAll { $0.id == id } }

    /// Newest first.
    func home(of viewer: UserID, below cursor: PostID? = nil) -> [Post] {
        let reached = (followees[viewer] ?? []).union([viewer])
        var home: [Post] = []
        for post in posts.reversed() where !reached.isDisjoint(with: post.authors) {
            if let cursor, post.id >= cursor { continue }
            home.append(post)
        }
        return home
    }
}
