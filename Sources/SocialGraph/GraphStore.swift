import Database

/// The social graph and its posts: a store for each topic, over one database. It knows nothing of Redis or HTTP.
package struct GraphStore: Sendable {
    package let database: any GraphDatabase

    package init(database: any GraphDatabase) { self.database = database }

    /// The time at which mutes expire, in milliseconds since 1970.
    package var expiryTime: Int64 { database.expiryTime }

    package var accounts: AccountStore { AccountStore(database: database) }
    package var attributes: AttributeStore { AttributeStore(database: database) }
    package var audiences: AudienceStore { AudienceStore(database: database) }
    package var changes: ChangeStore { ChangeStore(database: database) }
    package var clock: ClockStore { ClockStore(database: database) }
    package var collaborations: CollaborationStore { CollaborationStore(database: database) }
    package var comments: CommentStore { CommentStore(database: database) }
    package var communities: CommunityStore { CommunityStore(database: database) }
    package var deliveries: DeliveryStore { DeliveryStore(database: database) }
    package var engagement: EngagementStore { EngagementStore(database: database) }
    package var erasures: ErasureStore { ErasureStore(database: database) }
    package var feeds: FeedStore { FeedStore(database: database) }
    package var follows: FollowStore { FollowStore(database: database) }
    package var hubs: HubStore { HubStore(database: database) }
    package var joinRequests: JoinRequestStore { JoinRequestStore(database: database) }
    package var likes: LikeStore { LikeStore(database: database) }
    package var media: MediaStore { MediaStore(database: database) }
    package var notifications: NotificationStore { NotificationStore(database: database) }
    package var outbox: OutboxStore { OutboxStore(database: database) }
    package var posts: PostStore { PostStore(database: database) }
    package var blocksAndMutes: BlockAndMuteStore { BlockAndMuteStore(database: database) }
    package var reshares: ReshareStore { ReshareStore(database: database) }
    package var settings: SettingStore { SettingStore(database: database) }
    package var topics: TopicStore { TopicStore(database: database) }
}

/// One page of a keyset-paged list. `next` is nil at the true end only.
package struct Page<Item: Sendable, Cursor: Sendable>: Sendable {
    package let items: [Item]
    package let next: Cursor?

    package init(items: [Item], next: Cursor?) {
        self.items = items
        self.next = next
    }

    /// Makes a page of `limit + 1` rows that were asked for, with the cursor of the next page.
    package init(rows: [Item], limit: Int, cursor: (Item) -> Cursor) {
        items = Array(rows.prefix(limit))
        next = rows.count > limit ? items.last.map(cursor) : nil
    }
}
