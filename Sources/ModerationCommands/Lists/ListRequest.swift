import CommandSupport
import StrictJSON

/// A request for a list.
struct ListRequest: Sendable {
    let path: String
    var query: [(String, String?)] = []
}

extension ModerationServer {
    static let pageLimit = 100

    /// Returns the first `count` items from `cursor` on, and the cursor of the next one.
    func items(
        _ request: ListRequest, count: Int, cursor: String? = nil
    ) async throws -> (items: [JSONValue], next: String?) {
        var (items, next) = ([JSONValue](), cursor)
        repeat {
            let limit = String(min(count - items.count, Self.pageLimit))
            let page = try await get(request.path, request.query + [("limit", limit), ("cursor", next)])
            items += page.member("items")?.arrayValue ?? []
            next = page.member("nextCursor")?.stringValue
        } while next != nil && items.count < count
        return (items, next)
    }
}
