@testable import Database
@testable import MediaJobs
@testable import Moderation
@testable import Sessions
@testable import SocialGraph
import Idempotency
import Importing
import Privacy
import TestSupport

/// Every operation of the graph once, so that a check of all statements can forget none.
enum EveryOperation {
    static func run(on graph: GraphStore) async throws {
        let ann = try await graph.accounts.createAccount(username: "ann", email: "ann@example.org", passwordHash: "x")
            .id
        let bob = try await graph.accounts.createAccount(username: "bob", email: nil, passwordHash: nil).id
        let cat = try await graph.accounts.createAccount(username: "cat", email: nil, passwordHash: nil).id
        try await graph.follows.follow(bob, ann)
        let group = try await graph.communities.createCommunity(name: "group", description: "d", by: ann).id
        try await account(graph, ann)
        try await mail(on: graph, ann)
        try await relate(graph, ann, cat)
        try await admit(graph, ann, bob, cat)
        try await write(graph, ann, bob, cat, group)
        let post = try await graph.posts.publish(NewPost(author: ann, caption: "c", mediaURL: "m", community: group)).id
        try await moderate(graph, post, bob, group)
        try await judge(on: graph, post, ann, bob, group)
        try await maintain(graph, ann)
        try await storeFiles(graph, ann)
        _ = try await graph.media.mediaUsage(of: ann)
        try await graph.clock.storeClockMark(SteadyClock.Mark(trusted: 1))
        _ = try await graph.database.read { try ClockStore.Reader($0).clockMark(before: 0) }
        try await graph.reshares.reshare(post, by: bob)
        try await graph.reshares.reshare(post, by: cat)
        try await engage(on: graph, post, ann, bob, cat)
        try await save(on: graph, post, ann, bob)
        try await details(on: graph, [post], [ann, bob])
        try await audit(on: graph, ann)
        try await recommend(on: graph, post, ann, bob)
        try await gather(on: graph, ann, bob, cat)
        try await read(graph, post, ann, bob, group)
        try await readFeeds(graph, post, ann, bob, group)
        try await rank(graph, post, ann)
        try await search(graph, ann, group)
        try await divide(graph, post, ann)
        try await embed(graph, post, ann)
        try await push(on: graph, ann, bob)
        try await examineVideos(on: graph, ann)
        try await appWebhooks(on: graph)
        try await serviceTokens(on: graph)
        try await screen(on: graph, ann, bob, group)
        try await suspend(graph, post, ann, bob)
        try await workOnCases(on: graph, post, ann, bob, group)
        try await leave(graph, ann, bob, post, group)
    }

    private static func account(_ graph: GraphStore, _ ann: UserID) async throws {
        var change = ProfileChange()
        change.bio = "b"
        change.email = "ann@example.org"
        change.picture = .at(url: "u")
        change.preferences = ["n": .list(["t"])]
        try await graph.accounts.changeProfile(of: ann, change)
        change.picture = .at(url: "u", media: MediaID(rawValue: 1))
        try? await graph.accounts.changeProfile(of: ann, change)
        _ = try await graph.accounts.preferences(of: ann)
        func refresh(_ number: UInt8) -> RefreshGrant { RefreshGrant(digest: [number], lifetime: 1_000) }
        _ = try await graph.sessions.openSession(of: ann, refresh: refresh(1))
        _ = try await graph.sessions.refreshSession([1], family: [9], with: refresh(2))
        _ = try? await graph.sessions.refreshSession([1], family: [9], with: refresh(3))
        _ = try await graph.sessions.openSession(of: ann, refresh: refresh(4))
        for number in 0...SessionLimits.knownAddressesPerUser {
            try await graph.sessions.rememberAddress([UInt8(number)], of: ann)
        }
        _ = try await graph.sessions.knowsAddress([1], of: ann)
        _ = try await graph.sessions.sessions(of: ann)
        _ = try await graph.sessions.tokenRevocationState(of: ann)
        if let session = try await graph.sessions.sessions(of: ann).first?.id {
            try await graph.sessions.endSession(session, of: ann)
        }
        _ = try await graph.accounts.credentials(of: ann)
        try await graph.sessions.endAllSessions(of: ann)
        _ = try await graph.sessions.changePassword(of: ann, to: "hash", epoch: 1, refresh: refresh(5))
    }

