import SocialGraph

/// What the graph promises, in plain collections: slow, without SQL, and short enough to be believed by reading it.
struct ReferenceGraph {
    struct Post {
        let id: PostID
        let author: UserID
        let authors: [UserID]
        let tags: [String]
    }

    /// Ways to be wrong on purpose: each must be noticed by whoever compares with this model.
    enum Defect: CaseIterable {
        case forgetsCoauthors, keepsUnfollowedPosts, showsDeletedPosts, cursorIsInclusive, countsTwice, forgetsOwnPosts
        case followersOldestFirst
    }

    var defect: Defect?
    private(set) var users: [UserID] = []
    private(set) var names: [String: UserID] = [:]
    /// Oldest first.
    private(set) var following: [UserID: [UserID]] = [:]
    private(set) var followers: [UserID: [UserID]] = [:]
    private(set) var everFollowed: [UserID: Set<UserID>] = [:]
    /// Oldest first.
    private(set) var posts: [Post] = []
    private(set) var postsCount: [UserID: Int] = [:]

    init(defect: Defect? = nil) { self.defect = defect }

    mutating func add(_ user: UserID, named name: String) {
        users.append(user)
        names[name.lowercased()] = user
    }

    func follows(_ follower: UserID, _ followee: UserID) -> Bool { following[follower, default: []].contains(followee) }

    /// True if that was new.
    mutating func follow(_ follower: UserID, _ followee: UserID) -> Bool {
        guard !follows(follower, followee) else { return false }
        following[follower, default: []].append(followee)
        followers[followee, default: []].append(follower)
        everFollowed[follower, default: []].insert(followee)
        return true
    }

    mutating func unfollow(_ follower: UserID, _ followee: UserID) -> Bool {
        guard follows(follower, followee) else { return false }
        following[follower]?.removeAll { $0 == followee }
        followers[followee]?.removeAll { $0 == follower }
        return true
    }

    mutating func publish(_ post: NewPost, as id: PostID) {
        var authors = [post.author]
        for user in post.collaborators where follows(user, post.author) && !authors.contains(user) {
            authors.append(user)
        }
        var tags: [String] = []
        for tag in post.algorithmTags where !tags.contains(where: { $0.lowercased() == tag.lowercased() }) {
            tags.append(tag)
        }
        posts.append(Post(id: id, author: post.author, authors: authors, tags: tags))
        for author in authors { postsCount[author, default: 0] += defect == .countsTwice ? authors.count : 1 }
    }

    mutating func delete(_ id: PostID) {
        guard defect != .showsDeletedPosts, let index = posts.firstIndex(where: { $0.id == id }) else { return }
        for author in posts[index].authors { postsCount[author, default: 0] -= 1 }
        posts.remove(at: index)
    }

    func home(_ viewer: UserID, below cursor: PostID?, limit: Int) -> [PostID] {
        let followees =
            defect == .keepsUnfollowedPosts
            ? everFollowed[viewer, default: []] : Set(following[viewer, default: []])
        let ownCount = defect != .forgetsOwnPosts
        let reached = { (author: UserID) in followees.contains(author) || ownCount && author == viewer }
        var page: [PostID] = []
        for post in posts.reversed() where page.count < limit && isBelow(post.id, cursor) {
            let authors = defect == .forgetsCoauthors ? [post.author] : post.authors
            if authors.contains(where: reached) { page.append(post.id) }
        }
        return page
    }

    func authorFeed(_ author: UserID, below cursor: PostID?, limit: Int) -> [PostID] {
        let all = posts.reversed().filter { $0.authors.contains(author) && isBelow($0.id, cursor) }
        return all.prefix(limit).map(\.id)
    }

    /// Latest first.
    func list(_ user: UserID, _ direction: FollowDirection) -> [UserID] {
        if defect == .followersOldestFirst, direction == .followers { return followers[user, default: []] }
        return (direction == .followers ? followers : following)[user, default: []].reversed()
    }

    func mutuals(_ user: UserID) -> [UserID] { list(user, .following).filter { follows($0, user) } }

    private func isBelow(_ id: PostID, _ cursor: PostID?) -> Bool {
        guard let cursor else { return true }
        return defect == .cursorIsInclusive ? id <= cursor : id < cursor
    }
}
