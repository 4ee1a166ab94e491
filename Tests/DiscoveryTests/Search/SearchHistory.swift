import Foundation
import Importing
import Moderation
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

/// Random acts on a small network, and their effects in force.
struct SearchHistory {
    struct Person {
        var username: String
        var displayName = ""
        var isDeleted = false
    }

    struct Item {
        let author: UserID
        var collaborators: Set<UserID> = []
        var title: String?
        var caption: String
        let category: String?
        let tags: [String]
        let attributes: [String: AttributeValue]
        let isForFollowers: Bool
        let community: CommunityID?
        let createdAt: Int64
        var isTakenDown = false
        var likes: Set<UserID> = []
        var shares: Int64 = 0

        var popularity: Int64 { Int64(likes.count) + 3 * shares }
    }

    static let words = [
        "Squat", "squats", "crème", "brûlée", "Übung", "push", "pushups", "plan", "plank", "naïve", "soup", "Soupe",
        "yoga", "yogurt", "ÉLAN", "élite", "run", "running", "Zürich", "jalapeño", "hiit", "Mat",
    ]
    static let names = ["Ann", "Bob", "Zoë", "René", "Squat", "Yoga", "Cat"]
    static let categories = ["Fitness", "Crème", "food"]
    static let tags = ["HIIT", "Run", "Élan", "quick meals"]

    let fixture: DiscoveryFixture
    var search: PostSearch
    var random: SplitMix64
    var people: [UserID: Person] = [:]
    var posts: [PostID: Item] = [:]
    var follows: Set<[UserID]> = []
    var blocks: Set<[UserID]> = []
    let community: CommunityID

    var graph: GraphStore { fixture.graph }

    init(_ fixture: DiscoveryFixture, seed: UInt64) async throws {
        self.fixture = fixture
        random = SplitMix64(seed: seed)
        search = PostSearch(graph: fixture.graph, rankings: fixture.rankings)
        for number in 0..<6 {
            let user = try await fixture.user("user\(number)")
            people[user] = Person(username: "user\(number)")
        }
        community = try await fixture.graph.communities.createCommunity(
            name: "c", description: "", by: people.keys.min()!
        ).id
    }

    // MARK: Acts

    mutating func step() async throws {
        fixture.clock.advance(by: .random(in: 0...60_000, using: &random))
        let user = anybody()
        let other = anybody()
        guard let post = posts.keys.sorted().randomElement(using: &random) else { return try await publish(user) }
        switch Int.random(in: 0..<20, using: &random) {
        case 0...6: try await publish(user)
        case 7...8: try await edit(post)
        case 9: try await delete(post)
        case 10: try await takeDown(post)
        case 11...12: try await rename(user)
        case 13: try await collaborate(other, on: post)
        case 14: try await relate(user, other)
        case 15...17:
            try await graph.likes.like(post, by: user)
            posts[post]?.likes.insert(user)
        case 18:
            _ = try await graph.engagement.shareExternally(post, by: user, platform: "p")
            posts[post]?.shares += 1
        default: if people.values.count(where: \.isDeleted) < 2 { try await leave(user) }
        }
    }

    private mutating func anybody() -> UserID {
        people.filter { !$0.value.isDeleted }.keys.sorted().randomElement(using: &random)!
    }

    private mutating func text(_ count: ClosedRange<Int>) -> String {
        let words = (0..<Int.random(in: count, using: &random)).map { _ in Self.words.randomElement(using: &random)! }
        return words.joined(separator: [" ", ", ", "-", " 🔥 ", "\" OR "].randomElement(using: &random)!)
    }

    private mutating func publish(_ author: UserID) async throws {
        var attributes: [String: AttributeValue] = [:]
        if Bool.random(using: &random) {
            attributes["workoutType"] = .text(["HIIT", "Yoga"].randomElement(using: &random)!)
        }
        if Bool.random(using: &random) {
            attributes["cookingTime"] = .number(Double(Int.random(in: 5...40, using: &random)))
        }
        if Bool.random(using: &random) {
            attributes["duration"] = .number([599, 600, 1_799.5, 1_800].randomElement(using: &random)!)
        }
        if Int.random(in: 0..<3, using: &random) == 0 { attributes["equipment"] = .list(["Mat", "mat", "Ball"]) }
        if Int.random(in: 0..<4, using: &random) == 0 {
            attributes["level"] =
                [.text("3"), .number(3), .flag(true), .text("true")].randomElement(using: &random)!
        }
        let isOld = Int.random(in: 0..<4, using: &random) == 0
        let item = Item(
            author: author, title: Bool.random(using: &random) ? text(1...2) : nil, caption: text(1...6),
            category: Bool.random(using: &random) ? Self.categories.randomElement(using: &random)! : nil,
            tags: Self.tags.filter { _ in Int.random(in: 0..<4, using: &random) == 0 }, attributes: attributes,
            isForFollowers: Int.random(in: 0..<5, using: &random) == 0,
            community: author == people.keys.min() && Bool.random(using: &random) ? community : nil,
            createdAt: isOld ? fixture.clock.now / 2 : fixture.clock.now)
        let post = NewPost(
            author: author, caption: item.caption, mediaURL: "https://example.org/1", category: item.category,
            algorithmTags: item.tags, title: item.title, attributes: attributes,
            visibility: item.isForFollowers ? .followers : .everyone, community: item.community,
            createdAt: isOld ? item.createdAt : nil)
        let id =
            Bool.random(using: &random)
            ? try await graph.posts.publish(post).id
            : try #require(try await graph.bulkPosts.publish(batch: [post]).first)
        posts[id] = item
    }

