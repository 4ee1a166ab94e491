import Database
import TestSupport
import Testing

@testable import Discovery
@testable import Privacy
@testable import Push
@testable import SocialGraph

/// Query plans. Every statement that the graph sends is recorded and explained, so that none can be forgotten.
@Suite(.timeLimit(.unit))
struct QueryPlanTests {
    @Test
    func `no statement scans or sorts a table`() async throws {
        try await withGraph { fixture in
            let statements = try await Self.allStatements(of: fixture)
            for statement in statements.subtracting(Self.allowed) {
                let faults = try await fixture.planFaults(statement)
                #expect(faults.isEmpty, "\(faults): \(statement)")
            }
        }
    }

    /// Statements that may scan or sort. They read one row, or the first or last of an ordering; read the whole outbox
    /// (which is short) for a gauge, or all hubs or suspended users (of whom there are few); sort a few rows; read
    /// groups of the log from the oldest on, which the same transaction deletes; or serve the verifier.
    private static let allowed: Set<String> = [
        "SELECT seq FROM change ORDER BY seq DESC LIMIT 1",
        "SELECT created_at FROM outbox ORDER BY id LIMIT 1",
        "SELECT COUNT(*) FROM outbox",
        ChangeStore.cutQuery,
        OutboxStore.listedWorkQuery,
        "SELECT user_id, phase FROM hub",
        BlockAndMuteStore.anyBlockProbe,
        FeedStore.pulledHubsQuery,
        ErasureStore.erasuresQuery, FollowRequestStore.openedAccountsQuery,
        AccountStore.Reader.suspendedQuery,
        NotificationStore.Reader.hiddenActorsQuery,
        OutboxStore.followersWorkProbe,
        HubStore.hubCandidatesQuery,
        AudienceStore.Reader.audienceAuthorsQuery,
        AudienceStore.Reader.audienceActorsQuery,
        FeedStore.homeDefinition,
        FeedStore.windowDefinition,
        FeedStore.reasonsDefinition,
    ]

