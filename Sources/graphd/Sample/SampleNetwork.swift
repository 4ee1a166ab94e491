import SocialGraph

/// A synthetic network for trials: people with realistic follows, and their posts. The same seed gives the same
/// network.
struct SampleNetwork: Sendable, Equatable {
    struct Size: Sendable {
        var people = 2_000
        var follows = 60_000
        var posts = 8_000
        var reshares = 2_000
        var likes = 12_000
        var comments = 1_500
        var days = 60
    }

    /// Indices into `usernames`.
    struct Follow: Sendable, Hashable {
        let follower: Int
        let followee: Int
    }

    struct Post: Sendable, Equatable {
        /// Index into `usernames`.
        let author: Int
        let caption: String
        let mediaURL: String
        let category: String
        let tags: [String]
        /// Indices into `usernames`.
        let collaborators: [Int]
        /// Milliseconds since 1970.
        let createdAt: Int64
    }

    /// A person who has seen a post, and reshares or likes it.
    struct Sighting: Sendable, Hashable {
        /// Index into `usernames`.
        let person: Int
        /// Index into `posts`.
        let post: Int
    }

    struct Comment: Sendable, Equatable {
        /// Index into `usernames`.
        let person: Int
        /// Index into `posts`.
        let post: Int
        let content: String
    }

    /// A community about one category, and the topic of its members.
    struct Community: Sendable, Equatable {
        let name: String
        let description: String
        let category: String
        /// Indices into `usernames`; the first is the owner.
        let members: [Int]
        /// The members who follow the category as a topic.
        let topicFollowers: [Int]
    }

    static let defaultSeed: UInt64 = 2_026
    /// The day after the last post: 2026-01-01T00:00:00Z.
    static let end: Int64 = 1_767_225_600_000
    /// Number of follows of everybody, so that nobody's home timeline is empty.
    private static let firstFollows = 5
    private static let reciprocityPercent = 25
    private static let preferencePercent = 85

    let usernames: [String]
    let follows: [Follow]
    /// The posts, the oldest first.
    let posts: [Post]
    /// The reshares, the oldest first.
    let reshares: [Sighting]
    /// Likes by followers of the author, most of them of the newest posts.
    let likes: [Sighting]
    let comments: [Comment]
    let communities: [Community]

    /// At most 2,000 people: there are no more names.
    init(seed: UInt64 = Self.defaultSeed, size: Size = Size()) {
        let names = SampleVocabulary.firstNames.count * SampleVocabulary.lastNames.count
        precondition((Self.firstFollows + 1...names).contains(size.people), "there are \(names) names")
        precondition(size.follows <= size.people * (size.people - 1) / 4, "so many follows would take long to find")
        precondition(size.follows >= size.people * Self.firstFollows * 2, "everybody follows somebody")
        var generator = SeededGenerator(seed: seed)
        usernames = Self.usernames(size.people, &generator)
        follows = Self.follows(size, &generator)
        posts = Self.posts(size, follows, &generator)
        reshares = Self.reshares(size, follows, posts, &generator)
        communities = Self.communities(size.people, &generator)
        (likes, comments) = Self.engagement(size, follows, posts, &generator)
    }

    private static func engagement(
        _ size: Size, _ follows: [Follow], _ posts: [Post], _ generator: inout SeededGenerator
    ) -> ([Sighting], [Comment]) {
        var byAuthor: [Int: [Int]] = [:]
        for (index, post) in posts.enumerated() { byAuthor[post.author, default: []].append(index) }
        func seen() -> Sighting? {
            let follow = generator.pick(follows)
            // The newer of two.
            return byAuthor[follow.followee].map {
                Sighting(person: follow.follower, post: max(generator.pick($0), generator.pick($0)))
            }
        }
        let likes = Set((0..<size.likes).compactMap { _ in seen() })
        let comments = (0..<size.comments).compactMap { _ in seen() }.map {
            Comment(person: $0.person, post: $0.post, content: generator.pick(SampleVocabulary.answers))
        }
        return (likes.sorted { ($0.post, $0.person) < ($1.post, $1.person) }, comments)
    }

