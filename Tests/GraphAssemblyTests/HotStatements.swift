@testable import Audit
@testable import Discovery
@testable import MediaJobs
@testable import Privacy
@testable import Push
@testable import Sessions
@testable import SocialGraph
import Database
import Moderation

extension QueryPlanTests {
    /// Statements of hot paths: those of requests, jobs and pages.
    static let hot = [
        AuditStore.entriesQuery, AuditStore.entriesOfActionQuery, AuditStore.entriesOfActorQuery,
        AuditStore.entriesOfSubjectQuery,
        FollowStore.Reader.followProbe, FollowStore.followersQuery, FollowStore.followingQuery,
        FollowStore.mutualsQuery, FollowStore.Reader.requestProbe, FollowRequestStore.requestsQuery,
        FollowRequestStore.sentRequestsQuery, FeedStore.Reader.contextWordsQuery, MutedWordStore.wordsQuery,
        FollowRequestStore.oldestRequestsQuery,
        FollowStore.Reader.followeesQuery, AudienceStore.Reader.audienceQuery, FeedStore.Reader.authorFeedQuery,
        FeedStore.Reader.postsWalkQuery, FeedStore.Reader.resharesWalkQuery, FeedStore.Reader.resharesQuery,
        FeedStore.Reader.everythingQuery, FeedStore.Reader.topicQuery, FeedStore.Reader.communityFeedQuery,
        FeedStore.directReachQuery, FeedStore.reshareReachQuery, PostStore.Reader.authorsQuery,
        FeedStore.Reader.resharesOfPostQuery, ReshareStore.Reader.reshareProbe, ReshareStore.Reader.resharerProbe,
        FeedStore.Reader.mutedResharesQuery,
        FeedStore.Reader.contextMutesQuery, FeedStore.Reader.contextBlocksQuery, FeedStore.Reader.contextTopicsQuery,
        FeedStore.Reader.contextMembershipsQuery, FeedStore.Reader.contextBansQuery,
        FeedStore.Reader.contextSelectionQuery, AudienceStore.Reader.resharesMutersQuery, BlockAndMuteStore.blockProbe,
        BlockAndMuteStore.blockBetweenProbe,
        BlockAndMuteStore.muteQuery, BlockAndMuteStore.blocksQuery, BlockAndMuteStore.mutesQuery,
        BlockAndMuteStore.Writer.sharedPostsQuery, TopicStore.topicProbe, CommunityStore.Reader.communityQuery,
        DeliveryStore.Reader.jobOfPostQuery, DeliveryStore.receipts.statements[0],
        PostStore.Reader.livePosts.statements[0],
        PostPart.tagsOfPosts.statements[0], PostPart.topicsOfPosts.statements[0],
        PostPart.collaboratorsOfPosts.statements[0], AttributeStore.Reader.attributesOfPosts.statements[0],
        BlockAndMuteStore.blocksAmongQuery.statements[1], PostStore.Reader.tagsQuery,
        FeedStore.topicAuthorsQuery, FeedStore.topicResharesQuery, FeedStore.Reader.attributeQuery,
        LikeStore.likeProbe, LikeStore.likesOfPostQuery, LikeStore.likesByUserQuery,
        EngagementStore.Writer.countHourStatement, EngagementStore.Reader.firstCommentQuery,
        EngagementStore.Reader.firstShareQuery, EngagementStore.Reader.otherReshareQuery,
        EngagementStore.countedCommentProbe, CommentStore.commentsQuery, CommentStore.topLevelCommentsQuery,
        CommentStore.repliesQuery, CommentStore.commentsByUserQuery, NotificationStore.Writer.notificationMuteProbe,
        NotificationStore.Writer.openGroupQuery, NotificationStore.Writer.actorProbe,
        NotificationStore.Writer.mentionProbe, NotificationStore.Writer.maySeeQuery, NotificationStore.groupsQuery,
        NotificationStore.openGroupsQuery, NotificationStore.Reader.latestActorsQuery,
        NotificationStore.notificationsQuery, CommunityStore.membersQuery, CommunityStore.moderatorsQuery,
        JoinRequestStore.requestsQuery, CommunityStore.membershipsQuery, TrendStore.engagementQuery,
        TrendStore.engagementOfPostQuery, TrendStore.publicTopicsQuery, TrendStore.categorySpellingQuery,
        TrendStore.tagSpellingQuery, RankingStore.rankingQuery, RankingStore.latestRankingQuery,
        AccountStore.businessProbe, MediaStore.postsOfMediaQuery, MediaStore.postsOfThumbnailQuery,
        MediaStore.profilePictureProbe, MediaStore.mediaUseQuery, MediaJobStore.jobQuery,
        MediaJobStore.takenProbe, MediaJobStore.freeStatement, MediaJobStore.takeStatement,
        MediaJobStore.readyStatement, PostConditions.numbersQuery,
        PostConditions.valueQuery, PostConditions.rangeQuery, SearchStore.Reader.creationQuery,
        SearchStore.Reader.creationsQuery, SearchStore.popularityQuery, SearchStore.popularWalkQuery,
        AccountStore.Reader.mostFollowedQuery, TextDocument.postQuery, TextDocument.attributesQuery,
        TextDocument.accountQuery,
        SegmentStore.videoQuery, SegmentStore.Reader.segmentsQuery, SegmentStore.transcriptQuery,
        SegmentStore.ownSegmentationsQuery, EmbeddingStore.Reader.embeddingQuery, EmbeddingStore.embeddingsQuery,
        EmbeddingStore.ownEmbeddingsQuery, EmbeddingStore.deleteEmbeddingStatement,
        PushEventStore.Writer.reachProbe(.device), PushEventStore.Writer.reachProbe(.webhook),
        PushEventStore.Writer.eventProbe, PushEventStore.Writer.waitingProbe, PushEventStore.dueEventsQuery,
        PushEventStore.groupQuery, PushEventStore.Writer.matchProbe.sql, PushEventStore.matchQuery,
        PushEventStore.interestedQuery, PushEventStore.newestMatchesQuery, PushDeliveryStore.dueDeliveriesQuery,
        PushDeliveryStore.takeStatement, PushDeliveryStore.freeStatement, WebhookStore.deadLettersQuery,
        DeviceStore.Writer.deleteDeliveriesStatement, PushSettingStore.dueRemindersQuery,
        DeviceStore.Reader.devicesQuery, DeviceStore.deviceProbe, WebhookStore.Reader.webhooksQuery,
        WebhookStore.webhookQuery, PushSettingStore.remindersQuery, PushSettingStore.pushSettingsQuery,
        PushEventStore.pruneEventsStatement, PushEventStore.pruneDeadLettersStatement,
        PushDeliveryStore.waitingEventsQuery, PushDeliveryStore.waitingDeliveriesQuery,
        FeedStore.Reader.attributedQuery, WatchStore.watchesByUserQuery, WatchStore.watchStatement,
        RecommendationStore.seenProbe, RecommendationStore.recommendationListQuery,
        RecommendationStore.recommendationListsQuery, SessionStore.knownAddressesQuery,
        SessionStore.knownAddressProbe,
        AccountTokenStore.ownerQuery, AccountTokenStore.Reader.tokenQuery, MailQueueStore.dueQuery,
        MailQueueStore.takeStatement, MailQueueStore.freeStatement, MailQueueStore.backlogQuery,
        MailQueueStore.Writer.countStatement,
    ]
}
