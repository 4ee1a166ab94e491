import Database
import GraphAPI
import Saves
import SocialGraph

extension JSONWriter {
    /// `{postId, savedAt}`
    package mutating func save(_ save: SavedPost) {
        beginObject()
        member("postId", id: save.post.rawValue)
        member("savedAt", time: save.savedAt)
        endObject()
    }

    /// `{collectionId, name, postsCount, createdAt, updatedAt}`
    package mutating func collection(_ collection: PostCollection) {
        beginObject()
        collectionMembers(collection)
        endObject()
    }

    mutating func collectionMembers(_ collection: PostCollection) {
        member("collectionId", id: collection.id.rawValue)
        member("name", collection.name)
        member("postsCount", collection.postsCount)
        member("createdAt", time: collection.createdAt)
        member("updatedAt", time: collection.updatedAt)
    }
}