    /// Returns reshares. People reshare posts that they see: those of people whom they follow.
    private static func reshares(
        _ size: Size, _ follows: [Follow], _ posts: [Post], _ generator: inout SeededGenerator
    ) -> [Sighting] {
        var byAuthor: [Int: [Int]] = [:]
        for (index, post) in posts.enumerated() { byAuthor[post.author, default: []].append(index) }
        var reshares: Set<Sighting> = []
        for _ in 0..<size.reshares {
            let follow = generator.pick(follows)
            guard let seen = byAuthor[follow.followee] else { continue }
            reshares.insert(Sighting(person: follow.follower, post: generator.pick(seen)))
        }
        return reshares.sorted { ($0.post, $0.person) < ($1.post, $1.person) }
    }

    /// Returns a community for each category, of people known for it.
    private static func communities(_ people: Int, _ generator: inout SeededGenerator) -> [Community] {
        SampleVocabulary.topics.enumerated().map { index, topic in
            let members = stride(from: index, to: people, by: SampleVocabulary.topics.count).filter { person in
                person == index || generator.chance(40)
            }
            return Community(
                name: "\(topic.category) people", description: "Everything about \(topic.category.lowercased()).",
                category: topic.category, members: members,
                topicFollowers: members.filter { _ in generator.chance(25) })
        }
    }

    private static func usernames(_ count: Int, _ generator: inout SeededGenerator) -> [String] {
        var names = SampleVocabulary.firstNames.flatMap { first in
            SampleVocabulary.lastNames.map { "\(first)_\($0)" }
        }
        generator.shuffle(&names)
        return Array(names.prefix(count))
    }

    /// Preferential attachment (Barabási and Albert, Science 1999): followed people attract more followers, and
    /// sometimes follow back. Followers are drawn the same way from people who follow, so both degrees have a long
    /// tail.
    private static func follows(_ size: Size, _ generator: inout SeededGenerator) -> [Follow] {
        var follows: [Follow] = []
        var known: Set<Follow> = []
        func add(_ follower: Int, _ followee: Int) {
            let follow = Follow(follower: follower, followee: followee)
            guard follower != followee, follows.count < size.follows, known.insert(follow).inserted else { return }
            follows.append(follow)
        }
        for person in 0..<size.people {
            let goal = follows.count + firstFollows
            while follows.count < goal {
                let other = target(size.people, follows, &generator)
                add(person, other)
                if generator.chance(reciprocityPercent) { add(other, person) }
            }
        }
        while follows.count < size.follows {
            let follower = generator.chance(50) ? generator.pick(follows).follower : generator.below(size.people)
            let followee = target(size.people, follows, &generator)
            add(follower, followee)
            if generator.chance(reciprocityPercent) { add(followee, follower) }
        }
        return follows
    }

    private static func target(_ people: Int, _ follows: [Follow], _ generator: inout SeededGenerator) -> Int {
        let isPreferential = !follows.isEmpty && generator.chance(preferencePercent)
        return isPreferential ? generator.pick(follows).followee : generator.below(people)
    }

    private static func posts(_ size: Size, _ follows: [Follow], _ generator: inout SeededGenerator) -> [Post] {
        var followers = [[Int]](repeating: [], count: size.people)
        for follow in follows { followers[follow.followee].append(follow.follower) }
        let span = size.days * 86_400_000
        let first = end - Int64(span)
        let times = (0..<size.posts).map { _ in first + Int64(generator.below(span)) }.sorted()
        return times.map { time in
            // Half of the posts are by much followed people.
            let author = generator.chance(50) ? generator.pick(follows).followee : generator.below(size.people)
            let hasCollaborator = !followers[author].isEmpty && generator.chance(3)
            return post(
                by: author, with: hasCollaborator ? [generator.pick(followers[author])] : [], at: time, &generator)
        }
    }

    private static func post(
        by author: Int, with collaborators: [Int], at time: Int64, _ generator: inout SeededGenerator
    ) -> Post {
        // Most people keep to the topic for which they are known.
        let topics = SampleVocabulary.topics
        let topic = topics[generator.chance(70) ? author % topics.count : generator.below(topics.count)]
        var tags = topic.tags
        generator.shuffle(&tags)
        tags.removeLast(generator.below(tags.count))
        let sentence = "\(generator.pick(SampleVocabulary.openers)) \(generator.pick(topic.subjects))."
        let closer = generator.pick(SampleVocabulary.closers)
        return Post(
            author: author, caption: closer.isEmpty ? sentence : sentence + " " + closer,
            mediaURL: "https://media.example/v/\(String(generator.next(), radix: 36)).mp4", category: topic.category,
            tags: tags, collaborators: collaborators, createdAt: time)
    }
}