    private static func leave(
        _ graph: GraphStore, _ ann: UserID, _ bob: UserID, _ post: PostID, _ group: CommunityID
    ) async throws {
        let person = ExternalIdentity(
            issuer: "i", subject: "s", username: "ann", email: "ann@example.org", displayName: "A", pictureURL: nil)
        _ = try await graph.accounts.user(issuer: "i", subject: "s")
        let outsider = try await graph.accounts.findOrCreateUser(person)
        let own = try await graph.posts.publish(NewPost(author: outsider, caption: "c", mediaURL: "m")).id
        try await graph.collaborations.inviteCollaborator(bob, to: own, by: outsider)
        let shared = try await graph.posts.publish(
            NewPost(author: ann, caption: "c", mediaURL: "m", collaborators: [outsider]))
        let gone = try await graph.posts.publish(NewPost(author: bob, caption: "c", mediaURL: "m")).id
        for id in [shared.id, gone] { try await graph.reshares.reshare(id, by: outsider) }
        try await graph.posts.deletePost(gone, by: bob)
        try await graph.follows.follow(outsider, bob)
        try await graph.follows.follow(bob, outsider)
        try await graph.communities.joinCommunity(group, by: outsider)
        let community = try await graph.communities.createCommunity(name: "left", description: "", by: outsider).id
        try await graph.communities.joinCommunity(community, by: bob)
        try await graph.database.write { transaction in
            try transaction.execute(
                """
                INSERT INTO media (id, owner_id, content_type, file_name, bytes, sha256, created_at)
                VALUES (?1, ?2, 'image/png', 'f', 1, ?3, 0)
                """, [.integer(try transaction.nextID()), .user(outsider), .blob([1])])
        }
        try await graph.erasures.deleteAccount(outsider)
        _ = try await graph.erasures.erasures()
        let lease = try await graph.outbox.takeLease(from: .isDead).epoch
        while true {
            switch try await graph.erasures.eraseSome(of: outsider) {
            case .removed: continue
            case .waiting:
                let jobs = try await graph.outbox.outboxJobs(above: nil, limit: 1_000).map(\.id)
                try await graph.outbox.acknowledgeJobs(by: .outbox(lease), finished: jobs)
            case .finished: return
            }
        }
    }

    private static func relate(_ graph: GraphStore, _ ann: UserID, _ cat: UserID) async throws {
        try await graph.follows.follow(cat, ann)
        try await graph.blocksAndMutes.block(ann, cat)
        _ = try await graph.blocksAndMutes.blocks(of: ann, below: nil, limit: 5)
        try await graph.blocksAndMutes.unblock(ann, cat)
        try await graph.blocksAndMutes.mute(ann, cat, .everything)
        _ = try await graph.blocksAndMutes.mutes(of: ann, below: nil, limit: 5)
        try await graph.blocksAndMutes.mute(ann, cat, .everything, until: 1)
        try await graph.changes.prune()
        try await graph.blocksAndMutes.mute(ann, cat, [])
        _ = try await graph.mutedWords.words(of: ann)
        let word = try await graph.mutedWords.mute("w", isWhole: true, until: nil, by: ann)
        _ = try await graph.mutedWords.mute("W", isWhole: false, until: nil, by: ann)
        if let word { try await graph.mutedWords.unmute(word.word.id, by: ann) }
        try await graph.topics.followTopic("c", by: ann)
        try await graph.topics.followTopic("gone", by: ann)
        try await graph.topics.unfollowTopic("gone", by: ann)
        _ = try await graph.topics.followedTopics(of: ann)
        _ = try await graph.topics.topics(.tag, named: ["t"])
        try await graph.topics.setPreferences(of: ann, algorithms: ["t"])
        _ = try await graph.topics.selectedAlgorithms(of: ann)
        try await graph.topics.setPreferences(of: ann, topics: true, communities: true)
        _ = try await graph.topics.homeSwitches(of: ann)
    }

    private static func admit(_ graph: GraphStore, _ ann: UserID, _ bob: UserID, _ cat: UserID) async throws {
        var change = ProfileChange()
        for isPrivate in [true, false] {
            change.isPrivate = isPrivate
            if !isPrivate {
                try await graph.follows.unfollow(bob, ann)
                for user in [bob, cat] { try await graph.follows.follow(user, ann) }
                _ = try await graph.followRequests.requests(to: ann, below: nil, limit: 5)
                _ = try await graph.followRequests.sentRequests(by: bob, below: nil, limit: 5)
                try await graph.followRequests.approve(bob, by: ann)
                try await graph.followRequests.decline(cat, by: ann)
                try await graph.follows.follow(cat, ann)
            }
            try await graph.accounts.changeProfile(of: ann, change)
        }
        for user in try await graph.followRequests.openedAccounts() {
            _ = try await graph.followRequests.approveWaiting(of: user)
        }
        try await graph.follows.unfollow(cat, ann)
    }

