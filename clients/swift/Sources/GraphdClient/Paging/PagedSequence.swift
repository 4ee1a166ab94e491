/// One page of a list.
struct Page<Item: Sendable>: Sendable {
    let items: [Item]
    /// The cursor of the next page; nil at the end. A page may be short, or empty, and still have one.
    let nextCursor: String?
}

/// The items of a list, whose pages are read as a loop asks for them.
public struct PagedSequence<Element: Sendable>: AsyncSequence, Sendable {
    typealias Fetch = @Sendable (_ cursor: String?) async throws -> Page<Element>

    private let fetch: Fetch

    init(_ fetch: @escaping Fetch) {
        self.fetch = fetch
    }

    public func makeAsyncIterator() -> Iterator { Iterator(fetch: fetch) }

    public struct Iterator: AsyncIteratorProtocol {
        let fetch: Fetch
        private var items: ArraySlice<Element> = []
        private var cursor: String?
        private var hasMore = true
        private var cycle = CycleDetector()

        init(fetch: @escaping Fetch) {
            self.fetch = fetch
        }

        /// - Throws: `ClientError.repeatedCursor` if the server leads in a circle, and the errors of the list's method.
        public mutating func next() async throws -> Element? {
            while items.isEmpty, hasMore {
                let page = try await fetch(cursor)
                items = page.items[...]
                cursor = page.nextCursor
                hasMore = cursor != nil
                if let cursor, cycle.closes(with: cursor) { throw ClientError.repeatedCursor }
            }
            return items.popFirst()
        }
    }
}

/// Finds a circle in a row of cursors with one of them in memory, by Brent's method.
struct CycleDetector {
    private var mark: String?
    private var (steps, limit) = (0, 1)

    /// Returns true if the cursor is the one that was marked.
    mutating func closes(with cursor: String) -> Bool {
        if cursor == mark { return true }
        steps += 1
        if steps == limit {
            mark = cursor
            steps = 0
            limit *= 2
        }
        return false
    }
}
