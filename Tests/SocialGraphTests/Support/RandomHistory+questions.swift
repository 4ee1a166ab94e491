import SocialGraph

extension RandomHistory {
    /// One random question to the graph. Returns in what its answer differs from the model's.
    mutating func ask() async throws -> String? {
        let user = try reader()
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1: return try await askHomePage(user)
        case 2: return try await askWholeHome(user)
        case 3: return try await askDefinition(user)
        case 4: return try await askAuthorFeed(user)
        case 5: return try await askFollowLists(user)
        case 6: return try await askCounts(user)
        case 7: return try await askReach(user)
        case 8: return try await askAudience()
        case 9: return try await askMergeable(user)
        default: return try await askPost()
        }
    }

    /// Readers of many are asked as often as all others together.
    private mutating func reader() throws -> UserID {
        if shape.wideReaders > 0, Bool.random(using: &random) {
            return model.users[Int.random(in: 0..<shape.wideReaders, using: &random)]
        }
        return try user()
    }

    /// None, a post, or just beside one.
    private mutating func cursor() -> PostID? {
        guard Int.random(in: 0..<4, using: &random) > 0, let post = model.posts.randomElement(using: &random) else {
            return nil
        }
        return PostID(rawValue: post.id.rawValue + Int64.random(in: -1...1, using: &random))
    }

    private mutating func limit() -> Int { [1, 2, 3, 20, 100].randomElement(using: &random) ?? 20 }

    private func difference<T: Equatable>(_ question: String, _ answer: T, _ expected: T) -> String? {
        answer == expected ? nil : "\(question): \(answer) is not \(expected)"
    }

    private mutating func askHomePage(_ user: UserID) async throws -> String? {
        let (cursor, limit) = (cursor(), limit())
        return difference(
            "home of \(user) below \(String(describing: cursor)), \(limit)",
            try await graph.homeFeed(of: user, below: cursor, limit: limit),
            model.home(user, below: cursor, limit: limit))
    }

    private mutating func askWholeHome(_ user: UserID) async throws -> String? {
        let expected = model.home(user, below: nil, limit: .max)
        let limit = expected.count > 400 ? 100 : limit()
        var all: [PostID] = []
        while all.count <= expected.count {
            let page = try await graph.homeFeed(of: user, below: all.last, limit: limit)
            all += page
            if page.count < limit { break }
        }
        return difference("whole home of \(user) by pages of \(limit)", all, expected)
    }

    private mutating func askDefinition(_ user: UserID) async throws -> String? {
        let floor = cursor() ?? PostID(rawValue: 0)
        return difference(
            "home of \(user) by definition from \(floor)",
            try await graph.homeFeedByDefinition(of: user, from: floor),
            model.home(user, below: nil, limit: .max).filter { $0 >= floor })
    }

    private mutating func askAuthorFeed(_ user: UserID) async throws -> String? {
        let (cursor, limit) = (cursor(), limit())
        return difference(
            "author feed of \(user)",
            try await graph.authorFeed(of: user, below: cursor, limit: limit),
            model.authorFeed(user, below: cursor, limit: limit))
    }

    private mutating func askFollowLists(_ user: UserID) async throws -> String? {
        let limit = limit()
        for direction in [FollowDirection.followers, .following] {
            let all = try await allPages { [graph] in
                try await graph.followList(of: user, direction, below: $0, limit: limit)
            }
            if let problem = difference("\(direction) of \(user)", all, model.list(user, direction)) { return problem }
        }
        let mutuals = try await allPages { [graph] in try await graph.mutuals(of: user, below: $0, limit: limit) }
        if let problem = difference("mutuals of \(user)", mutuals, model.mutuals(user)) { return problem }
        let followees = try await graph.followees(of: user)
        return difference("followees of \(user)", followees, model.list(user, .following).sorted())
    }

    /// Follows `next` to its end; an empty page with a next one would be reported as a list that does not end.
    private func allPages(_ page: (Int64?) async throws -> Page<FollowEntry, Int64>) async throws -> [UserID] {
        var users: [UserID] = []
        var cursor: Int64?
        repeat {
            let answer = try await page(cursor)
            users += answer.items.map(\.user)
            cursor = answer.next
            if answer.items.isEmpty, cursor != nil { return users + [UserID(rawValue: -1)] }
        } while cursor != nil
        return users
    }

    private func askCounts(_ user: UserID) async throws -> String? {
        guard let account = try await graph.account(user) else { return "account \(user) is gone" }
        return difference(
            "followers, following and posts of \(user)",
            [account.followersCount, account.followingCount, account.postsCount],
            [
                Int64(model.list(user, .followers).count), Int64(model.list(user, .following).count),
                Int64(model.postsCount[user, default: 0]),
            ])
    }

    private mutating func askReach(_ user: UserID) async throws -> String? {
        let sample = (0..<20).compactMap { _ in cursor() }
        let reached = Set(model.home(user, below: nil, limit: .max))
        return difference(
            "unreachable by \(user)", try await graph.unreachable(sample, by: user),
            sample.filter { !reached.contains($0) })
    }

    private mutating func askAudience() async throws -> String? {
        guard let post = model.posts.suffix(40).randomElement(using: &random) else { return nil }
        let limit = Int.random(in: 1...9, using: &random)
        var members: [UserID] = []
        var cursor: AudienceCursor? = .start
        while let place = cursor {
            let chunk = try await graph.audience(of: post.id, past: place, limit: limit)
            guard chunk.isLive else { return "live post \(post.id) is not live" }
            if place == .start, chunk.members.prefix(post.authors.count) != ArraySlice(post.authors.sorted()) {
                return "the authors of \(post.id) do not come first: \(chunk.members)"
            }
            members += chunk.members
            cursor = chunk.next
            if cursor == place { return "the audience of \(post.id) does not end" }
        }
        let expected = Set(post.authors + post.authors.flatMap { model.list($0, .followers) })
        return difference("audience of \(post.id) by chunks of \(limit)", Set(members).sorted(), expected.sorted())
    }

    private mutating func askMergeable(_ user: UserID) async throws -> String? {
        let (followee, limit) = (try self.user(), limit())
        let answer = try await graph.mergeable(of: followee, into: user, limit: limit)
        let follows = model.follows(user, followee)
        if answer.follows != follows { return "\(user) follows \(followee) is \(answer.follows)" }
        return difference(
            "mergeable of \(followee)", answer.posts,
            follows ? model.authorFeed(followee, below: nil, limit: limit) : [])
    }

    private mutating func askPost() async throws -> String? {
        guard let expected = model.posts.randomElement(using: &random) else { return nil }
        guard let post = try await graph.posts([expected.id]).first else { return "post \(expected.id) is gone" }
        return difference("authors of \(post.id)", Set(post.authors), Set(expected.authors))
            ?? difference("tags of \(post.id)", post.algorithmTags, expected.tags)
    }
}