    private static func write(
        _ graph: GraphStore, _ ann: UserID, _ bob: UserID, _ cat: UserID, _ group: CommunityID
    ) async throws {
        let post = NewPost(
            author: ann, caption: "c", mediaURL: "m", category: "c", algorithmTags: ["t"], collaborators: [bob],
            link: "l", title: "t", attributes: ["workoutType": .text("HIIT"), "equipment": .list(["mat"])],
            community: group)
        let id = try await graph.publish(post, key: "k").id
        let request = IdempotentRequest.publishing("k", by: ann)
        _ = try await graph.idempotency.find(request)
        let other = IdempotentRequest.publishing("l", by: ann)
        try await graph.idempotency.keep(KeptAnswer(status: 200, body: []), to: other, fingerprint: [1])
        try await graph.bulkPosts.publish(batch: [post])
        try await graph.collaborations.inviteCollaborator(cat, to: id, by: ann)
        try await graph.collaborations.acceptCollaboration(on: id, by: cat)
        try await graph.collaborations.leaveCollaboration(on: id, by: cat)
        try await graph.collaborations.inviteCollaborator(cat, to: id, by: ann)
        try await graph.collaborations.declineCollaboration(on: id, by: cat)
        try await graph.collaborations.removeCollaborator(bob, from: id, by: ann)
        for user in [bob, cat] { try await graph.reshares.reshare(id, by: user) }
        try await graph.reshares.unreshare(id, by: bob)
        try await graph.posts.deletePost(id, by: ann)
        _ = try await graph.posts.purgeLeftovers(of: id, limit: 10)
        try await graph.follows.unfollow(bob, ann)
    }

    private static func moderate(
        _ graph: GraphStore, _ post: PostID, _ bob: UserID, _ group: CommunityID
    ) async throws {
        try await graph.communities.joinCommunity(group, by: bob)
        try await graph.communities.setCommunity(group, isInHome: true, for: bob)
        try await graph.communities.setRole(.moderator, of: bob, in: group)
        _ = try await graph.communities.people(of: [graph.communities.community(group)], for: bob, limit: 5)
        try await graph.communities.leaveCommunity(group, by: bob)
        for flag in [true, false] {
            try await graph.communities.setBanned(flag, bob, from: group)
            try await graph.communities.setLocked(flag, community: group)
            try await graph.communities.setRemoved(flag, post: post)
            try await graph.communities.setTakenDown(flag, post: post)
            try await graph.communities.setPinned(flag, post, in: group)
        }
    }

    private static func storeFiles(_ graph: GraphStore, _ ann: UserID) async throws {
        for id in try await graph.media.reserveMediaIDs(1) {
            let file = NewMedia(id: id, contentType: "video/mp4", fileName: "f", bytes: 1, sha256: [1])
            _ = try await graph.media.storeMedia([file], by: ann)
            _ = try await graph.media.media(id)
            _ = try await graph.media.fileNames(of: [id])
            _ = try await graph.media.posts(showing: id, below: nil, limit: 5)
            _ = try await graph.media.isProfilePicture(id)
            _ = try await graph.media.unusedMedia(above: nil, storedBefore: .max, limit: 5)
            _ = try await graph.media.deleteMedia(id)
        }
    }

    private static func maintain(_ graph: GraphStore, _ ann: UserID) async throws {
        try await graph.outbox.enqueueDrop(of: [ann])
        try await graph.outbox.enqueueBuild(of: [ann])
        let lease = try await graph.outbox.takeLease(from: .isDead)
        try await lease.renew()
        let (finished, begun) = (JobID(rawValue: 1), JobID(rawValue: 2))
        try await graph.outbox.acknowledgeJobs(
            by: .outbox(lease.epoch), finished: [finished], progressed: [(begun, .start)])
        let half = GroupShare(groups: GroupSet(0), all: GroupSet(upTo: 2), leases: [lease.stamp])
        try await graph.outbox.acknowledgeJobs(by: half, finished: [begun])
        try await graph.settings.store(["window_generation": "generation run"], under: .outbox(lease.epoch))
        try await lease.release()
        _ = try await LeaseStore(database: graph.database).lease(OutboxStore.lease)
        var importer = FollowImporter(graph: graph)
        // Names that the importer does not know yet, enough of them for a reader whose home is walked.
        let names = (0...FeedStore.homeProbeFollowees).map { "name\($0)" }
        try await importer.write(names.map { (follower: "wide", followee: $0) })
        try await importer.write([(follower: "ann", followee: "bob"), (follower: "cat", followee: "bob")])
        try await graph.hubs.setHubThreshold(1)
        try await graph.hubs.setHubThreshold(0)
        try await graph.hubs.setHubThreshold(1)
        let bob = try await graph.accounts.account(username: "bob")?.id ?? ann
        try await graph.hubs.finishBackfill(of: bob, since: .beginning)
        _ = try await graph.hubs.hubs()
        _ = try await graph.hubs.hubPhase(of: bob)
        try await graph.settings.store("value", as: "name")
        try await graph.changes.prune()
    }

