/// Posts as a bit set: bit n is post n, and bit 0 the sentinel of a window. A larger post is a newer one.
struct PostSet: Equatable {
    var bits: UInt64 = 0

    static let sentinel = PostSet(bits: 1)

    init(bits: UInt64 = 0) { self.bits = bits }
    init(_ post: Int) { bits = 1 << UInt64(post) }

    var isEmpty: Bool { bits == 0 }
    var count: Int { bits.nonzeroBitCount }
    /// The last-ranked member of a window; 0 is the sentinel.
    var last: Int { bits.trailingZeroBitCount }
    var newest: Int { 63 - bits.leadingZeroBitCount }
    var posts: PostSet { PostSet(bits: bits & ~1) }
    var newestFirst: [Int] { (0..<64).reversed().filter { bits >> UInt64($0) & 1 == 1 } }

    func contains(_ post: Int) -> Bool { bits >> UInt64(post) & 1 == 1 }
    func union(_ other: PostSet) -> PostSet { PostSet(bits: bits | other.bits) }
    func intersection(_ other: PostSet) -> PostSet { PostSet(bits: bits & other.bits) }
    func subtracting(_ other: PostSet) -> PostSet { PostSet(bits: bits & ~other.bits) }
    /// Members at or above `post`.
    func from(_ post: Int) -> PostSet { PostSet(bits: (bits >> UInt64(post)) << UInt64(post)) }
    func below(_ post: Int) -> PostSet { subtracting(from(post)) }

    /// The `count` newest members.
    func newest(_ count: Int) -> PostSet {
        var kept = self
        while kept.count > count { kept.bits &= kept.bits - 1 }
        return kept
    }
}

extension PostSet: CustomStringConvertible {
    var description: String { "\(newestFirst)" }
}

/// The truth in small: what SQLite holds. A copy of it is a snapshot.
struct ModelGraph {
    struct Follow: Equatable {
        let follower: Int
        let followee: Int
        let position: Int
    }

    /// In order of position.
    private(set) var follows: [Follow] = []
    /// Authors of each post ever published, ascending. Index 0 stands for the sentinel.
    private(set) var authors: [[Int]] = [[]]
    private(set) var authored: [PostSet]
    private(set) var live = PostSet()
    private var nextPosition = 1

    init(users: Int) { authored = Array(repeating: PostSet(), count: users) }

    var postCount: Int { authors.count - 1 }

    func follows(_ follower: Int, _ followee: Int) -> Bool {
        follows.contains { $0.follower == follower && $0.followee == followee }
    }

    func home(of viewer: Int) -> PostSet {
        var home = authored[viewer]
        for follow in follows where follow.follower == viewer { home = home.union(authored[follow.followee]) }
        return home
    }

    mutating func publish(by author: Int, with collaborator: Int?) -> Int {
        let post = authors.count
        authors.append([author, collaborator].compactMap(\.self).sorted())
        for author in authors[post] { authored[author] = authored[author].union(PostSet(post)) }
        live = live.union(PostSet(post))
        return post
    }

    mutating func delete(_ post: Int) {
        live = live.subtracting(PostSet(post))
        for author in authors[post] { authored[author] = authored[author].subtracting(PostSet(post)) }
    }

    mutating func follow(_ follower: Int, _ followee: Int) {
        follows.append(Follow(follower: follower, followee: followee, position: nextPosition))
        nextPosition += 1
    }

    mutating func unfollow(_ follower: Int, _ followee: Int) {
        follows.removeAll { $0.follower == follower && $0.followee == followee }
    }

    struct Cursor: Equatable {
        var author = -1
        var position = 0
    }

    /// The authors first, then one follower a chunk.
    func audience(of post: Int, past cursor: Cursor) -> (members: [Int], next: Cursor?) {
        var members = cursor == Cursor() ? authors[post] : []
        for author in authors[post] where author >= cursor.author {
            let start = author == cursor.author ? cursor.position : 0
            guard let follow = follows.first(where: { $0.followee == author && $0.position > start }) else { continue }
            members.append(follow.follower)
            return (members, Cursor(author: author, position: follow.position))
        }
        return (members, nil)
    }
}
