import Testing

@testable import SocialGraph

/// Every statement that the graph sends is recorded and explained, so that none can be forgotten.
@Suite(.timeLimit(.minutes(20)))
struct QueryPlanTests {
    @Test
    func `no statement scans or sorts a table`() async throws {
        try await withGraph { fixture in
            let statements = try await Self.allStatements(of: fixture)
            for statement in statements.subtracting(Self.allowed) {
                #expect(try await fixture.planFaults(statement) == [], "\(statement)")
            }
        }
    }

    /// They read one row, or the first or last of an ordering; go through the outbox (which is short) for a gauge, or
    /// through the hubs or the suspended (of whom there are few); or sort a few rows; or are for the verifier.
    private static let allowed: Set<String> = [
        "SELECT seq FROM change ORDER BY seq DESC LIMIT 1",
        "SELECT created_at FROM outbox ORDER BY id LIMIT 1",
        "SELECT COUNT(*) FROM outbox",
        "SELECT viewers FROM outbox WHERE kind IN ('drop', 'build')",
        "SELECT user_id, phase FROM hub",
        GraphStore.anyBlockProbe,
        GraphStore.pulledHubsQuery,
        GraphStore.erasuresQuery,
        GraphStore.suspendedQuery,
        GraphStore.hiddenActorsQuery,
        GraphStore.followersWorkProbe,
        GraphStore.hubCandidatesQuery,
        GraphStore.audienceAuthorsQuery,
        GraphStore.audienceActorsQuery,
        GraphStore.homeDefinition,
        GraphStore.windowDefinition,
        GraphStore.reasonsDefinition,
    ]

