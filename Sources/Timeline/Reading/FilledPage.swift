import Database
import SocialGraph

extension Page where Cursor == Int64 {
    /// Fills a page from a list with hidden rows. `shown` maps each row, to nil if it is hidden. `next` is nil only at
    /// the true end. The page ends before it is full only if the request has examined the maximum number of rows.
    static func filled<Row>(
        below cursor: Int64?, limit: Int, place: (Row) -> Int64,
        read: (Int64?, Int) async throws -> [Row], shown: ([Row]) async throws -> [Item?]
    ) async throws -> Page {
        var items: [(place: Int64, item: Item)] = []
        var cursor = cursor
        var (examined, size) = (0, limit + 1)
        while items.count <= limit {
            let count = max(limit + 1 - items.count, size)
            size = min(size * 2, PageAssembly.candidatesAtOnce)
            let found = try await read(cursor, count)
            for (row, item) in zip(found, try await shown(found)) {
                if let item { items.append((place(row), item)) }
            }
            guard found.count == count, let last = found.last else {
                cursor = nil
                break
            }
            cursor = place(last)
            examined += found.count
            if examined >= SocialGraphLimits.examinedRows { break }
            try ClientPresence.check()
        }
        let shown = items.prefix(limit)
        return Page(items: shown.map(\.item), next: items.count > limit ? shown.last?.place : cursor)
    }
}
