import Database
import Discovery
import Foundation
import SocialGraph
import TestSupport
import Testing

@testable import Discovery

extension SearchHistory {
    /// Runs a random search by a random viewer, with all its pages, and compares it with a scan of all posts.
    mutating func checkSearch(_ comment: String) async throws {
        let viewer = people.filter { !$0.value.isDeleted }.keys.sorted().randomElement(using: &random)!
        let (query, limit) = (question(), Int.random(in: 1...7, using: &random))
        // Searches with many matches walk the index of the most popular posts.
        search.depth = query.words == nil && chance(2) ? 3 : PostSearch.searchedPosts
        let shown = posts.keys.filter { isShown($0, to: viewer) && isMatch($0, query) }
        let expected =
            switch query.sort {
            case .relevance, .recency: shown.sorted(by: >)
            case .popularity: shown.sorted { (popularity($0), $0) > (popularity($1), $1) }
            }
        let note: Comment = "\(comment): \(query), \(limit) a page"
        let found = try await walk(query, viewer, limit: limit, note)
        // A search without matches may have been corrected.
        guard !expected.isEmpty || query.words == nil else { return }
        if query.sort == .relevance {
            #expect(found.sorted(by: >) == expected, note)
            #expect(try await walk(query, viewer, limit: 100, note) == found, note)
        } else {
            #expect(found == expected, note)
        }
    }

