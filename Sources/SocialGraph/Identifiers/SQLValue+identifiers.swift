import Database

extension SQLValue {
    package static func user(_ id: UserID) -> SQLValue { .integer(id.rawValue) }
    package static func post(_ id: PostID) -> SQLValue { .integer(id.rawValue) }
    package static func community(_ id: CommunityID) -> SQLValue { .integer(id.rawValue) }
    package static func media(_ id: MediaID) -> SQLValue { .integer(id.rawValue) }
    package static func comment(_ id: CommentID) -> SQLValue { .integer(id.rawValue) }
    package static func topic(_ id: TopicID) -> SQLValue { .integer(id.rawValue) }
    package static func position(_ position: FeedPosition) -> SQLValue { .integer(position.rawValue) }
}
