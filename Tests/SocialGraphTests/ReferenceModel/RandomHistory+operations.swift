import Database
import Importing
import TestSupport
@testable import SocialGraph
@testable import SocialGraphModel

extension RandomHistory {
    mutating func perform(_ operation: Operation) async throws {
        switch operation {
        case .createAccount: try await createAccount()
        case .deleteAccount: try await deleteAccount()
        case .follow, .unfollow: try await followOrUnfollow(follows: operation == .follow)
        case .publish: try await publish(1)
        case .publishBatch: try await publish(Int.random(in: 2...6, using: &random))
        case .delete: try await deletePost()
        case .importFollows: try await importFollows()
        case .block, .unblock, .mute, .unmute: try await relate(operation)
        case .reshare: try await reshare()
        case .unreshare: try await unreshare()
        case .purge: try await purge()
        case .invite, .accept, .decline, .leavePost, .removeCollaborator: try await collaborate(operation)
        case .followTopic, .unfollowTopic, .switches, .selectAlgorithms: try await prefer(operation)
        case .createCommunity: try await createCommunity()
        case .join, .leave, .communitySwitch, .lock, .privacy, .ban, .unban, .role: try await gather(operation)
        case .pin, .remove, .takeDown: try await moderate(operation)
        case .suspend, .silence, .hold, .archive: try await hide(operation)
        case .upkeep:
            try await graph.changes.prune()
            model.removeExpiredMutes()
        case .seclude, .approve, .declineFollow, .open: try await approve(operation)
        case .threshold, .backfill, .acknowledge: try await pull(operation)
        }
    }

    /// Applies an operation to the graph and to the model, and compares their results or refusals.
    mutating func apply<T: Equatable>(
        _ real: (GraphStore) async throws -> T, _ expected: (inout ReferenceGraph) throws -> T
    ) async throws {
        let actual: Result<T, GraphError>
        do { actual = .success(try await real(graph)) } catch let error as GraphError { actual = .failure(error) }
        let wanted: Result<T, GraphError>
        do { wanted = .success(try expected(&model)) } catch let error as GraphError { wanted = .failure(error) }
        if actual != wanted { throw WrongAnswer(problem: "answered \(actual), not \(wanted)") }
    }

    // MARK: Accounts and follows

    mutating func createAccount() async throws {
        names += 1
        let name = "Person\(names)"
        let acceptance = AutoAcceptance.allCases[names % 2]
        model.add(try await fixture.user(name, accepting: acceptance), named: name, accepting: acceptance)
    }

    private mutating func followOrUnfollow(follows: Bool) async throws {
        let (follower, followee) = try twoUsers()
        guard !strangers.contains(followee) else { return }
        guard follows else {
            return try await apply {
                try await $0.follows.unfollow(follower, followee)
            } _: {
                $0.unfollow(follower, followee)
            }
        }
        try await apply {
            try await $0.follows.follow(follower, followee)
        } _: {
            try $0.follow(follower, followee)
        }
    }

    private mutating func importFollows() async throws {
        if !chance(1, in: 4) || imported.isEmpty {
            imported = (0..<Int.random(in: 1...12, using: &random)).compactMap { _ in
                let pair = (follower: anyName(), followee: anyName())
                return pair.follower.lowercased() == pair.followee.lowercased() ? nil : pair
            }
        }
        try await importer.write(imported)
        for edge in imported {
            let follower = try await importedUser(edge.follower)
            let followee = try await importedUser(edge.followee)
            // An import writes nothing between two people one of whom has blocked the other.
            _ = try? model.connect(follower, followee)
        }
    }

    private mutating func importedUser(_ name: String) async throws -> UserID {
        if let known = model.names[name.lowercased()] { return known }
        guard let created = try await graph.accounts.account(username: name) else { throw GraphError.accountNotFound }
        model.add(created.id, named: name)
        return created.id
    }

    /// A known name in another spelling, or a new name.
    private mutating func anyName() -> String {
        if chance(1, in: 40) { return "import\(Int.random(in: 0..<8, using: &random))" }
        let name = "person\(Int.random(in: 1...max(names, 1), using: &random))"
        return chance(1, in: 2) ? name : name.uppercased()
    }

    private mutating func relate(_ operation: Operation) async throws {
        let (first, second) = try twoUsers()
        switch operation {
        case .block:
            try await apply({ try await $0.blocksAndMutes.block(first, second) }, { $0.block(first, second) })
        case .unblock:
            // Mostly an existing block.
            let pair = model.users.first { !(model.blocks[$0] ?? []).isEmpty }
                .flatMap { user in model.blocks[user]?.last.map { (user, $0) } }
            let (blocker, blocked) = chance(4, in: 5) ? pair ?? (first, second) : (first, second)
            try await apply({ try await $0.blocksAndMutes.unblock(blocker, blocked) }, { $0.unblock(blocker, blocked) })
        case .mute:
            let kinds = MuteKinds(rawValue: Int.random(in: 0...7, using: &random))
            let end = chance(1, in: 2) ? model.now + Int64.random(in: 1...300, using: &random) : nil
            try await apply {
                try await $0.blocksAndMutes.mute(first, second, kinds, until: end)
            } _: {
                $0.mute(first, second, kinds, until: end)
            }
        default:
            let muted = model.mutes[first]?.last?.user ?? second
            try await apply({ try await $0.blocksAndMutes.mute(first, muted, []) }, { $0.mute(first, muted, []) })
        }
    }

