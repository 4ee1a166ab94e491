import SocialGraph
import Text

/// The mapping of the authors in a file to users.
enum AuthorMapping: Sendable {
    /// The file holds usernames.
    case usernames
    /// The first author in the file is the most followed user, the second the next one, and so on.
    case rank
    /// Texts of the file, and their usernames.
    case map([String: String])
}

/// Finds the users of author values and remembers them.
struct PostAuthors {
    private let graph: GraphStore
    private let mapping: AuthorMapping
    private var known: [String: Result<UserID, LineProblem>] = [:]
    /// The most followed users that are not yet assigned to an author.
    private var ranked: [UserID] = []
    private var given: Set<UserID> = []

    init(graph: GraphStore, mapping: AuthorMapping) {
        self.graph = graph
        self.mapping = mapping
    }

    /// Number of authors found.
    var count: Int {
        known.values.count { if case .success = $0 { true } else { false } }
    }

    /// Returns the user of an author, or a failure if there is none.
    mutating func user(_ value: String) async throws -> Result<UserID, LineProblem> {
        if let result = known[value] { return result }
        let result = try await find(value)
        known[value] = result
        return result
    }

    private mutating func find(_ value: String) async throws -> Result<UserID, LineProblem> {
        switch mapping {
        case .usernames: return try await account(value)
        case .rank: return try await nextRanked()
        case .map(let usernames):
            if let username = usernames[value] { return try await account(username) }
            return .failure(
                LineProblem(
                    "the author \"\(value.echoed)\" is not in the map", "the map must name a user for each author"))
        }
    }

    private func account(_ username: String) async throws -> Result<UserID, LineProblem> {
        if let account = try await graph.accounts.account(username: username) { return .success(account.id) }
        return .failure(
            LineProblem("there is no user \"\(username.echoed)\"", "authors must be users of the graph"))
    }

    private mutating func nextRanked() async throws -> Result<UserID, LineProblem> {
        if ranked.isEmpty {
            // Twice as many each time, so that all authors together cost two passes at most.
            let top = try await graph.accounts.mostFollowed(limit: max(1_000, given.count * 2))
            ranked = top.map(\.id).filter { !given.contains($0) }.reversed()
        }
        guard let next = ranked.popLast() else {
            return .failure(
                LineProblem("the file has more authors than the graph has users", "import follows first"))
        }
        given.insert(next)
        return .success(next)
    }
}