    private func walk(
        _ query: PostQuery, _ viewer: UserID, limit: Int, _ note: Comment
    ) async throws -> [PostID] {
        var (found, cursor): ([PostID], SearchCursor?) = ([], nil)
        repeat {
            let page = try #require(try await self.page(query, viewer, cursor: cursor, limit: limit))
            #expect(page.items.count <= limit && (page.next == nil || page.items.count == limit), note)
            if let next = page.next { #expect(SearchCursor(next.text) == next) }
            found += page.items
            cursor = page.next
        } while cursor != nil && found.count <= posts.count
        return found
    }

    func page(
        _ query: PostQuery, _ viewer: UserID, cursor: SearchCursor? = nil, limit: Int
    ) async throws -> SearchPage<PostID>? {
        try await search.page(query, for: viewer, cursor: cursor, limit: limit) { ids in
            ids.map { isShown($0, to: viewer) ? $0 : nil }
        }
    }

    // MARK: Questions

    private mutating func question() -> PostQuery {
        var filter = PostFilter()
        if chance(6) { filter.category = ["FITNESS", "crème", "none"].randomElement(using: &random)! }
        if chance(6) { filter.algorithms = [["hiit"], ["Run", "ÉLAN"], [], ["none"]].randomElement(using: &random)! }
        if chance(5) {
            let (name, text) = [
                ("workoutType", "hiit"), ("cookingTime", "..15"), ("cookingTime", "15..30"), ("equipment", "MAT"),
                ("cookingTime", "20"), ("level", "3"), ("level", "true"), ("level", "1"), ("workoutType", "none"),
            ].randomElement(using: &random)!
            filter.attributes.append(AttributeCondition(name: name, text: text))
        }
        if chance(9) { filter.attributes.append(AttributeCondition(name: "cookingTime", range: 10...(.infinity))) }
        if chance(6) {
            filter.carriesAnyOf = [["workoutType"], ["cuisineType", "cookingTime"], ["none"]]
                .randomElement(using: &random)!
        }
        if chance(6) { filter.duration = DurationClass.allCases.randomElement(using: &random)! }
        if chance(7) { filter.author = people.keys.sorted().randomElement(using: &random)! }
        if chance(9) { filter.community = community }
        let times = posts.values.map(\.createdAt).sorted()
        if chance(8) { filter.since = times.randomElement(using: &random) }
        if chance(8) { filter.until = times.randomElement(using: &random) }
        let words = chance(3) ? nil : self.words()
        let sorts = PostSort.allCases.filter { words != nil || $0 != .relevance }
        return PostQuery(words: words, filter: filter, sort: sorts.randomElement(using: &random)!)
    }

    private mutating func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    private mutating func words() -> String {
        var words = (0..<Int.random(in: 1...2, using: &random)).map { _ in
            (Self.words + Self.names).randomElement(using: &random)!
        }
        if chance(2) {
            words[words.count - 1] = String(words[words.count - 1].prefix(.random(in: 1...4, using: &random)))
        }
        if chance(2) { words = words.map { $0.folding(options: .diacriticInsensitive, locale: nil).uppercased() } }
        return words.joined(separator: [" ", " + ", "\" (^\""].randomElement(using: &random)!)
    }

    // MARK: A plain look

    private func popularity(_ post: PostID) -> Int64 { posts[post]?.popularity ?? 0 }

    private func isMatch(_ post: PostID, _ query: PostQuery) -> Bool {
        guard let item = posts[post] else { return false }
        return meets(item, query.filter) && (query.words.map { has(item, $0) } ?? true)
    }

    private func has(_ item: Item, _ text: String) -> Bool {
        // Independent folding and splitting, so that the code under test does not check itself.
        func words(_ text: String) -> [String] {
            text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
                .split { !$0.isLetter && !$0.isNumber }.map(String.init)
        }
        let authors = item.collaborators.union([item.author]).compactMap { people[$0] }.filter { !$0.isDeleted }
        let said =
            [item.title ?? "", item.caption, item.category ?? ""] + item.tags
            + item.attributes.values.flatMap { value in
                switch value {
                case .text(let text): [text]
                case .list(let entries): entries
                case .number, .flag: [String]()
                }
            }
        let known = Set((said + authors.flatMap { [$0.username, $0.displayName] }).flatMap(words))
        // "and" separates nothing: it is a word like others.
        let asked = words(text)
        guard let last = asked.last else { return false }
        return asked.dropLast().allSatisfy(known.contains) && known.contains { $0.hasPrefix(last) }
    }

    private func meets(_ item: Item, _ filter: PostFilter) -> Bool {
        func same(_ one: String, _ other: String) -> Bool { one.lowercased() == other.lowercased() }
        if let category = filter.category, !(item.category.map { same($0, category) } ?? false) { return false }
        if let tags = filter.algorithms, !tags.contains(where: { tag in item.tags.contains { same($0, tag) } }) {
            return false
        }
        guard filter.attributes.allSatisfy({ $0.matches(item.attributes) }) else { return false }
        if let names = filter.carriesAnyOf, names.allSatisfy({ item.attributes[$0] == nil }) { return false }
        if let duration = filter.duration {
            guard case .number(let seconds)? = item.attributes["duration"] else { return false }
            let bounds: Range<Double> =
                switch duration {
                case .short: 0..<600
                case .medium: 600..<1_800
                case .long: 1_800..<1_000_000
                }
            guard bounds.contains(seconds) else { return false }
        }
        if let author = filter.author, item.author != author, !item.collaborators.contains(author) { return false }
        if let community = filter.community, item.community != community { return false }
        if let since = filter.since, item.createdAt < since { return false }
        if let until = filter.until, item.createdAt >= until { return false }
        return true
    }

    // MARK: The indexes

    /// Each index holds one document for each of those that are there, and what FTS5 derives from it is sound.
    func checkIndexes(_ comment: String) async throws {
        let note: Comment = "\(comment)"
        let documents = try await fixture.documents(in: "post_text")
        #expect(documents == posts.filter { !$0.value.isTakenDown }.keys.sorted().map(\.rawValue), note)
        let accounts = try await fixture.documents(in: "account_text")
        #expect(accounts == people.filter { !$0.value.isDeleted }.keys.sorted().map(\.rawValue), note)
        for index in ["post_text", "account_text"] { try await fixture.checkTextIndex(index) }
    }
}
