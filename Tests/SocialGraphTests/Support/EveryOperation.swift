@testable import SocialGraph

/// Everything that the graph can do, done once, so that a check of all statements can forget none.
enum EveryOperation {
    static func run(on graph: GraphStore) async throws {
        let ann = try await graph.createAccount(username: "ann", email: "ann@example.org", passwordHash: "x").id
        let bob = try await graph.createAccount(username: "bob", email: nil, passwordHash: nil).id
        let cat = try await graph.createAccount(username: "cat", email: nil, passwordHash: nil).id
        try await graph.follow(bob, ann)
        let group = try await graph.createCommunity(name: "group", description: "d", by: ann).id
        try await account(graph, ann)
        try await relate(graph, ann, cat)
        try await write(graph, ann, bob, cat, group)
        let post = try await graph.publish(NewPost(author: ann, caption: "c", mediaURL: "m", community: group)).id
        try await moderate(graph, post, bob, group)
        try await judge(on: graph, post, ann, bob, group)
        try await maintain(graph, ann)
        try await storeFiles(graph, ann)
        _ = try await graph.mediaUsage(of: ann)
        try await graph.storeClockMark(SteadyClock.Mark(trusted: 1))
        _ = try await graph.database.read { try GraphStore.clockMark(before: 0, $0) }
        try await graph.reshare(post, by: bob)
        try await graph.reshare(post, by: cat)
        try await engage(on: graph, post, ann, bob, cat)
        try await save(on: graph, post, ann, bob)
        try await recommend(on: graph, post, ann, bob)
        try await gather(on: graph, ann, bob, cat)
        try await read(graph, post, ann, bob, group)
        try await readFeeds(graph, post, ann, bob, group)
        try await rank(graph, post, ann)
        try await search(graph, ann, group)
        try await divide(graph, post, ann)
        try await embed(graph, post, ann)
        try await push(on: graph, ann, bob)
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
        try await graph.changeProfile(of: ann, change)
        change.picture = .at(url: "u", media: MediaID(rawValue: 1))
        try? await graph.changeProfile(of: ann, change)
        _ = try await graph.preferences(of: ann)
        func refresh(_ number: UInt8) -> RefreshGrant { RefreshGrant(digest: [number], lifetime: 1_000) }
        _ = try await graph.openSession(of: ann, refresh: refresh(1))
        _ = try await graph.refreshSession([1], with: refresh(2))
        _ = try? await graph.refreshSession([1], with: refresh(3))
        _ = try await graph.openSession(of: ann, refresh: refresh(4))
        for number in 0...SocialGraphLimits.knownAddressesPerUser {
            try await graph.rememberAddress([UInt8(number)], of: ann)
        }
        _ = try await graph.knowsAddress([1], of: ann)
        _ = try await graph.sessions(of: ann)
        _ = try await graph.tokenStanding(of: ann)
        if let session = try await graph.sessions(of: ann).first?.id {
            try await graph.endSession(session, of: ann)
        }
        _ = try await graph.credentials(of: ann)
        try await graph.endAllSessions(of: ann)
        _ = try await graph.changePassword(of: ann, to: "hash", epoch: 1, refresh: refresh(5))
    }

    private static func leave(
        _ graph: GraphStore, _ ann: UserID, _ bob: UserID, _ post: PostID, _ group: CommunityID
    ) async throws {
        let person = OutsidePerson(
            issuer: "i", subject: "s", username: "ann", email: "ann@example.org", displayName: "A", pictureURL: nil)
        _ = try await graph.user(issuer: "i", subject: "s")
        let outsider = try await graph.findOrCreateUser(person)
        let own = try await graph.publish(NewPost(author: outsider, caption: "c", mediaURL: "m")).id
        try await graph.inviteCollaborator(bob, to: own, by: outsider)
        let shared = try await graph.publish(
            NewPost(author: ann, caption: "c", mediaURL: "m", collaborators: [outsider]))
        let gone = try await graph.publish(NewPost(author: bob, caption: "c", mediaURL: "m")).id
        for id in [shared.id, gone] { try await graph.reshare(id, by: outsider) }
        try await graph.deletePost(gone, by: bob)
        try await graph.follow(outsider, bob)
        try await graph.follow(bob, outsider)
        try await graph.joinCommunity(group, by: outsider)
        let community = try await graph.createCommunity(name: "left", description: "", by: outsider).id
        try await graph.joinCommunity(community, by: bob)
        try await graph.database.write { transaction in
            _ = try transaction.execute(
                """
                INSERT INTO media (id, owner_id, content_type, file_name, bytes, sha256, created_at)
                VALUES (?1, ?2, 'image/png', 'f', 1, ?3, 0)
                """, [.integer(try transaction.nextID()), .user(outsider), .blob([1])])
        }
        try await graph.deleteAccount(outsider)
        _ = try await graph.erasures()
        let lease = try await graph.leaseOutbox()
        while true {
            switch try await graph.eraseSome(of: outsider) {
            case .removed: continue
            case .waiting:
                let jobs = try await graph.outboxJobs(above: nil, limit: 1_000).map(\.id)
                try await graph.settleOutbox(incarnation: lease, finished: jobs)
            case .finished: return
            }
        }
    }

