import Importing
import Moderation
import Privacy
import SocialGraph
import TestSupport

@testable import Timeline

/// Acts of users, moderators and other processes. A refusal by the graph is ignored.
extension HomeHistory {
    mutating func perform(_ act: Act, by user: UserID) async throws {
        do {
            try await attempt(act, by: user)
        } catch is GraphError {
            note("refused")
        }
    }

    private mutating func attempt(_ act: Act, by user: UserID) async throws {
        let other = someone()
        switch act {
        case .follow, .unfollow, .block, .unblock, .mute, .unmute: try await relate(act, user, other)
        case .publish: try await publish(user, other)
        case .delete, .reshare, .unreshare, .invite, .accept, .decline, .leavePost, .removeCollaborator, .remove,
            .takeDown:
            try await actOnPost(act, user, other)
        case .like, .unlike, .comment, .uncomment, .shareElsewhere: try await engage(act, user)
        case .rename: try await rename(user)
        case .suspend, .silence, .hold, .archive: try await hide(act, user)
        case .seclude, .decide, .open: try await admit(act, user)
        case .passTime: harness.expiry.advance(by: Int64.random(in: 1...200, using: &random))
        case .upkeep: try await graph.changes.prune()
        case .muteWord:
            let word = ["apple", "EAR", "ai", "pear", "rare"].randomElement(using: &random) ?? "apple"
            let end = chance(2) ? harness.expiry.now + Int64.random(in: 1...500, using: &random) : nil
            _ = try await graph.mutedWords.mute(word, isWhole: chance(2), until: end, by: user)
        case .unmuteWord:
            for word in try await graph.mutedWords.words(of: user).prefix(2) {
                try await graph.mutedWords.unmute(word.id, by: user)
            }
        case .followTopic: try await graph.topics.followTopic(someTag(), by: user, isInHome: !chance(4))
        case .unfollowTopic: try await graph.topics.unfollowTopic(someTag(), by: user)
        case .switches:
            try await graph.topics.setPreferences(of: user, topics: !chance(3), communities: !chance(3))
        case .join, .leaveCommunity, .communitySwitch, .ban, .role, .privacy: try await gather(act, user)
        case .importFollows, .importPosts, .threshold, .switchOver, .rebuild, .audit: try await actBeside(act, user)
        case .page, .walk, .filtered, .everything, .community, .why: try await read(act, user)
        case .flush, .kill, .stall, .restart: try await breakSomething(act)
        }
        // A user's own acts take effect at once.
        if chance(4) { try await read(.page, user) }
    }

    private mutating func relate(_ act: Act, _ user: UserID, _ other: UserID) async throws {
        guard user != other else { return }
        switch act {
        case .follow: try await graph.follows.follow(user, other)
        case .unfollow:
            let followees = try await graph.follows.followees(of: user)
            guard let followee = followees.randomElement(using: &random) else { return }
            try await graph.follows.unfollow(user, followee)
            // Follows again at once, so that the jobs of both acts may run after both.
            if chance(3) { try await graph.follows.follow(user, followee) }
        case .block: try await graph.blocksAndMutes.block(user, other)
        case .unblock:
            for entry in try await graph.blocksAndMutes.blocks(of: user, below: nil, limit: 3).items {
                try await graph.blocksAndMutes.unblock(user, entry.user)
            }
        case .mute:
            let followee = try await graph.follows.followees(of: user).randomElement(using: &random) ?? other
            let end = chance(2) ? harness.expiry.now + Int64.random(in: 1...500, using: &random) : nil
            try await graph.blocksAndMutes.mute(
                user, followee, MuteKinds(rawValue: Int.random(in: 1...7, using: &random)), until: end)
        default:
            for entry in try await graph.blocksAndMutes.mutes(of: user, below: nil, limit: 3).items {
                try await graph.blocksAndMutes.mute(user, entry.user, [])
            }
        }
    }

    private mutating func publish(_ user: UserID, _ other: UserID) async throws {
        // Some authors post a lot, so that windows fill and are trimmed.
        let author = chance(2) ? users[Int.random(in: 0..<4, using: &random)] : user
        var post = NewPost.sample(author, with: chance(4) && other != author ? [other] : [])
        post.caption = ["An apple", "Pineapple", "one pear", "nothing", "more"].randomElement(using: &random) ?? "more"
        if chance(2) { post.algorithmTags = [someTag()] }
        if chance(3) { post.category = someTag() }
        if chance(5) { post.visibility = PostVisibility.followers }
        if chance(4) { post.community = communities.randomElement(using: &random) }
        posts.append(try await graph.posts.publish(post).id)
    }

