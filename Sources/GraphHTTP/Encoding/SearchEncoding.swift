import Discovery
import GraphAPI
import Timeline

extension JSONWriter {
    mutating func searchPage(_ page: SearchPage<TimelineItem>) {
        beginObject()
        member("items", listing: page.items) { $0.post($1.post) }
        member("nextCursor", page.next?.text)
        member("corrected", page.corrected)
        endObject()
    }
}