    private static func relate(_ graph: GraphStore, _ ann: UserID, _ cat: UserID) async throws {
        try await graph.follow(cat, ann)
        try await graph.block(ann, cat)
        _ = try await graph.blocks(of: ann, below: nil, limit: 5)
        try await graph.unblock(ann, cat)
        try await graph.mute(ann, cat, .everything)
        _ = try await graph.mutes(of: ann, below: nil, limit: 5)
        try await graph.mute(ann, cat, [])
        try await graph.followTopic("c", by: ann)
        try await graph.followTopic("gone", by: ann)
        try await graph.unfollowTopic("gone", by: ann)
        _ = try await graph.followedTopics(of: ann)
        _ = try await graph.topics(.tag, named: ["t"])
        try await graph.setPreferences(of: ann, algorithms: ["t"])
        _ = try await graph.selectedAlgorithms(of: ann)
        try await graph.setPreferences(of: ann, topics: true, communities: true)
        _ = try await graph.homeSwitches(of: ann)
    }

    private static func write(
        _ graph: GraphStore, _ ann: UserID, _ bob: UserID, _ cat: UserID, _ group: CommunityID
    ) async throws {
        let post = NewPost(
            author: ann, caption: "c", mediaURL: "m", category: "c", algorithmTags: ["t"], collaborators: [bob],
            link: "l", title: "t", attributes: ["workoutType": .text("HIIT"), "equipment": .list(["mat"])],
            community: group)
        let id = try await graph.publish(post, idempotency: IdempotencyKey(key: "k", fingerprint: [1])).id
        try await graph.publish(batch: [post])
        try await graph.inviteCollaborator(cat, to: id, by: ann)
        try await graph.acceptCollaboration(on: id, by: cat)
        try await graph.leaveCollaboration(on: id, by: cat)
        try await graph.inviteCollaborator(cat, to: id, by: ann)
        try await graph.declineCollaboration(on: id, by: cat)
        try await graph.removeCollaborator(bob, from: id, by: ann)
        for user in [bob, cat] { try await graph.reshare(id, by: user) }
        try await graph.unreshare(id, by: bob)
        try await graph.deletePost(id, by: ann)
        _ = try await graph.purgeLeftovers(of: id, limit: 10)
        try await graph.unfollow(bob, ann)
    }

    private static func moderate(
        _ graph: GraphStore, _ post: PostID, _ bob: UserID, _ group: CommunityID
    ) async throws {
        try await graph.joinCommunity(group, by: bob)
        try await graph.setCommunity(group, isInHome: true, for: bob)
        try await graph.setRole(.moderator, of: bob, in: group)
        try await graph.leaveCommunity(group, by: bob)
        for flag in [true, false] {
            try await graph.setBanned(flag, bob, from: group)
            try await graph.setLocked(flag, community: group)
            try await graph.setRemoved(flag, post: post)
            try await graph.setTakenDown(flag, post: post)
            try await graph.setPinned(flag, post, in: group)
        }
    }

    private static func storeFiles(_ graph: GraphStore, _ ann: UserID) async throws {
        for id in try await graph.reserveMediaIDs(1) {
            let file = NewMedia(id: id, contentType: "video/mp4", fileName: "f", bytes: 1, sha256: [1])
            _ = try await graph.storeMedia([file], by: ann)
            _ = try await graph.media(id)
            _ = try await graph.fileNames(of: [id])
            _ = try await graph.posts(showing: id, below: nil, limit: 5)
            _ = try await graph.isProfilePicture(id)
            _ = try await graph.unusedMedia(above: nil, storedBefore: .max, limit: 5)
            _ = try await graph.deleteMedia(id)
        }
    }

    private static func maintain(_ graph: GraphStore, _ ann: UserID) async throws {
        try await graph.enqueueDrop(of: [ann])
        try await graph.enqueueBuild(of: [ann])
        let lease = try await graph.leaseOutbox()
        let (finished, begun) = (JobID(rawValue: 1), JobID(rawValue: 2))
        try await graph.settleOutbox(incarnation: lease, finished: [finished], progressed: [(begun, .start)])
        var importer = FollowImporter(graph: graph)
        // Names that the importer does not know yet; enough of them for a reader whose home is walked.
        let names = (0...SocialGraphLimits.homeProbeFollowees).map { "name\($0)" }
        try await importer.write(names.map { (follower: "wide", followee: $0) })
        try await importer.write([(follower: "ann", followee: "bob"), (follower: "cat", followee: "bob")])
        try await graph.setHubThreshold(1)
        try await graph.setHubThreshold(0)
        try await graph.setHubThreshold(1)
        let bob = try await graph.account(username: "bob")?.id ?? ann
        try await graph.finishLanding(of: bob, since: .beginning)
        _ = try await graph.hubs()
        _ = try await graph.hubPhase(of: bob)
        try await graph.store("value", as: "name")
        try await graph.prune()
    }

