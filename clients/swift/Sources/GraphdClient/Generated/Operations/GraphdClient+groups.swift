// Written by tools/generate-client from docs/openapi.yaml. Change these, not this file.

extension GraphdClient {
    /// Sign-up, log-in and users.
    public var accounts: AccountsAPI { AccountsAPI(client: self) }
    /// Follows.
    public var follows: FollowsAPI { FollowsAPI(client: self) }
    /// Blocks and mutes.
    public var relations: RelationsAPI { RelationsAPI(client: self) }
    /// Followed categories and tags.
    public var topics: TopicsAPI { TopicsAPI(client: self) }
    /// Users.
    public var users: UsersAPI { UsersAPI(client: self) }
    /// Posts, reshares and collaborations.
    public var posts: PostsAPI { PostsAPI(client: self) }
    /// Segments and transcripts of videos.
    public var segments: SegmentsAPI { SegmentsAPI(client: self) }
    /// Comments and replies.
    public var comments: CommentsAPI { CommentsAPI(client: self) }
    /// Notifications.
    public var notifications: NotificationsAPI { NotificationsAPI(client: self) }
    /// Communities and their members.
    public var communities: CommunitiesAPI { CommunitiesAPI(client: self) }
    /// Timelines.
    public var timelines: TimelinesAPI { TimelinesAPI(client: self) }
    /// Search for posts, users and communities.
    public var search: SearchAPI { SearchAPI(client: self) }
    /// Stored videos and pictures.
    public var media: MediaAPI { MediaAPI(client: self) }
    /// Health and metrics, for operators and load balancers.
    public var operations: OperationsAPI { OperationsAPI(client: self) }
    /// Saved posts and collections.
    public var saves: SavesAPI { SavesAPI(client: self) }
    /// Product API of VistaVid.
    public var vistavid: VistaVidAPI { VistaVidAPI(client: self) }
    /// Product API of the social app.
    public var social: SocialAPI { SocialAPI(client: self) }
    /// Product API of FitStream.
    public var fitstream: FitStreamAPI { FitStreamAPI(client: self) }
    /// Product API of ReelAI.
    public var reelai: ReelAIAPI { ReelAIAPI(client: self) }
    /// Product API of FitFocus.
    public var fitfocus: FitFocusAPI { FitFocusAPI(client: self) }
    /// Push messages: devices, webhooks and reminders.
    public var push: PushAPI { PushAPI(client: self) }
    /// Moderation and reports.
    public var moderation: ModerationAPI { ModerationAPI(client: self) }
}