    @Test
    func `the statements of every hot path are among those explained`() async throws {
        try await withGraph { fixture in
            let statements = try await Self.allStatements(of: fixture)
            let hot = [
                GraphStore.followProbe, GraphStore.followersQuery, GraphStore.followingQuery, GraphStore.mutualsQuery,
                GraphStore.followeesQuery, GraphStore.audienceQuery, GraphStore.authorFeedQuery,
                GraphStore.postsWalkQuery, GraphStore.resharesWalkQuery, GraphStore.resharesQuery,
                GraphStore.everythingQuery, GraphStore.topicQuery, GraphStore.communityFeedQuery,
                GraphStore.directReachQuery, GraphStore.reshareReachQuery, GraphStore.authorsQuery,
                GraphStore.resharesOfPostQuery, GraphStore.reshareProbe, GraphStore.mutedResharesQuery,
                GraphStore.contextMutesQuery, GraphStore.contextBlocksQuery, GraphStore.contextTopicsQuery,
                GraphStore.contextMembershipsQuery, GraphStore.contextBansQuery, GraphStore.contextSelectionQuery,
                GraphStore.resharesMutersQuery, GraphStore.blockProbe, GraphStore.muteQuery, GraphStore.blocksQuery,
                GraphStore.mutesQuery, GraphStore.sharedPostsQuery, GraphStore.topicProbe, GraphStore.communityQuery,
                GraphStore.jobOfPostQuery, GraphStore.receiptStatement, GraphStore.postQuery, GraphStore.tagsQuery,
                GraphStore.topicsQuery, GraphStore.collaboratorsQuery, GraphStore.topicAuthorsQuery,
                GraphStore.topicResharesQuery,
                GraphStore.attributeQuery, GraphStore.likeProbe, GraphStore.likesOfPostQuery,
                GraphStore.likesByUserQuery, GraphStore.countHourStatement, GraphStore.firstCommentQuery,
                GraphStore.firstShareQuery, GraphStore.otherReshareQuery, GraphStore.countedCommentProbe,
                GraphStore.commentsQuery,
                GraphStore.topLevelCommentsQuery, GraphStore.repliesQuery, GraphStore.commentsByUserQuery,
                GraphStore.notificationMuteProbe, GraphStore.openGroupQuery, GraphStore.actorProbe,
                GraphStore.mentionProbe, GraphStore.maySeeQuery, GraphStore.groupsQuery, GraphStore.openGroupsQuery,
                GraphStore.latestActorsQuery, GraphStore.notificationsQuery, GraphStore.membersQuery,
                GraphStore.moderatorsQuery, GraphStore.requestsQuery, GraphStore.membershipsQuery,
                GraphStore.engagementQuery,
                GraphStore.engagementOfPostQuery, GraphStore.publicTopicsQuery, GraphStore.categorySpellingQuery,
                GraphStore.tagSpellingQuery, GraphStore.rankingQuery, GraphStore.latestRankingQuery,
                GraphStore.businessProbe,
                GraphStore.postsOfMediaQuery, GraphStore.postsOfThumbnailQuery, GraphStore.profilePictureProbe,
                GraphStore.mediaUseQuery, GraphStore.numbersQuery, GraphStore.valueQuery,
                GraphStore.rangeQuery, GraphStore.creationQuery, GraphStore.creationsQuery, GraphStore.popularityQuery,
                GraphStore.popularWalkQuery,
                GraphStore.mostFollowedQuery, TextDocument.postQuery, TextDocument.accountQuery,
                GraphStore.videoQuery, GraphStore.segmentsQuery,
                GraphStore.transcriptQuery, GraphStore.ownSegmentationsQuery,
                GraphStore.embeddingQuery, GraphStore.embeddingsQuery,
                GraphStore.ownEmbeddingsQuery, GraphStore.deleteEmbeddingStatement,
                GraphStore.reachProbe(.device), GraphStore.reachProbe(.webhook), GraphStore.eventProbe,
                GraphStore.waitingProbe, GraphStore.dueEventsQuery, GraphStore.groupQuery, GraphStore.anyReachProbe,
                GraphStore.matchQuery, GraphStore.interestedQuery, GraphStore.newestMatchesQuery,
                GraphStore.dueDeliveriesQuery, GraphStore.takeStatement, GraphStore.resumeStatement,
                GraphStore.deadLettersQuery, GraphStore.deleteDeliveriesStatement, GraphStore.dueRemindersQuery,
                GraphStore.devicesQuery, GraphStore.deviceProbe, GraphStore.webhooksQuery, GraphStore.webhookQuery,
                GraphStore.remindersQuery, GraphStore.pushSettingsQuery, GraphStore.pruneEventsStatement,
                GraphStore.pruneDeadLettersStatement, GraphStore.waitingEventsQuery,
                GraphStore.waitingDeliveriesQuery,
                GraphStore.attributedQuery, GraphStore.watchesByUserQuery,
                GraphStore.watchStatement, GraphStore.seenProbe, GraphStore.recommendationListQuery,
                GraphStore.recommendationListsQuery, GraphStore.knownAddressesQuery, GraphStore.knownAddressProbe,
            ]
            for kind in TasteAct.Kind.allCases {
                #expect(statements.contains(kind.ofUserQuery) && statements.contains(kind.walkQuery), "\(kind)")
            }
            for query in hot { #expect(statements.contains(query), "\(query)") }
            for query in Self.allowed { #expect(statements.contains(query), "\(query)") }
            let parts = [
                "username_key = ?1", "email_key = ?1", "ORDER BY followers_count DESC", "FROM outbox WHERE id > ?1",
                "WHERE user_id = ?1 AND kind = 'refresh'", "DELETE FROM topic_reshare", "FROM community_pin",
            ]
            for part in parts {
                #expect(statements.contains { $0.contains(part) }, "\(part)")
            }
        }
    }

    @Test(arguments: [
        (GraphStore.attributeQuery, "INDEX post_attribute_by_text (name=? AND text_key=? AND post_id<?)"),
        (GraphStore.likesOfPostQuery, "COVERING INDEX post_like_by_post (post_id=? AND id<?)"),
        (GraphStore.topLevelCommentsQuery, "INDEX comment_by_thread (post_id=? AND parent_id=? AND id<?)"),
        (GraphStore.openGroupQuery, "INDEX notification_group_open (user_id=? AND kind=? AND subject=?)"),
        (GraphStore.groupsQuery, "INDEX notification_group_by_user (user_id=? AND latest_id<?)"),
        (GraphStore.actorProbe, "INDEX notification_by_group_actor (group_id=? AND actor_id=?)"),
        (GraphStore.postsWalkQuery, "COVERING INDEX author_post_by_post (post_id<?)"),
        (GraphStore.resharesWalkQuery, "INTEGER PRIMARY KEY (rowid<?)"),
        (GraphStore.resharesQuery, "COVERING INDEX reshare_by_user (user_id=? AND id<?)"),
        (GraphStore.everythingQuery, "INTEGER PRIMARY KEY (rowid<?)"),
        (GraphStore.topicQuery, "PRIMARY KEY (topic_id=? AND post_id<?)"),
        (GraphStore.communityFeedQuery, "INDEX post_by_community (community_id=? AND id<?)"),
        (GraphStore.directReachQuery, "COVERING INDEX author_post_by_post (post_id=?)"),
        (GraphStore.directReachQuery, "SEARCH follow USING PRIMARY KEY (follower_id=? AND followee_id=?)"),
        (GraphStore.reshareReachQuery, "COVERING INDEX reshare_by_post (post_id=?)"),
        (GraphStore.reshareReachQuery, "SEARCH follow USING PRIMARY KEY (follower_id=? AND followee_id=?)"),
        (GraphStore.reshareReachQuery, "SEARCH mute USING PRIMARY KEY (muter_id=? AND muted_id=?)"),
        (GraphStore.resharesOfPostQuery, "COVERING INDEX reshare_by_post (post_id=?)"),
        (GraphStore.reshareProbe, "COVERING INDEX reshare_by_pair (user_id=? AND post_id=?)"),
        (GraphStore.resharesMutersQuery, "INDEX mute_of_reshares (muted_id=? AND reshares=?)"),
        (GraphStore.contextBlocksQuery, "COVERING INDEX block_by_blocked (blocked_id=?)"),
        (GraphStore.contextTopicsQuery, "PRIMARY KEY (user_id=?)"),
        (GraphStore.contextTopicsQuery, "(topic_key=?)"),
        (GraphStore.contextMembershipsQuery, "PRIMARY KEY (user_id=?)"),
        (GraphStore.contextBansQuery, "PRIMARY KEY (user_id=?)"),
        (GraphStore.topicAuthorsQuery, "PRIMARY KEY (topic_id=? AND post_id<?)"),
        (GraphStore.topicAuthorsQuery, "COVERING INDEX author_post_by_post (post_id=?)"),
        (GraphStore.topicResharesQuery, "PRIMARY KEY (topic_id=? AND reshare_id<?)"),
        (GraphStore.postsOfMediaQuery, "INDEX post_by_media (media_id=? AND rowid<?)"),
        (GraphStore.postsOfThumbnailQuery, "INDEX post_by_thumbnail (thumbnail_id=? AND rowid<?)"),
        (GraphStore.profilePictureProbe, "INDEX account_by_picture (picture_id=?)"),
        (GraphStore.mediaUseQuery, "SEARCH m USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        (GraphStore.mediaUseQuery, "SEARCH p USING INDEX post_by_media (media_id=?)"),
        (GraphStore.mediaUseQuery, "SEARCH p USING INDEX post_by_thumbnail (thumbnail_id=?)"),
        (GraphStore.mediaUseQuery, "SEARCH a USING COVERING INDEX account_by_picture (picture_id=?)"),
        (GraphStore.videoQuery, "SEARCH p USING INTEGER PRIMARY KEY (rowid=?)"),
        (GraphStore.segmentsQuery, "INDEX segment_by_post (post_id=?)"),
        (GraphStore.blocksQuery, "COVERING INDEX block_by_position (blocker_id=? AND position<?)"),
        (GraphStore.mutesQuery, "INDEX mute_by_position (muter_id=? AND position<?)"),
        (GraphStore.sharedPostsQuery, "COVERING INDEX post_collaborator_by_user (user_id=?)"),
        (GraphStore.mutualsQuery, "SEARCH b USING PRIMARY KEY (follower_id=? AND followee_id=?)"),
        (GraphStore.authorFeedQuery, "SEARCH author_post USING PRIMARY KEY (author_id=? AND post_id<?)"),
        (GraphStore.audienceQuery, "COVERING INDEX follow_by_followee (followee_id=? AND position>?)"),
        (GraphStore.engagementQuery, "SEARCH engagement_hour USING PRIMARY KEY (hour>? AND hour<?)"),
        (GraphStore.engagementOfPostQuery, "INDEX engagement_hour_by_post (post_id=? AND hour>? AND hour<?)"),
        (GraphStore.publicTopicsQuery, "COVERING INDEX topic_post_by_post (post_id=?)"),
        (GraphStore.dueEventsQuery, "INDEX push_event_by_time (due_at<?)"),
        (GraphStore.waitingProbe, "INDEX push_event_waiting (user_id=? AND channel=?)"),
        (GraphStore.interestedQuery, "COVERING INDEX preference_by_text (name=? AND text_key=? AND user_id>?)"),
        (GraphStore.dueDeliveriesQuery, "INDEX push_delivery_by_time (channel=? AND due_at<?)"),
        (GraphStore.deadLettersQuery, "INDEX push_delivery_by_target (channel=? AND target_id=? AND id<?)"),
        (GraphStore.resumeStatement, "INDEX push_delivery_sending (is_sending=?)"),
        (GraphStore.dueRemindersQuery, "INDEX reminder_by_time (next_at<?)"),
        (GraphStore.latestRankingQuery, "INDEX ranking_by_name (name=?)"),
        (GraphStore.attributedQuery, "COVERING INDEX post_attribute_by_name (name=? AND post_id<?)"),
        (GraphStore.watchesByUserQuery, "INDEX watch_by_user (user_id=? AND id<?)"),
        (GraphStore.seenProbe, "COVERING INDEX saved_post_by_pair (user_id=? AND post_id=?)"),
        (GraphStore.seenProbe, "INDEX watch_by_pair (user_id=? AND post_id=?)"),
        (GraphStore.seenProbe, "PRIMARY KEY (post_id=? AND name=? AND ordinal=?) LEFT-JOIN"),
        (TasteAct.Kind.save.ofUserQuery, "COVERING INDEX saved_post_by_user (user_id=?)"),
        (TasteAct.Kind.watch.ofUserQuery, "INDEX watch_by_user (user_id=?)"),
        (TasteAct.Kind.watch.walkQuery, "INTEGER PRIMARY KEY (rowid<?)"),
        (GraphStore.recommendationListsQuery, "COVERING INDEX recommendation_list_by_user (user_id=?)"),
        (GraphStore.actsQuery(.like), "SEARCH post_like USING INTEGER PRIMARY KEY (rowid>?)"),
        (GraphStore.numbersQuery, "COVERING INDEX post_attribute_by_name (name=? AND post_id<?)"),
        (
            GraphStore.valueQuery,
            "COVERING INDEX post_attribute_by_number (name=? AND kind=? AND number_value=? AND post_id<?)"
        ),
        (
            GraphStore.rangeQuery,
            "COVERING INDEX post_attribute_by_number (name=? AND kind=? AND number_value>? AND number_value<?)"
        ),
        (GraphStore.creationsQuery, "INTEGER PRIMARY KEY (rowid<?)"),
        (GraphStore.popularWalkQuery, "INDEX post_by_popularity (<expr><?)"),
        (GraphStore.mostFollowedQuery, "COVERING INDEX account_by_followers (followers_count>?)"),
        (GraphStore.embeddingsQuery, "SEARCH embedding USING INTEGER PRIMARY KEY (rowid>?)"),
        (GraphStore.ownEmbeddingsQuery, "SEARCH ap USING PRIMARY KEY (author_id=? AND post_id<?)"),
        (GraphStore.ownEmbeddingsQuery, "SEARCH e USING INTEGER PRIMARY KEY (rowid=?)"),
        (GraphStore.followersQuery, "COVERING INDEX follow_by_followee (followee_id=? AND position<?)"),
        (GraphStore.followingQuery, "COVERING INDEX follow_by_follower (follower_id=? AND position<?)"),
    ])
    func `a hot query uses the index that was made for it`(query: String, step: String) async throws {
        try await withGraph { fixture in
            let plan = try await fixture.plan(query)
            #expect(plan.contains { $0.hasPrefix("SEARCH") && $0.hasSuffix(step) }, "\(plan)")
        }
    }

    @Test(arguments: [
        "SELECT id FROM post WHERE caption = ?1",
        "SELECT follower_id FROM follow WHERE position > ?1",
        "SELECT id FROM account WHERE id > ?1 ORDER BY created_at",
        "SELECT DISTINCT author_id FROM post WHERE id < ?1",
        "DELETE FROM outbox WHERE kind = ?1",
    ])
    func `a statement that scans or sorts is noticed`(statement: String) async throws {
        try await withGraph { fixture in
            let faults = try await fixture.planFaults(statement)
            #expect(!faults.isEmpty)
        }
    }

    /// What the graph sends when everything that it can do is done once.
    static func allStatements(of fixture: GraphFixture) async throws -> Set<String> {
        let recorder = RecordingDatabase(fixture.database)
        try await EveryOperation.run(on: GraphStore(database: recorder))
        return recorder.statements
    }
}

extension GraphFixture {
    fileprivate func plan(_ sql: String) async throws -> [String] {
        try await database.read { try $0.rows("EXPLAIN QUERY PLAN " + sql, []) { $0.text(3) } }
    }

    /// The steps that scan without an ordered walk over an index that ends early, or sort.
    fileprivate func planFaults(_ sql: String) async throws -> [String] {
        try await plan(sql).filter { step in
            // The rows of an INSERT; the head of an ordering, for the most followed.
            let isHarmless = step.contains("CONSTANT ROW") || step == "SCAN account USING INDEX account_by_followers"
            return step.hasPrefix("SCAN") && !isHarmless || step.contains("TEMP B-TREE")
        }
    }
}
