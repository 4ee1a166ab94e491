import Database
import GraphAPI
import Privacy
import SocialGraph

extension JSONWriter {
    mutating func mute(_ mute: MuteEntry) {
        beginObject()
        member("userId", id: mute.user.rawValue)
        member("username", mute.username)
        member("posts", mute.kinds.contains(.posts))
        member("reshares", mute.kinds.contains(.reshares))
        member("notifications", mute.kinds.contains(.notifications))
        member("expiresAt", time: mute.expiresAt)
        endObject()
    }

    mutating func mutedWord(_ muted: MutedWord) {
        beginObject()
        member("mutedWordId", id: muted.id)
        member("word", muted.word)
        member("wholeWord", muted.isWhole)
        member("expiresAt", time: muted.expiresAt)
        endObject()
    }

    /// `{items: [{name, inHome}]}`
    mutating func followedTopics(_ topics: [FollowedTopic]) {
        beginObject()
        member("items", listing: topics) { $0.followedTopic($1) }
        endObject()
    }

    mutating func followedTopic(_ topic: FollowedTopic) {
        beginObject()
        member("name", topic.name)
        member("inHome", topic.isInHome)
        endObject()
    }
}
