import Discovery
import GraphAPI
import Timeline

extension JSONWriter {
    mutating func searchPage(_ page: SearchPage<TimelineItem>) {
        beginObject()
        key("items")
        beginArray()
        for item in page.items { post(item.post) }
        endArray()
        key("nextCursor")
        string(page.next?.text)
        key("corrected")
        string(page.corrected)
        endObject()
    }
}