    // MARK: Posts

    private mutating func publish(_ count: Int) async throws {
        let posts = try (0..<count).map { _ in try newPost() }
        let before = model.posts.last?.id
        do {
            let ids = try await count == 1 ? [graph.posts.publish(posts[0]).id] : graph.bulkPosts.publish(batch: posts)
            if let refusal = posts.lazy.compactMap(model.refusal).first {
                throw WrongAnswer(problem: "published, not refused with \(refusal)")
            }
            for (post, id) in zip(posts, ids) { model.publish(post, as: id, isImported: count > 1) }
            guard ids == ids.sorted(), before.map({ $0 < ids[0] }) ?? true else {
                throw WrongAnswer(problem: "ids do not ascend: \(ids)")
            }
        } catch let error as GraphError {
            let refusal = posts.lazy.compactMap(model.refusal).first
            if error != refusal {
                throw WrongAnswer(problem: "refused with \(error), not \(String(describing: refusal))")
            }
        }
    }

    private mutating func newPost() throws -> NewPost {
        var author = try user()
        while model.suspended.contains(author) { author = try user() }
        var post = NewPost.sample(author, "caption")
        let friends = model.list(author, .followers) + [try user()]
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            guard let friend = friends.randomElement(using: &random), friend != author else { continue }
            post.collaborators.append(friend)
        }
        post.algorithmTags = (0..<Int.random(in: 0...2, using: &random)).map { _ in someTopic() }
        if chance(1, in: 3) { post.category = someTopic() }
        // An attribute that finds the same posts as the category.
        if let category = post.category { post.attributes = ["cuisineType": .text(category)] }
        if chance(1, in: 4) { post.visibility = .followers }
        if chance(1, in: 2) {
            post.community =
                chance(1, in: 6)
                ? someCommunity()
                : model.communities.keys.sorted().last { model.communities[$0]?.members[author] != nil }
        }
        return post
    }

    private mutating func deletePost() async throws {
        let id = somePost()
        guard let post = model.post(id) else {
            let user = try user()
            let isKnown = try await graph.posts.posts([id]).isEmpty == false
            if isKnown { throw WrongAnswer(problem: "\(id) is not gone") }
            try await apply(
                { try await $0.posts.deletePost(id, by: user) == () }, { _ in throw GraphError.postNotFound })
            return
        }
        guard !strangers.contains(post.author) else { return }
        try await apply({ try await $0.posts.deletePost(id, by: post.author) == () }, { $0.delete(id) == () })
        deleted.append(id)
    }

    private mutating func reshare() async throws {
        let (user, post) = (try user(), somePost())
        var isNew = false
        try await apply({ try await $0.reshares.reshare(post, by: user) }) { model in
            _ = try model.index(of: post)
            isNew = model.reshare(of: post, by: user) == nil
            return isNew
        }
        guard isNew else { return }
        guard let last = try await graph.feeds.reshares(of: post, limit: .max).last, last.user == user,
            last.position.rawValue > model.reshares.last?.id ?? 0, last.position > FeedPosition(post)
        else { throw WrongAnswer(problem: "the reshare is not the latest") }
        model.reshares.append(.init(id: last.position.rawValue, user: user, post: post))
    }

    private mutating func unreshare() async throws {
        let some = (user: try user(), post: somePost())
        let act = model.reshares.randomElement(using: &random).map { ($0.user, $0.post) }
        let (user, post) = chance(4, in: 5) ? act ?? (some.user, some.post) : (some.user, some.post)
        try await apply({ try await $0.reshares.unreshare(post, by: user) }, { try $0.unreshare(post, by: user) })
    }

    private mutating func purge() async throws {
        guard let post = deleted.randomElement(using: &random) else { return }
        while try await graph.posts.purgeLeftovers(of: post, limit: 2) {}
        model.reshares.removeAll { $0.post == post }
    }

    private mutating func collaborate(_ operation: Operation) async throws {
        let someone = try user()
        let post = somePost()
        let stored = model.post(post)
        // Mostly a user whom the post concerns.
        let asked = stored?.collaborators.keys.sorted().randomElement(using: &random)
        let user = operation != .invite && !chance(1, in: 5) ? asked ?? someone : someone
        let author = stored?.author ?? someone
        switch operation {
        case .invite:
            try await apply {
                try await $0.collaborations.inviteCollaborator(user, to: post, by: author)
            } _: {
                try $0.invite(user, to: post)
            }
        case .accept:
            try await apply {
                try await $0.collaborations.acceptCollaboration(on: post, by: user) == ()
            } _: {
                try $0.accept(user, on: post) == ()
            }
        case .decline:
            try await apply {
                try await $0.collaborations.declineCollaboration(on: post, by: user) == ()
            } _: {
                try $0.decline(user, on: post) == ()
            }
        case .leavePost:
            try await apply {
                try await $0.collaborations.leaveCollaboration(on: post, by: user) == ()
            } _: {
                try $0.leave(user, post) == ()
            }
        default:
            try await apply {
                try await $0.collaborations.removeCollaborator(user, from: post, by: author) == ()
            } _: {
                _ = try $0.index(of: post)
                return $0.endCollaboration(of: user, on: post) == ()
            }
        }
    }
}