    private mutating func actOnPost(_ act: Act, _ user: UserID, _ other: UserID) async throws {
        guard let id = posts.suffix(chance(3) ? 400 : 40).randomElement(using: &random),
            let post = try await graph.posts.posts([id]).first
        else { return }
        switch act {
        case .delete: try await graph.posts.deletePost(id, by: post.author)
        case .reshare: try await graph.reshares.reshare(id, by: user)
        case .unreshare:
            for reshare in try await graph.feeds.reshares(of: id, limit: 4) where !chance(3) {
                try await graph.reshares.unreshare(id, by: reshare.user)
            }
        case .invite: try await graph.collaborations.inviteCollaborator(user, to: id, by: post.author)
        case .accept, .decline:
            guard let asked = post.collaborators.first(where: { $0.status == .pending })?.user else { return }
            if act == .accept {
                try await graph.collaborations.acceptCollaboration(on: id, by: asked)
            } else {
                try await graph.collaborations.declineCollaboration(on: id, by: asked)
            }
        case .leavePost, .removeCollaborator:
            guard let partner = post.authors.dropFirst().randomElement(using: &random) else { return }
            if act == .leavePost {
                try await graph.collaborations.leaveCollaboration(on: id, by: partner)
            } else {
                try await graph.collaborations.removeCollaborator(partner, from: id, by: post.author)
            }
        case .remove: try await graph.communities.setRemoved(!chance(3), post: id)
        default:
            if chance(2), let hidden = takenDown.popLast() {
                try await graph.communities.setTakenDown(false, post: hidden)
            } else {
                takenDown.append(id)
                try await graph.communities.setTakenDown(true, post: id)
            }
        }
    }

    /// Hides or shows content. Each kind of act is undone as often as done.
    private mutating func hide(_ act: Act, _ user: UserID) async throws {
        let isSet = chance(2)
        switch act {
        case .suspend:
            // Mostly the busiest authors, and never many at a time.
            let someone = chance(2) ? users[Int.random(in: 0..<4, using: &random)] : user
            let begins = isSet && suspended.count < 3 && !suspended.contains(someone)
            guard let user = begins ? someone : suspended.popLast() else { return }
            if begins { suspended.append(user) }
            try await graph.setSuspended(begins, user)
        case .silence:
            guard let user = isSet ? user : silenced.popLast() else { return }
            if isSet { silenced.append(user) }
            try await graph.setSilenced(isSet, user)
        case .hold:
            guard let post = isSet ? posts.suffix(40).randomElement(using: &random) : held.popLast() else { return }
            if isSet { held.append(post) }
            try await graph.setHeld(isSet, post)
        default:
            guard let community = communities.randomElement(using: &random) else { return }
            try await graph.setArchived(isSet && chance(2), community)
        }
    }

    /// Makes accounts private and public, and decides requests to follow them.
    private mutating func admit(_ act: Act, _ user: UserID) async throws {
        switch act {
        case .seclude:
            // Mostly the busiest authors.
            let someone = chance(2) ? users[Int.random(in: 0..<4, using: &random)] : user
            let begins = secluded.count < 5 && !secluded.contains(someone)
            let user = begins ? someone : secluded.removeFirst()
            if begins { secluded.append(user) }
            try await graph.setPrivate(begins, user)
        case .decide:
            for owner in secluded {
                for request in try await graph.followRequests.requests(to: owner, below: nil, limit: 2).items {
                    if chance(3) {
                        try await graph.followRequests.decline(request.user, by: owner)
                    } else {
                        try await graph.followRequests.approve(request.user, by: owner)
                    }
                }
            }
        default:
            for user in try await graph.followRequests.openedAccounts() {
                while try await graph.followRequests.approveWaiting(of: user, limit: 2) {}
            }
        }
    }

    /// Acts that change the counts on pages.
    private mutating func engage(_ act: Act, _ user: UserID) async throws {
        guard let post = posts.suffix(60).randomElement(using: &random) else { return }
        switch act {
        case .like: try await graph.likes.like(post, by: user)
        case .unlike:
            guard let like = try await graph.likes.likes(of: post, below: nil, limit: 1).items.first else { return }
            try await graph.likes.unlike(post, by: like.user)
        case .comment: try await graph.comments.comment(on: post, by: user, content: "hello @user1")
        case .uncomment:
            let comments = try await graph.comments.comments(of: post, .everything, below: nil, limit: 3)
            guard let comment = comments.randomElement(using: &random), !comment.isDeleted else { return }
            try await graph.comments.deleteComment(comment.id, by: comment.author)
        default: try await graph.engagement.shareExternally(post, by: user, platform: "elsewhere")
        }
    }

    /// Renames a user, because cached posts contain names.
    private mutating func rename(_ user: UserID) async throws {
        var change = ProfileChange()
        change.username = "name\(Int.random(in: 0..<1_000_000, using: &random))"
        try await graph.accounts.changeProfile(of: user, change)
    }

