import Database
import GraphAPI
import SocialGraph

extension JSONWriter {
    mutating func mute(_ mute: MuteEntry) {
        beginObject()
        key("userId")
        id(mute.user.rawValue)
        key("username")
        string(mute.username)
        key("posts")
        bool(mute.kinds.contains(.posts))
        key("reshares")
        bool(mute.kinds.contains(.reshares))
        key("notifications")
        bool(mute.kinds.contains(.notifications))
        endObject()
    }

    /// `{items: [{name, inHome}]}`
    mutating func followedTopics(_ topics: [FollowedTopic]) {
        beginObject()
        key("items")
        beginArray()
        for topic in topics { followedTopic(topic) }
        endArray()
        endObject()
    }

    mutating func followedTopic(_ topic: FollowedTopic) {
        beginObject()
        key("name")
        string(topic.name)
        key("inHome")
        bool(topic.isInHome)
        endObject()
    }
}
