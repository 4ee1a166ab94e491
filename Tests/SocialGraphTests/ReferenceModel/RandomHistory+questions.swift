@testable import SocialGraph
@testable import SocialGraphModel
import Database

extension RandomHistory {
    /// Asks the graph one random query. Throws ``WrongAnswer`` if the model's answer differs.
    mutating func ask() async throws {
        let user = try reader()
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1: try await askDefinition(user)
        case 2, 3, 4: try await askHomeSlice(user)
        case 5, 6: try await askWindowEntries(user)
        case 7: try await askWindowPositions()
        case 8: try await askWindowDefinition(user)
        case 9, 10: try await askSource(user)
        case 11: try await askFollowLists(user)
        case 12: try await askBlocksAndMutes(user)
        case 13: try await askContext(user)
        case 14: try await askCounts(user)
        case 15: try await askAudience()
        case 16: try await askCommunity()
        case 17: try await askFilteredSlice(user)
        case 18: try await askRequests(user)
        default: try await askPost(user)
        }
    }

    /// A reader. Those with many followees are chosen as often as all others together.
    private mutating func reader() throws -> UserID {
        if shape.wideReaders > 0, chance(1, in: 2) {
            return model.users[Int.random(in: 0..<shape.wideReaders, using: &random)]
        }
        return try user()
    }

    /// A cursor above everything, at an entry, or just beside one.
    mutating func cursor() -> FeedPosition {
        let entry =
            chance(1, in: 3)
            ? model.reshares.randomElement(using: &random)?.id : model.posts.randomElement(using: &random)?.id.rawValue
        guard let entry, !chance(1, in: 4) else { return .end }
        return FeedPosition(rawValue: entry + Int64.random(in: -1...1, using: &random))
    }

    mutating func limit() -> Int { [1, 2, 3, 20, 100].randomElement(using: &random) ?? 20 }

    func expect<T: Equatable>(_ question: String, _ answer: T, _ expected: T) throws {
        guard answer != expected else { return }
        throw WrongAnswer(problem: "\(question): \(answer) is not \(expected)")
    }

    // MARK: Lists and counts

    private mutating func askFollowLists(_ user: UserID) async throws {
        let limit = limit()
        for direction in [FollowDirection.followers, .following] {
            let all = try await allPages { [graph] in
                try await graph.follows.followList(of: user, direction, below: $0, limit: limit)
            }
            try expect("\(direction) of \(user)", all.map(\.user), model.shownList(user, direction))
        }
        let mutuals = try await allPages { [graph] in try await graph.follows.mutuals(of: user, below: $0, limit: limit)
        }
        try expect("mutuals of \(user)", mutuals.map(\.user), model.mutuals(user))
        let followees = try await graph.follows.followees(of: user)
        try expect("followees of \(user)", followees, model.list(user, .following).sorted())
    }

    /// Follows `next` to the end of the list.
    func allPages<T>(_ page: (Int64?) async throws -> Page<T, Int64>) async throws -> [T] {
        var items: [T] = []
        var cursor: Int64?
        repeat {
            let answer = try await page(cursor)
            items += answer.items
            if answer.items.isEmpty, answer.next != nil {
                throw WrongAnswer(problem: "an empty page with a next one")
            }
            cursor = answer.next
        } while cursor != nil
        return items
    }

    private mutating func askBlocksAndMutes(_ user: UserID) async throws {
        let limit = limit()
        let blocks = try await allPages { [graph] in
            try await graph.blocksAndMutes.blocks(of: user, below: $0, limit: limit)
        }
        try expect("blocks of \(user)", blocks.map(\.user), model.blocks[user, default: []].reversed())
        let mutes = try await allPages { [graph] in
            try await graph.blocksAndMutes.mutes(of: user, below: $0, limit: limit)
        }
        let expected = model.heldMutes(of: user).reversed()
        try expect("mutes of \(user)", mutes.map(\.user), expected.map(\.user))
        try expect("kinds of mutes of \(user)", mutes.map(\.kinds), expected.map(\.kinds))
        try expect("ends of mutes of \(user)", mutes.map(\.expiresAt), expected.map(\.expiresAt))
        let topics = try await graph.topics.followedTopics(of: user)
        let wanted = model.topics[user, default: []].reversed()
        try expect("topics of \(user)", topics.map(\.name), wanted.map(\.name))
        try expect("topic switches of \(user)", topics.map(\.isInHome), wanted.map(\.isInHome))
    }

    private func askContext(_ user: UserID) async throws {
        let context = try await graph.feeds.viewerContext(of: user)
        let mutes = model.heldMutes(of: user)
        let communities = model.communities.filter { $0.value.members[user] != nil }
        let topicsInHome = model.topicsInHome[user] ?? true
        let communitiesInHome = model.communitiesInHome[user] ?? true
        let switchedOn = communities.filter { _, group in group.members[user]?.isInHome == true }
        let inHome = communitiesInHome ? switchedOn.keys.sorted() : []
        let homeTopics = model.topics[user, default: []].count { topicsInHome && $0.isInHome }
        try expect("context: followees", context.followees, model.shownList(user, .following).sorted())
        try expect(
            "context: suspended followees", context.suspendedFollowees,
            model.list(user, .following).filter(model.suspended.contains).sorted())
        try expect(
            "context: muted posts", context.mutedPosts,
            Set(mutes.filter { $0.kinds.contains(.posts) }.map(\.user)))
        try expect(
            "context: muted reshares", context.mutedReshares,
            Set(mutes.filter { $0.kinds.contains(.reshares) }.map(\.user)))
        try expect("context: next expiry", context.nextExpiry, mutes.compactMap(\.expiresAt).min())
        try expect("context: blocked", context.blocked, Set(model.users.filter { model.isBlocked($0, user) }))
        try expect(
            "context: topics", Set(context.topics.map(\.name)), Set(model.topics[user, default: []].map(\.name)))
        // A name is both a category and a tag.
        try expect("context: home topics", context.homeTopics.count, 2 * homeTopics)
        try expect(
            "context: memberships", context.memberships, communities.compactMapValues { $0.members[user] })
        try expect("context: home communities", context.homeCommunities, inHome)
        try expect(
            "context: bans", context.bannedFrom,
            Set(model.communities.filter { $0.value.banned.contains(user) }.keys))
        try expect(
            "context: switches", [context.topicsInHome, context.communitiesInHome],
            [topicsInHome, communitiesInHome])
    }

    private func askCounts(_ user: UserID) async throws {
        guard let account = try await graph.accounts.account(user) else {
            throw WrongAnswer(problem: "account \(user) is gone")
        }
        let hidden = model.posts.count {
            ($0.isHeld || $0.isRemoved || $0.isTakenDown) && $0.authors.contains(user)
        }
        let hubs = try await graph.hubs.hubs()
        let phases = Dictionary(hubs.map { ($0.user, $0.phase) }) { first, _ in first }
        try expect(
            "followers, following and posts of \(user)",
            [account.followersCount, account.followingCount, account.postsCount],
            [
                Int64(model.list(user, .followers).count), Int64(model.list(user, .following).count),
                Int64(model.postsCount[user, default: 0] - hidden),
            ])
        try expect("hubs", phases, model.hubs)
    }

    private mutating func askCommunity() async throws {
        let id = someCommunity()
        guard let expected = model.communities[id] else { return }
        let community = try await graph.communities.community(id)
        let user = try user()
        try expect("members of \(id)", community.membersCount, Int64(expected.members.count))
        try expect("lock of \(id)", community.isLocked, expected.isLocked)
        try expect("archive of \(id)", community.isArchived, expected.isArchived)
        try expect("privacy of \(id)", community.isPrivate, expected.isPrivate)
        try expect("pins of \(id)", try await graph.communities.pins(of: id), expected.pins)
        try expect(
            "membership in \(id)", try await graph.communities.membership(of: user, in: id), expected.members[user])
    }

    // MARK: Posts and audiences

    private mutating func askPost(_ user: UserID) async throws {
        let id = somePost()
        let stored = try await graph.posts.posts([id]).first
        guard let expected = model.post(id), !expected.isTakenDown || model.defect == .takenDownIsShown,
            !model.authors(expected).isEmpty
        else {
            return try expect("post \(id) is hidden", stored == nil, true)
        }
        guard let post = stored else { throw WrongAnswer(problem: "post \(id) is gone") }
        let context = try await graph.feeds.viewerContext(of: user)
        let first = try await graph.feeds.firstReshare(of: id, for: context)
        let resharers = model.resharers(user, among: model.actors(user))
        let act = model.reshares.first { $0.post == id && resharers.contains($0.user) }
        let isSilenced = model.authors(expected).allSatisfy(model.silenced.contains)
        try expect("authors of \(id)", Set(post.authors), Set(model.authors(expected)))
        try expect("states of \(id)", [post.isHeld, post.isSilenced], [expected.isHeld, isSilenced])
        try expect(
            "collaborators of \(id)", post.collaborators.reduce(into: [:]) { $0[$1.user] = $1.status },
            expected.collaborators.filter { !model.suspended.contains($0.key) })
        try expect("tags of \(id)", post.algorithmTags, expected.tags)
        try expect("category of \(id)", post.category, expected.category)
        try expect("topics of \(id)", post.topics.count, expected.topicsCount)
        try expect("visibility of \(id)", post.visibility, expected.visibility)
        try expect("community of \(id)", post.community?.id, expected.community)
        try expect("removal of \(id)", post.community?.isRemoved ?? false, expected.isRemoved)
        try expect(
            "shares of \(id)", post.counts.shares, Int64(model.reshares.count { $0.post == id }))
        try expect(
            "first reshare of \(id) for \(user)", first, act.map { Reshare(position: $0.entry.position, user: $0.user) }
        )
    }

    private mutating func askAudience() async throws {
        guard let post = model.posts.suffix(40).randomElement(using: &random) else { return }
        let push = OutboxJob.Work.push(post: post.id, author: post.author)
        let pushed = try await audience(of: push)
        let authors = model.authors(post)
        try expect("the first to get \(post.id)", Array(pushed.prefix(authors.count)), authors.sorted())
        let reached = authors.filter { !model.isPulled($0) }.flatMap { model.list($0, .followers) }
        try expect("audience of \(post.id)", Set(pushed), Set(authors + reached))
        try await askConvoy(of: post.author)
        guard let act = model.reshares.randomElement(using: &random), model.post(act.post) != nil else { return }
        let shared = try await audience(of: .addReason(entry: act.entry, actor: act.user))
        let isSuspended = model.suspended.contains(act.user) && model.defect != .suspensionIsIgnored
        let willing = [act.user] + (model.isPulled(act.user) ? [] : model.list(act.user, .followers))
        try expect(
            "audience of the reshare \(act)", Set(shared),
            isSuspended
                ? []
                : Set(willing.filter { model.resharers($0, among: [act.user], inWindow: true).contains(act.user) }))
        let all = try await Set(audience(of: .rebuildFollowers(of: act.user)))
        try expect("followers of \(act.user)", all, Set([act.user] + model.list(act.user, .followers)))
    }

    /// Asks about several posts of one author together, some of them possibly deleted or shared with other authors.
    private mutating func askConvoy(of author: UserID) async throws {
        let live = model.posts.filter { $0.author == author }.suffix(6)
        let posts = live.map(\.id) + [PostID(rawValue: 1)]
        var (cursor, members): (AudienceCursor?, [UserID]) = (.start, [])
        while let place = cursor {
            let answer = try await graph.audiences.pushAudiences(
                of: [PushRequest(posts: posts, author: author, cursor: place)],
                limit: Int.random(in: 1...9, using: &random), deliveries: 1)[0]
            if place == .start {
                let shared = live.filter { $0.authors.count > 1 }.map(\.id)
                let isSuspended = model.suspended.contains(author) && model.defect != .suspensionIsIgnored
                let alone = live.map(\.id).filter { !shared.contains($0) }
                try expect("posts of \(author) that go alone", answer.apart, isSuspended ? answer.apart : shared)
                try expect("posts of \(author) that go together", answer.posts, isSuspended ? [] : alone)
                if alone.isEmpty || isSuspended { return }
            }
            members += answer.members
            cursor = answer.next
        }
        let followers = model.isPulled(author) ? [] : model.list(author, .followers)
        try expect(
            "their audience", members, [author] + followers.sorted { members.position($0) < members.position($1) })
    }

    /// The audience, read in small chunks.
    private mutating func audience(of work: OutboxJob.Work) async throws -> [UserID] {
        try await graph.wholeAudience(of: work, by: Int.random(in: 1...9, using: &random))
    }
}

extension [UserID] {
    fileprivate func position(_ user: UserID) -> Int { firstIndex(of: user) ?? .max }
}

extension ReferenceGraph.Post {
    fileprivate var topicsCount: Int { tags.count + (category == nil ? 0 : 1) }
}

extension GraphStore {
    /// All members, in the order of the chunks. Throws ``WrongAnswer`` if the audience does not end or the work is no
    /// longer in force.
    func wholeAudience(of work: OutboxJob.Work, by limit: Int) async throws -> [UserID] {
        var members: [UserID] = []
        var cursor: AudienceCursor? = .start
        while let place = cursor {
            let chunk = try await audiences.audience(of: work, past: place, limit: limit)
            guard chunk.isLive else { throw WrongAnswer(problem: "\(work) does not stand") }
            members += chunk.members
            cursor = chunk.next
            guard let next = chunk.next else { continue }
            guard (next.author, next.position) > (place.author, place.position) else {
                throw WrongAnswer(problem: "the audience of \(work) does not go on")
            }
        }
        return members
    }
}