    private static func read(
        _ graph: GraphStore, _ post: PostID, _ ann: UserID, _ bob: UserID, _ group: CommunityID
    ) async throws {
        _ = try await graph.accounts.account(ann)
        _ = try await graph.accounts.credentials(email: "ann@example.org")
        _ = try await graph.accounts.tokenEpoch(ann)
        _ = try await graph.accounts.accountIDs(above: nil, limit: 5)
        _ = try await graph.accounts.mostFollowed(limit: 5)
        _ = try await graph.follows.follows(ann, bob)
        for direction in [FollowDirection.followers, .following] {
            _ = try await graph.follows.followList(of: ann, direction, below: nil, limit: 5)
        }
        _ = try await graph.follows.mutuals(of: ann, below: nil, limit: 5)
        _ = try await graph.follows.followees(of: ann)
        _ = try await graph.posts.posts([post])
        _ = try await graph.communities.community(group)
        _ = try await graph.communities.membership(of: ann, in: group)
        _ = try await graph.communities.pins(of: group)
        _ = try await graph.deliveries.deliveryReceipt(of: post, for: ann)
        _ = try await graph.outbox.outboxJobs(above: nil, limit: 5)
        _ = try await graph.outbox.outboxDepth()
        _ = try await graph.outbox.pendingWork(for: ann, posts: [post])
        _ = try await graph.changes.latestChange()
        _ = try await graph.database.look(followingWindows: true, isAlone: false)
        _ = try await graph.changes.news(past: 0, jobsAbove: JobID(rawValue: 0))
        _ = try await graph.settings.windowSettings(prefix: "window_generation")
        _ = try await graph.outbox.progress(of: [JobID(rawValue: 1)])
        _ = try await graph.settings.setting("name")
        let entry = FeedEntry(position: FeedPosition(rawValue: .max), post: post)
        let reshare = try await graph.feeds.reshares(of: post, limit: 1).first?.position ?? .beginning
        let works: [OutboxJob.Work] = [
            .push(post: post, author: ann), .remove(post: post, author: ann), .removeReason(entry: entry, actor: bob),
            .addReason(entry: FeedEntry(post), actor: ann),
            .addReason(entry: FeedEntry(position: reshare, post: post), actor: bob),
            .backfill(author: ann, since: .beginning),
        ]
        for work in works { _ = try await graph.audiences.audience(of: work, past: .start, limit: 5) }
        let priority = PriorityRecipients(leastFollowers: 0) { [bob] }
        for (posts, limit) in [([post, post], 5), ([post], 1)] {
            let request = PushRequest(posts: posts, author: ann, cursor: .start)
            _ = try await graph.audiences.pushAudiences(of: [request], limit: limit, deliveries: 9, priority: priority)
        }
    }

    private static func readFeeds(
        _ graph: GraphStore, _ post: PostID, _ ann: UserID, _ bob: UserID, _ group: CommunityID
    ) async throws {
        let wide = try await graph.accounts.account(username: "wide")?.id ?? UserID(rawValue: 0)
        let topic = TopicID(rawValue: 1)
        let tagged = NewPost(author: bob, caption: "c", mediaURL: "m", category: "c", algorithmTags: ["t"])
        let id = try await graph.posts.publish(tagged).id
        try await graph.reshares.reshare(id, by: ann)
        let cat = try await graph.accounts.account(username: "cat")?.id ?? ann
        for viewer in [ann, wide, cat] {
            let context = try await graph.feeds.viewerContext(of: viewer)
            _ = try await graph.feeds.homeSlice(of: context, below: .end, limit: 5)
            for name in ["c", "t"] {
                let topics = try await
                    (graph.topics.topics(.category, named: [name]) + graph.topics.topics(.tag, named: [name]))
                    .compactMap(\.self)
                _ = try await graph.feeds.filteredSlice(of: context, topics: topics, below: .end, budget: 100)
            }
            _ = try await graph.feeds.windowEntries(of: viewer, limit: 5)
            _ = try await graph.feeds.firstReshare(of: post, for: context)
            _ = try await graph.feeds.windowByDefinition(
                of: viewer, from: .beginning, holding: [FeedEntry(position: .end, post: post)])
        }
        _ = try await graph.feeds.authorFeed(of: ann, below: nil, limit: 5)
        _ = try await graph.feeds.slices(
            of: [
                .actor(ann), .topic(topic), .community(group), .everything,
                .attribute(name: "workoutType", key: "hiit"), .attributed(name: "workoutType"),
            ],
            below: .end, limit: 5)
        _ = try await graph.feeds.slice(ofAny: [.actor(ann), .everything], below: .end, limit: 5)
        _ = try await graph.feeds.removalReason(of: post)
        _ = try await graph.feeds.usernames(of: [ann, bob])
        _ = try await graph.feeds.latestPosition()
        _ = try await graph.feeds.windowPositions(of: post, for: [ann, wide])
        _ = try await graph.feeds.homeByDefinition(of: ann)
    }
}