    private static func read(
        _ graph: GraphStore, _ post: PostID, _ ann: UserID, _ bob: UserID, _ group: CommunityID
    ) async throws {
        _ = try await graph.account(ann)
        _ = try await graph.credentials(email: "ann@example.org")
        _ = try await graph.tokenEpoch(ann)
        _ = try await graph.accountIDs(above: nil, limit: 5)
        _ = try await graph.mostFollowed(limit: 5)
        _ = try await graph.follows(ann, bob)
        for direction in [FollowDirection.followers, .following] {
            _ = try await graph.followList(of: ann, direction, below: nil, limit: 5)
        }
        _ = try await graph.mutuals(of: ann, below: nil, limit: 5)
        _ = try await graph.followees(of: ann)
        _ = try await graph.posts([post])
        _ = try await graph.community(group)
        _ = try await graph.membership(of: ann, in: group)
        _ = try await graph.pins(of: group)
        _ = try await graph.deliveryReceipt(of: post, for: ann)
        _ = try await graph.outboxJobs(above: nil, limit: 5)
        _ = try await graph.outboxDepth()
        _ = try await graph.pendingWork(for: ann, posts: [post])
        _ = try await graph.latestChange()
        _ = try await graph.changes(in: 1...5)
        _ = try await graph.setting("name")
        let entry = FeedEntry(position: FeedPosition(rawValue: .max), post: post)
        let reshare = try await graph.reshares(of: post, limit: 1).first?.position ?? .beginning
        let works: [OutboxJob.Work] = [
            .push(post: post, author: ann), .unpush(post: post, author: ann), .unshare(entry: entry, actor: bob),
            .share(entry: FeedEntry(post), actor: ann),
            .share(entry: FeedEntry(position: reshare, post: post), actor: bob), .land(author: ann, since: .beginning),
        ]
        for work in works { _ = try await graph.audience(of: work, past: .start, limit: 5) }
        let early = EarlyMembers(leastFollowers: 0) { [bob] }
        for (posts, limit) in [([post, post], 5), ([post], 1)] {
            let request = PushRequest(posts: posts, author: ann, cursor: .start)
            _ = try await graph.pushAudiences(of: [request], limit: limit, deliveries: 9, early: early)
        }
    }

    private static func readFeeds(
        _ graph: GraphStore, _ post: PostID, _ ann: UserID, _ bob: UserID, _ group: CommunityID
    ) async throws {
        let wide = try await graph.account(username: "wide")?.id ?? UserID(rawValue: 0)
        let topic = TopicID(rawValue: 1)
        let tagged = NewPost(author: bob, caption: "c", mediaURL: "m", category: "c", algorithmTags: ["t"])
        let id = try await graph.publish(tagged).id
        try await graph.reshare(id, by: ann)
        let cat = try await graph.account(username: "cat")?.id ?? ann
        for viewer in [ann, wide, cat] {
            let context = try await graph.viewerContext(of: viewer)
            _ = try await graph.homeRun(of: context, below: .end, limit: 5)
            for name in ["c", "t"] {
                let topics = try await (graph.topics(.category, named: [name]) + graph.topics(.tag, named: [name]))
                    .compactMap(\.self)
                _ = try await graph.filteredRun(of: context, topics: topics, below: .end, budget: 100)
            }
            _ = try await graph.windowEntries(of: viewer, limit: 5)
            _ = try await graph.firstReshare(of: post, for: context)
            _ = try await graph.windowByDefinition(
                of: viewer, from: .beginning, holding: [FeedEntry(position: .end, post: post)])
        }
        _ = try await graph.authorFeed(of: ann, below: nil, limit: 5)
        _ = try await graph.runs(
            of: [
                .actor(ann), .topic(topic), .community(group), .everything,
                .attribute(name: "workoutType", key: "hiit"), .attributed(name: "workoutType"),
            ],
            below: .end, limit: 5)
        _ = try await graph.run(ofAny: [.actor(ann), .everything], below: .end, limit: 5)
        _ = try await graph.fate(of: post)
        _ = try await graph.usernames(of: [ann, bob])
        _ = try await graph.latestPosition()
        _ = try await graph.windowPositions(of: post, for: [ann, wide])
        _ = try await graph.homeByDefinition(of: ann)
    }
}
