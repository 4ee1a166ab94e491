import Database
import TestSupport

@testable import Moderation
@testable import SocialGraph
@testable import SocialGraphModel

/// Topics, communities, moderation and hubs in a history.
extension RandomHistory {
    mutating func prefer(_ operation: Operation) async throws {
        let (user, name) = (try user(), someTopic())
        switch operation {
        case .followTopic:
            let isInHome = !chance(1, in: 4)
            try await apply {
                try await $0.topics.followTopic(name, by: user, isInHome: isInHome) == ()
            } _: {
                $0.followTopic(name, by: user, isInHome: isInHome) == ()
            }
        case .unfollowTopic:
            try await apply({ try await $0.topics.unfollowTopic(name, by: user) }, { $0.unfollowTopic(name, by: user) })
        case .switches:
            let choices: [Bool?] = [nil, true, true, false]
            let topics = choices.randomElement(using: &random) ?? nil
            let communities = choices.randomElement(using: &random) ?? nil
            try await graph.topics.setPreferences(of: user, topics: topics, communities: communities)
            if let topics { model.topicsInHome[user] = topics }
            if let communities { model.communitiesInHome[user] = communities }
        default:
            let tags = (0..<Int.random(in: 0...4, using: &random)).map { _ in someTopic() }
            try await graph.topics.setPreferences(of: user, algorithms: tags)
            var kept: [String] = []
            for tag in tags where !kept.contains(where: { $0.lowercased() == tag.lowercased() }) { kept.append(tag) }
            let stored = try await graph.topics.selectedAlgorithms(of: user)
            let folded = try await graph.feeds.viewerContext(of: user).selectedAlgorithms
            if stored != kept || folded != kept.map({ $0.lowercased() }) {
                throw WrongAnswer(problem: "selected \(stored), \(folded), not \(kept)")
            }
        }
    }

    mutating func createCommunity() async throws {
        let (owner, isPrivate) = (try user(), chance(1, in: 2))
        // There are few communities, so that people meet in them.
        guard model.communities.count < 5 else { return }
        let created = try await graph.communities.createCommunity(
            name: "Group\(model.communities.count)", description: "", by: owner, isPrivate: isPrivate)
        model.add(created.id, by: owner, isPrivate: isPrivate)
    }

    mutating func gather(_ operation: Operation) async throws {
        let community = someCommunity()
        let members = model.communities[community]?.members.keys.sorted() ?? []
        let some = try user()
        let user = operation == .join || chance(1, in: 5) ? some : members.randomElement(using: &random) ?? some
        let flag = chance(1, in: 2)
        switch operation {
        case .join:
            try await apply {
                try await $0.enter(community, by: user)
            } _: {
                try $0.join(community, by: user)
            }
        case .leave:
            try await apply {
                try await $0.communities.leaveCommunity(community, by: user)
            } _: {
                try $0.leave(community, by: user)
            }
        case .communitySwitch:
            try await apply {
                try await $0.communities.setCommunity(community, isInHome: flag, for: user) == ()
            } _: {
                try $0.setCommunity(community, isInHome: flag, for: user) == ()
            }
        case .lock:
            try await apply {
                try await $0.communities.setLocked(flag, community: community) == ()
            } _: {
                try $0.setLocked(flag, community) == ()
            }
        case .privacy:
            try await apply {
                _ = try await $0.communities.community(community)
                let action: ModerationAction = flag ? .makeCommunityPrivate : .makeCommunityPublic
                let order = ModerationOrder(action, [.community(community)], reason: "because")
                _ = try await $0.moderation.moderate(order, by: nil)
                return true
            } _: {
                try $0.setPrivate(flag, community)
                return true
            }
        case .ban: try await ban(true, user, community)
        case .unban:
            let banned = model.communities[community]?.banned.sorted().randomElement(using: &random)
            try await ban(false, banned ?? user, community)
        default:
            let role = [CommunityRole.moderator, .moderator, .member, .owner].randomElement(using: &random) ?? .member
            try await apply {
                try await $0.communities.setRole(role, of: user, in: community) == ()
            } _: {
                try $0.setRole(role, of: user, in: community) == ()
            }
        }
    }

    private mutating func ban(_ isBanned: Bool, _ user: UserID, _ community: CommunityID) async throws {
        try await apply {
            try await $0.communities.setBanned(isBanned, user, from: community) == ()
        } _: {
            try $0.setBanned(isBanned, user, from: community) == ()
        }
    }

    mutating func moderate(_ operation: Operation) async throws {
        let isSet = chance(2, in: 3)
        let inCommunities = model.posts.suffix(60).filter { $0.community != nil }.map(\.id)
        let some = somePost()
        let post = chance(1, in: 6) ? some : inCommunities.randomElement(using: &random) ?? some
        switch operation {
        case .pin:
            let community = model.post(post)?.community ?? someCommunity()
            try await apply {
                try await $0.communities.setPinned(isSet, post, in: community) == ()
            } _: {
                try $0.setPinned(isSet, post, in: community) == ()
            }
        case .remove:
            try await apply {
                try await $0.communities.setRemoved(isSet, post: post) == ()
            } _: {
                try $0.setRemoved(isSet, post) == ()
            }
        default:
            // Takedowns are undone as often as made, so that most posts are shown.
            let hidden = model.posts.filter(\.isTakenDown).randomElement(using: &random)?.id
            let (target, isTakenDown) = chance(1, in: 2) ? (hidden ?? some, false) : (some, true)
            try await apply {
                try await $0.communities.setTakenDown(isTakenDown, post: target) == ()
            } _: {
                try $0.setTakenDown(isTakenDown, target) == ()
            }
        }
    }

    // MARK: Hubs

    mutating func pull(_ operation: Operation) async throws {
        switch operation {
        case .threshold:
            let threshold = Int64([0, 2, 3, 4, 5, 7].randomElement(using: &random) ?? 0)
            try await apply {
                try await $0.hubs.setHubThreshold(threshold)
            } _: { model in
                let before = model.hubs
                model.setHubThreshold(threshold)
                return model.users.count { before[$0] != model.hubs[$0] }
            }
        case .backfill:
            let backfills = try await graph.outbox.outboxJobs(above: nil, limit: .max).compactMap { job in
                if case .backfill(let author, let since) = job.work { (author, since) } else { nil }
            }
            guard let (author, since) = backfills.randomElement(using: &random) else { return }
            // Only the latest switch of an author counts.
            let isCurrent = backfills.last { $0.0 == author }?.1 == since
            try await apply {
                try await $0.hubs.finishBackfill(of: author, since: since)
            } _: { model in
                guard isCurrent, model.hubs[author] == .returning else { return false }
                model.hubs[author] = nil
                return true
            }
        default:
            let jobs = try await graph.outbox.outboxJobs(above: nil, limit: .max).filter {
                if case .backfill = $0.work { false } else { true }
            }
            let lease = try await graph.outbox.takeLease(from: .isDead).epoch
            try await graph.outbox.acknowledgeJobs(by: .outbox(lease), finished: jobs.map(\.id))
        }
    }
}
