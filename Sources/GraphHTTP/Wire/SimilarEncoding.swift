import Database
import Discovery
import GraphAPI
import SocialGraph
import Timeline

extension JSONWriter {
    package mutating func embedding(_ embedding: PostEmbedding) {
        beginObject()
        key("postId")
        id(embedding.post.rawValue)
        key("vector")
        beginArray()
        for component in embedding.embedding.components { number(component) }
        endArray()
        endObject()
    }

    mutating func similar(_ page: SimilarPage<TimelineItem>) {
        beginObject()
        key("items")
        beginArray()
        for entry in page.entries {
            postMembers(entry.item.post)
            key("similarity")
            similarity(entry.similarity)
            endObject()
        }
        endArray()
        key("nextCursor")
        string(page.next?.text)
        endObject()
    }

    /// From -1 to 1, with six decimals at most: further ones differ by rounding.
    private mutating func similarity(_ value: Float) {
        number((Double(max(-1, min(1, value))) * 1e6).rounded() / 1e6)
    }
}