    mutating func someTag() -> String {
        ["Fitness", "fitness", "AI", "Cooking", "rare"].randomElement(using: &random) ?? "AI"
    }

    private mutating func gather(_ act: Act, _ user: UserID) async throws {
        guard let community = communities.randomElement(using: &random) else { return }
        switch act {
        case .join: try await graph.enter(community, by: user)
        case .leaveCommunity: try await graph.communities.leaveCommunity(community, by: user)
        case .privacy:
            let owner = try await graph.communities.moderators(of: community, limit: 1).first
            guard let owner, owner.role == .owner else { return }
            _ = try await graph.joinRequests.changeCommunity(community, by: owner.user, isPrivate: chance(2))
        case .communitySwitch: try await graph.communities.setCommunity(community, isInHome: chance(2), for: user)
        case .role: try await graph.communities.setRole(chance(2) ? .moderator : .member, of: user, in: community)
        default: try await graph.communities.setBanned(!chance(3), user, from: community)
        }
    }

    /// Acts of commands beside the server.
    private mutating func actBeside(_ act: Act, _ user: UserID) async throws {
        switch act {
        case .importFollows:
            let names = Dictionary(uniqueKeysWithValues: users.enumerated().map { ($1, "user\($0)") })
            var importer = FollowImporter(graph: harness.otherGraph)
            let pairs = ([user] + (0..<5).map { _ in someone() }).map { ($0, someone()) }.filter { $0.0 != $0.1 }
            try await importer.write(pairs.map { (names[$0.0] ?? "", names[$0.1] ?? "") })
        case .threshold:
            let threshold = [0, 3, 6, 9, 100].randomElement(using: &random) ?? 0
            try await harness.otherGraph.hubs.setHubThreshold(Int64(threshold))
        case .switchOver: try await switchOver()
        case .importPosts:
            let batch = (0..<3).map { _ in NewPost.sample(users[chance(2) ? 0 : 1]) }
            let ids = try await harness.otherGraph.bulkPosts.publish(batch: batch, fanout: chance(2) ? .pushes : .evict)
            posts += ids
            imported.formUnion(ids)
        case .rebuild: try await harness.otherGraph.outbox.enqueueBuild(of: [user, someone()])
        default: try await harness.otherGraph.outbox.enqueueDrop(of: [user])
        }
    }

    /// Authors cross the threshold in both directions while they post and others read.
    private mutating func switchOver() async throws {
        let beside = chance(2) ? harness.otherGraph : graph
        try await beside.hubs.setHubThreshold(chance(2) ? 2 : 4)
        for _ in 0..<3 {
            try await publish(someone(), someone())
            try await read(.page, someone())
        }
        if isRedisUp, chance(2) { try await harness.waitForJobs() }
        for _ in 0..<3 { try await read(.page, someone()) }
        if chance(3) { return }
        try await beside.hubs.setHubThreshold(chance(2) ? 0 : 100)
        for _ in 0..<3 { try await read(.page, someone()) }
        if isRedisUp, chance(2) { try await harness.waitForJobs() }
        for _ in 0..<3 { try await read(.page, someone()) }
    }

    private mutating func breakSomething(_ act: Act) async throws {
        guard isRedisUp else { return }
        if let cluster = harness.cluster {
            // Its nemesis kills and stalls.
            if act == .flush { try await cluster.flush() }
            if act == .restart { try await harness.restartService(isCrash: harness.isShared && chance(2)) }
            return
        }
        if harness.servers.count > 1 { broken = Int.random(in: 0..<harness.shards, using: &random) }
        let server = harness.servers[broken]
        switch act {
        case .flush: try await server.flushAll()
        case .kill:
            await server.kill()
            stepsUntilRedisReturns = Int.random(in: 1...20, using: &random)
        case .stall:
            await server.stall()
            stepsUntilRedisGoesOn = Int.random(in: 1...10, using: &random)
        default:
            // Histories of one server keep their course.
            if harness.servers.count == 1 {
                return try await harness.restartService(isCrash: harness.isShared && chance(2))
            }
            let shards = chance(2) ? harness.shards : Int.random(in: 1...harness.servers.count, using: &random)
            if shards != harness.shards { note("distribution over \(shards)") }
            try await harness.restartService(shards: shards)
        }
    }

    mutating func endFaults() async throws {
        if stepsUntilRedisReturns > 0 {
            stepsUntilRedisReturns -= 1
            if stepsUntilRedisReturns == 0 { try await harness.servers[broken].start() }
        }
        if stepsUntilRedisGoesOn > 0 {
            stepsUntilRedisGoesOn -= 1
            if stepsUntilRedisGoesOn == 0 { await harness.servers[broken].resume() }
        }
    }
}
