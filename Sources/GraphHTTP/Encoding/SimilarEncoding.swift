import Database
import Discovery
import GraphAPI
import SocialGraph
import Timeline

extension JSONWriter {
    package mutating func embedding(_ embedding: PostEmbedding) {
        beginObject()
        member("postId", id: embedding.post.rawValue)
        member("vector", listing: embedding.embedding.components) { $0.number($1) }
        endObject()
    }

    mutating func similar(_ similar: SimilarPage<TimelineItem>, _ details: [ItemDetails]) {
        page(zip(similar.entries, details), next: similar.next?.text) { json, element in
            json.postMembers(element.0.item.post, element.1)
            json.key("similarity")
            json.similarity(element.0.similarity)
            json.endObject()
        }
    }

    /// A similarity from -1 to 1, with six decimals at most: further ones differ by rounding.
    private mutating func similarity(_ value: Float) {
        number((Double(max(-1, min(1, value))) * 1e6).rounded() / 1e6)
    }
}