    private mutating func edit(_ post: PostID) async throws {
        guard let item = posts[post], !item.isTakenDown, people[item.author]?.isDeleted == false else { return }
        var change = PostChange()
        if Bool.random(using: &random) {
            let caption = text(1...4)
            change.caption = caption
            posts[post]?.caption = caption
        } else {
            let title = Bool.random(using: &random) ? text(1...2) : nil
            change.title = title.map(PostChange.Text.set) ?? PostChange.Text.none
            posts[post]?.title = title
        }
        _ = try await graph.posts.editPost(post, by: item.author, change)
    }

    private mutating func delete(_ post: PostID) async throws {
        guard let author = posts[post]?.author else { return }
        try await graph.posts.deletePost(post, by: author)
        posts[post] = nil
    }

    private mutating func takeDown(_ post: PostID) async throws {
        posts[post]?.isTakenDown.toggle()
        try await graph.communities.setTakenDown(posts[post]?.isTakenDown == true, post: post)
    }

    private mutating func rename(_ user: UserID) async throws {
        var change = ProfileChange()
        let name = Self.names.randomElement(using: &random)!
        if Bool.random(using: &random), !people.values.contains(where: { $0.username == name }), name != "Zoë" {
            change.username = name
            people[user]?.username = name
        } else {
            change.displayName = "\(name) \(Self.names.randomElement(using: &random)!)"
            people[user]?.displayName = change.displayName ?? ""
        }
        try await graph.accounts.changeProfile(of: user, change)
    }

    private mutating func collaborate(_ user: UserID, on post: PostID) async throws {
        guard let item = posts[post], item.author != user, people[item.author]?.isDeleted == false else { return }
        if item.collaborators.contains(user) {
            try await graph.collaborations.leaveCollaboration(on: post, by: user)
            posts[post]?.collaborators.remove(user)
            return
        }
        do {
            if try await graph.collaborations.inviteCollaborator(user, to: post, by: item.author) == .pending {
                try await graph.collaborations.acceptCollaboration(on: post, by: user)
            }
            posts[post]?.collaborators.insert(user)
        } catch GraphError.notAllowed {
        } catch GraphError.unknownCollaborator {
            // The user has blocked the author.
        }
    }

    private mutating func relate(_ user: UserID, _ other: UserID) async throws {
        guard user != other else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0...1:
            guard !blocks.contains([user, other]), !blocks.contains([other, user]) else { return }
            try await graph.follows.follow(user, other)
            follows.insert([user, other])
        case 2:
            try await graph.blocksAndMutes.block(user, other)
            blocks.insert([user, other])
            follows.subtract([[user, other], [other, user]])
            // A block between co-authors ends their collaboration.
            for (post, item) in posts {
                let authors = item.collaborators.union([item.author])
                guard authors.isSuperset(of: [user, other]) else { continue }
                if item.author == user || item.author == other {
                    posts[post]?.collaborators.subtract([user, other])
                } else {
                    posts[post]?.collaborators.remove(user)
                }
            }
        default:
            try await graph.blocksAndMutes.unblock(user, other)
            blocks.remove([user, other])
        }
    }

    private mutating func leave(_ user: UserID) async throws {
        guard user != people.keys.min() else { return }
        try await graph.erasures.deleteAccount(user)
        people[user]?.isDeleted = true
        follows = follows.filter { !$0.contains(user) }
    }

    // MARK: What a viewer may see

    /// The visibility rule, for the acts of this history.
    func isShown(_ post: PostID, to viewer: UserID) -> Bool {
        guard let item = posts[post], !item.isTakenDown, people[item.author]?.isDeleted == false else { return false }
        let authors = item.collaborators.filter { people[$0]?.isDeleted == false }.union([item.author])
        if authors.contains(where: { blocks.contains([viewer, $0]) || blocks.contains([$0, viewer]) }) {
            return false
        }
        return !item.isForFollowers || authors.contains { $0 == viewer || follows.contains([viewer, $0]) }
    }
}
