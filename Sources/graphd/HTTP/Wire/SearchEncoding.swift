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

    /// `{items: […]}`; `item` writes one.
    mutating func items<Item>(_ items: [Item], item: (inout JSONWriter, Item) -> Void) {
        beginObject()
        key("items")
        beginArray()
        for element in items { item(&self, element) }
        endArray()
        endObject()
    }
}
