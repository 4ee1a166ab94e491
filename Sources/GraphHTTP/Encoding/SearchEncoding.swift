import Discovery
import GraphAPI
import Timeline

extension JSONWriter {
    mutating func searchPage(_ page: SearchPage<TimelineItem>, _ details: [ItemDetails]) {
        beginObject()
        member("items", listing: zip(page.items, details)) { $0.post($1.0.post, $1.1) }
        member("nextCursor", page.next?.text)
        member("corrected", page.corrected)
        endObject()
    }
}
