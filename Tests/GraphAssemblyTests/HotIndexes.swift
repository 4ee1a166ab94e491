import Database

@testable import Discovery
@testable import MediaJobs
@testable import Moderation
@testable import Push
@testable import Sessions
@testable import SocialGraph

extension QueryPlanTests {
    /// Queries of hot paths, and the step of SQLite's plan that uses the index made for the query.
    static let hotIndexes: [(query: String, step: String)] = [
        (FeedStore.Reader.attributeQuery, "INDEX post_attribute_by_text (name=? AND text_key=? AND post_id<?)"),
        (LikeStore.likesOfPostQuery, "COVERING INDEX post_like_by_post (post_id=? AND id<?)"),
        (CommentStore.topLevelCommentsQuery, "INDEX comment_by_thread (post_id=? AND id<?)"),
        (CommentStore.repliesQuery, "INDEX comment_by_parent (parent_id=? AND rowid<?)"),
        (NotificationStore.Writer.openGroupQuery, "INDEX notification_group_open (user_id=? AND kind=? AND subject=?)"),
        (NotificationStore.groupsQuery, "INDEX notification_group_by_user (user_id=? AND latest_id<?)"),
        (NotificationStore.Writer.actorProbe, "INDEX notification_by_group_actor (group_id=? AND actor_id=?)"),
        (NotificationStore.Writer.nextQuery, "SEARCH notification USING INTEGER PRIMARY KEY (rowid>?)"),
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
        (RenditionStore.Writer.postsQuery, "INDEX post_by_media (media_id=? AND rowid<?)"),
        (MediaJobStore.dueQuery, "INDEX media_job_open (turn>?)"),
        (MediaJobStore.backlogQuery, "COVERING INDEX media_job_by_time (due_at>?)"),
        (MediaJobStore.takenProbe, "COVERING INDEX media_job_of_worker (worker=?)"),
        (MediaJobUpkeep.statements[1], "INDEX media_job_by_poster (poster_id=?)"),
        (
            QueueStore.Reader.heldCommentsInQuery,
            "SEARCH q USING COVERING INDEX held_comment_by_community (community_id=? AND comment_id>?)"
        ),
        (QueueStore.Reader.heldCommentsInQuery, "SEARCH h USING INTEGER PRIMARY KEY (rowid=?)"),
        (
            ModerationQueryStore.Reader.heldInQueries[1],
            "SEARCH held_comment USING COVERING INDEX held_comment_by_community (community_id=?)"
        ),
        (ServiceTokenStore.tokenQuery, "INDEX service_token_by_digest (digest=?)"),
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
        (
            PushDeliveryStore.dueDeliveriesQuery,
            "INDEX push_delivery_by_time (channel=? AND due_at>? AND due_at<?)"
        ),
        (PushDeliveryStore.Reader.undeliveredProbe, "INDEX push_delivery_by_target (channel=? AND target_id=?)"),
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
    ]
}