    @Test
    func `the statements of every hot path are among those explained`() async throws {
        try await withGraph { fixture in
            let statements = try await Self.allStatements(of: fixture)
            for kind in TasteAct.Kind.allCases {
                #expect(statements.contains(kind.ofUserQuery) && statements.contains(kind.walkQuery), "\(kind)")
            }
            for query in Self.hot { #expect(statements.contains(query), "\(query)") }
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
        (FeedStore.Reader.attributeQuery, "INDEX post_attribute_by_text (name=? AND text_key=? AND post_id<?)"),
        (LikeStore.likesOfPostQuery, "COVERING INDEX post_like_by_post (post_id=? AND id<?)"),
        (CommentStore.topLevelCommentsQuery, "INDEX comment_by_thread (post_id=? AND parent_id=? AND id<?)"),
        (NotificationStore.Writer.openGroupQuery, "INDEX notification_group_open (user_id=? AND kind=? AND subject=?)"),
        (NotificationStore.groupsQuery, "INDEX notification_group_by_user (user_id=? AND latest_id<?)"),
        (NotificationStore.Writer.actorProbe, "INDEX notification_by_group_actor (group_id=? AND actor_id=?)"),
        (FeedStore.Reader.postsWalkQuery, "COVERING INDEX author_post_by_post (post_id<?)"),
        (FeedStore.Reader.resharesWalkQuery, "INTEGER PRIMARY KEY (rowid<?)"),
        (FeedStore.Reader.resharesQuery, "COVERING INDEX reshare_by_user (user_id=? AND id<?)"),
        (FeedStore.Reader.everythingQuery, "INTEGER PRIMARY KEY (rowid<?)"),
        (FeedStore.Reader.topicQuery, "PRIMARY KEY (topic_id=? AND post_id<?)"),
        (FeedStore.Reader.communityFeedQuery, "INDEX post_by_community (community_id=? AND id<?)"),
        (FeedStore.directReachQuery, "COVERING INDEX author_post_by_post (post_id=?)"),
        (FeedStore.directReachQuery, "SEARCH follow USING PRIMARY KEY (follower_id=? AND followee_id=?)"),
        (FeedStore.reshareReachQuery, "COVERING INDEX reshare_by_post (post_id=?)"),
        (FeedStore.reshareReachQuery, "SEARCH follow USING PRIMARY KEY (follower_id=? AND followee_id=?)"),
        (FeedStore.reshareReachQuery, "SEARCH mute USING PRIMARY KEY (muter_id=? AND muted_id=?)"),
        (FeedStore.Reader.resharesOfPostQuery, "COVERING INDEX reshare_by_post (post_id=?)"),
        (ReshareStore.Reader.reshareProbe, "COVERING INDEX reshare_by_pair (user_id=? AND post_id=?)"),
        (ReshareStore.Reader.resharerProbe, "SEARCH reshare USING INTEGER PRIMARY KEY (rowid=?)"),
        (AudienceStore.Reader.resharesMutersQuery, "INDEX mute_of_reshares (muted_id=? AND reshares=?)"),
        (FeedStore.Reader.contextBlocksQuery, "COVERING INDEX block_by_blocked (blocked_id=?)"),
        (FeedStore.Reader.contextTopicsQuery, "PRIMARY KEY (user_id=?)"),
        (FeedStore.Reader.contextTopicsQuery, "(topic_key=?)"),
        (FeedStore.Reader.contextMembershipsQuery, "PRIMARY KEY (user_id=?)"),
        (FeedStore.Reader.contextBansQuery, "PRIMARY KEY (user_id=?)"),
        (FeedStore.topicAuthorsQuery, "PRIMARY KEY (topic_id=? AND post_id<?)"),
        (FeedStore.topicAuthorsQuery, "COVERING INDEX author_post_by_post (post_id=?)"),
        (FeedStore.topicResharesQuery, "PRIMARY KEY (topic_id=? AND reshare_id<?)"),
        (MediaStore.postsOfMediaQuery, "INDEX post_by_media (media_id=? AND rowid<?)"),
        (MediaStore.postsOfThumbnailQuery, "INDEX post_by_thumbnail (thumbnail_id=? AND rowid<?)"),
        (MediaStore.profilePictureProbe, "INDEX account_by_picture (picture_id=?)"),
        (MediaStore.mediaUseQuery, "SEARCH m USING INTEGER PRIMARY KEY (rowid>? AND rowid<?)"),
        (MediaStore.mediaUseQuery, "SEARCH p USING INDEX post_by_media (media_id=?)"),
        (MediaStore.mediaUseQuery, "SEARCH p USING INDEX post_by_thumbnail (thumbnail_id=?)"),
        (MediaStore.mediaUseQuery, "SEARCH a USING COVERING INDEX account_by_picture (picture_id=?)"),
        (SegmentStore.videoQuery, "SEARCH p USING INTEGER PRIMARY KEY (rowid=?)"),
        (SegmentStore.Reader.segmentsQuery, "INDEX segment_by_post (post_id=?)"),
        (BlockAndMuteStore.blocksQuery, "COVERING INDEX block_by_position (blocker_id=? AND position<?)"),
        (BlockAndMuteStore.mutesQuery, "INDEX mute_by_position (muter_id=? AND position<?)"),
        (BlockAndMuteStore.Writer.sharedPostsQuery, "COVERING INDEX post_collaborator_by_user (user_id=?)"),
        (FollowStore.mutualsQuery, "SEARCH b USING PRIMARY KEY (follower_id=? AND followee_id=?)"),
        (FeedStore.Reader.authorFeedQuery, "SEARCH author_post USING PRIMARY KEY (author_id=? AND post_id<?)"),
        (AudienceStore.Reader.audienceQuery, "COVERING INDEX follow_by_followee (followee_id=? AND position>?)"),
        (TrendStore.engagementQuery, "SEARCH engagement_hour USING PRIMARY KEY (hour>? AND hour<?)"),
        (TrendStore.engagementOfPostQuery, "INDEX engagement_hour_by_post (post_id=? AND hour>? AND hour<?)"),
        (TrendStore.publicTopicsQuery, "COVERING INDEX topic_post_by_post (post_id=?)"),
        (PushEventStore.dueEventsQuery, "INDEX push_event_by_time (due_at<?)"),
        (PushEventStore.Writer.waitingProbe, "INDEX push_event_waiting (user_id=? AND channel=?)"),
        (PushEventStore.interestedQuery, "COVERING INDEX preference_by_text (name=? AND text_key=? AND user_id>?)"),
        (PushDeliveryStore.dueDeliveriesQuery, "INDEX push_delivery_by_time (channel=? AND due_at<?)"),
        (WebhookStore.deadLettersQuery, "INDEX push_delivery_by_target (channel=? AND target_id=? AND id<?)"),
        (PushDeliveryStore.freeStatement, "INDEX push_delivery_sending (is_sending=?)"),
        (PushSettingStore.dueRemindersQuery, "INDEX reminder_by_time (next_at<?)"),
        (RankingStore.latestRankingQuery, "INDEX ranking_by_name (name=?)"),
        (FeedStore.Reader.attributedQuery, "COVERING INDEX post_attribute_by_name (name=? AND post_id<?)"),
        (WatchStore.watchesByUserQuery, "INDEX watch_by_user (user_id=? AND id<?)"),
        (RecommendationStore.seenProbe, "COVERING INDEX saved_post_by_pair (user_id=? AND post_id=?)"),
        (RecommendationStore.seenProbe, "INDEX watch_by_pair (user_id=? AND post_id=?)"),
        (RecommendationStore.seenProbe, "PRIMARY KEY (post_id=? AND name=? AND ordinal=?) LEFT-JOIN"),
        (TasteAct.Kind.save.ofUserQuery, "COVERING INDEX saved_post_by_user (user_id=?)"),
        (TasteAct.Kind.watch.ofUserQuery, "INDEX watch_by_user (user_id=?)"),
        (TasteAct.Kind.watch.walkQuery, "INTEGER PRIMARY KEY (rowid<?)"),
        (RecommendationStore.recommendationListsQuery, "COVERING INDEX recommendation_list_by_user (user_id=?)"),
        (TrendStore.actsQuery(.like), "SEARCH post_like USING INTEGER PRIMARY KEY (rowid>?)"),
        (PostConditions.numbersQuery, "COVERING INDEX post_attribute_by_name (name=? AND post_id<?)"),
        (
            PostConditions.valueQuery,
            "COVERING INDEX post_attribute_by_number (name=? AND kind=? AND number_value=? AND post_id<?)"
        ),
        (
            PostConditions.rangeQuery,
            "COVERING INDEX post_attribute_by_number (name=? AND kind=? AND number_value>? AND number_value<?)"
        ),
        (SearchStore.Reader.creationsQuery, "INTEGER PRIMARY KEY (rowid<?)"),
        (SearchStore.popularWalkQuery, "INDEX post_by_popularity (<expr><?)"),
        (AccountStore.Reader.mostFollowedQuery, "COVERING INDEX account_by_followers (followers_count>?)"),
        (EmbeddingStore.embeddingsQuery, "SEARCH embedding USING INTEGER PRIMARY KEY (rowid>?)"),
        (EmbeddingStore.ownEmbeddingsQuery, "SEARCH ap USING PRIMARY KEY (author_id=? AND post_id<?)"),
        (EmbeddingStore.ownEmbeddingsQuery, "SEARCH e USING INTEGER PRIMARY KEY (rowid=?)"),
        (HubStore.Reader.hubsAmongQuery.statements[1], "INTEGER PRIMARY KEY (rowid=?)"),
        (
            AudienceStore.Reader.followersAmongQuery.statements[1],
            "SEARCH follow USING PRIMARY KEY (follower_id=? AND followee_id=?)"
        ),
        (FeedStore.Reader.communitiesOfPosts.statements[1], "INTEGER PRIMARY KEY (rowid=?)"),
        (FeedStore.Reader.topicsOfPosts.statements[1], "COVERING INDEX topic_post_by_post (post_id=?)"),
        (FollowStore.followersQuery, "COVERING INDEX follow_by_followee (followee_id=? AND position<?)"),
        (FollowStore.followingQuery, "COVERING INDEX follow_by_follower (follower_id=? AND position<?)"),
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

    /// The statements of a graph when every operation runs once.
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

    /// The steps that sort, or that scan without an ordered walk over an index that ends early.
    fileprivate func planFaults(_ sql: String) async throws -> [String] {
        try await plan(sql).filter { step in
            // The rows of an INSERT, and the head of the ordering by followers.
            var isHarmless = step.contains("CONSTANT ROW") || step == "SCAN account USING INDEX account_by_followers"
            // SQLite plans a look at the posts of each of several new accounts, which it skips (`OP_FkIfZero`) because
            // no row that refers to a missing account is counted.
            isHarmless = isHarmless || (step == "SCAN post" && sql.hasPrefix("INSERT INTO account (id, username,"))
            // At most one row more than an app webhook keeps.
            isHarmless = isHarmless || (step == "SCAN newest" && sql.hasPrefix("DELETE FROM app_webhook_letter"))
            return step.hasPrefix("SCAN") && !isHarmless || step.contains("TEMP B-TREE")
        }
    }
}
