import Database
import GraphAPI
import SocialGraph

extension JSONWriter {
    /// `{postId, savedAt}`
    package mutating func save(_ save: SavedPost) {
        beginObject()
        key("postId")
        id(save.post.rawValue)
        key("savedAt")
        timestamp(milliseconds: save.savedAt)
        endObject()
    }

    /// `{collectionId, name, postsCount, createdAt, updatedAt}`
    package mutating func collection(_ collection: PostCollection) {
        beginObject()
        collectionMembers(collection)
        endObject()
    }

    mutating func collectionMembers(_ collection: PostCollection) {
        key("collectionId")
        id(collection.id.rawValue)
        key("name")
        string(collection.name)
        key("postsCount")
        integer(collection.postsCount)
        key("createdAt")
        timestamp(milliseconds: collection.createdAt)
        key("updatedAt")
        timestamp(milliseconds: collection.updatedAt)
    }
}
