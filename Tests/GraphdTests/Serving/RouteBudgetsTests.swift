import HTTPTypes
import TestSupport
import Testing

@testable import GraphHTTP
@testable import GraphServices

/// Budgets of routes: every route that writes has one, and the table names only existing routes.
@Suite(.timeLimit(.unit))
struct RouteBudgetsTests {
    private func routes() throws -> [(method: HTTPRequest.Method, path: String)] {
        try APIDescription.registered().map { operation in
            (try #require(HTTPRequest.Method(rawValue: operation.method)), operation.path)
        }
    }

    @Test func `every route that changes something has a row`() throws {
        let writes = try routes().filter { $0.method != .get }
        #expect(writes.count > 100)
        for (method, path) in writes {
            #expect(RouteBudgets.lists(method, path), "\(method) \(path) has no budget in RouteBudgets")
        }
    }

    @Test func `every row is a route and every budget is spent somewhere`() throws {
        let routes = Set(try routes().map { "\($0.method) \($0.path)" })
        #expect(Set(RouteBudgets.rows).subtracting(routes) == [])
        #expect(RouteBudgets.rows.count == Set(RouteBudgets.rows).count)
        let spent = Set(
            try self.routes().compactMap { RouteBudgets.budget(of: $0.method, at: $0.path) })
        #expect(
            Set(RateBudget.allCases).subtracting(spent) == [
                .requests, .wrongPasswords, .wrongCodes, .moderationSubjects,
            ])
    }

    @Test func `reads that are unlimited are the rest`() throws {
        let limited = try routes().filter { $0.method == .get && RouteBudgets.lists($0.method, $0.path) }.map(\.path)
        #expect(
            Set(limited) == [
                "/v1/me/export", "/v1/search/posts", "/v1/search/users", "/v1/search/communities",
                "/v1/timelines/for-you", "/v1/moderation/modlog/verify", "/v1/moderation/queue",
                "/v1/moderation/communities", "/fitstream/videos", "/reelai/videos", "/fitfocus/videos",
                "/fitstream/search/videos", "/reelai/search/videos", "/fitfocus/search/videos",
                "/vistavid/communities", "/fitstream/ai/recommendations", "/reelai/getPersonalizedFeed",
                "/fitfocus/recommendations",
            ])
    }

    @Test func `every limit has a row in the document`() throws {
        let document = try APIDescription.source("docs/limits.md")
        for budget in RateBudget.allCases {
            #expect(document.contains("\n| `\(budget.rawValue)` | "), "\(budget) is not in docs/limits.md")
            guard let rate = budget.standard else { continue }
            let row = document.split(separator: "\n").first { $0.hasPrefix("| `\(budget.rawValue)` | ") } ?? ""
            #expect(row.contains("| \(rate.count) in \(rate.seconds / 60)m |"), "\(row)")
        }
        for budget in SlotBudget.allCases {
            let limit = budget.limit
            var shares = limit.perHolder == limit.perAddress ? [] : ["\(limit.perHolder) a user"]
            if limit.perAddress != .max { shares.append("\(limit.perAddress) an address") }
            let limits = "| \(shares.joined(separator: ", ")) | \(limit.total.withCommas) |"
            #expect(document.contains(limits), "\(budget) is not in docs/limits.md")
        }
    }
}

extension Int {
    fileprivate var withCommas: String {
        self < 1_000 ? String(self) : "\(self / 1_000)," + String(String(self % 1_000 + 1_000).dropFirst())
    }
}
