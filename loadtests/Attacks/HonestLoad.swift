/// The requests of honest users during an attack: home pages, posts and log-ins, and the health requests of a
/// supervisor.
struct HonestLoad: Workload {
    /// Requests a second, of all kinds together.
    static let perSecond = 112.0

    enum Kind: Int, CaseIterable {
        case home, post, logIn, health

        var name: String {
            switch self {
            case .home: "home"
            case .post: "post"
            case .logIn: "log-in"
            case .health: "health"
            }
        }
    }

    let kinds = Kind.allCases.map(\.name)
    private let readers: [String]
    private let authors: [String]
    private let accounts: [AttackSite.Account]
    private var number = 0

    /// - Parameters:
    ///   - readers: the readers' tokens.
    ///   - authors: the authors' tokens.
    init(readers: [String], authors: [String], accounts: [AttackSite.Account]) {
        self.readers = readers
        self.authors = authors
        self.accounts = accounts
    }

    /// Returns the next request. Each 112 have 4 posts, 1 log-in, 1 health request, and 106 home pages between them.
    mutating func next() -> LoadRequest? {
        defer { number += 1 }
        let round = number / 112
        switch number % 112 {
        case 10, 38, 66, 94:
            return LoadRequest(
                kind: Kind.post.rawValue, "POST", "/v1/posts", token: authors[number % authors.count],
                body: SampleGraph.draftBody(number))
        case 24:
            let account = accounts[round % accounts.count]
            return LoadRequest(
                kind: Kind.logIn.rawValue, "POST", "/v1/auth/login", token: nil, body: account.logInBody)
        case 52: return LoadRequest(kind: Kind.health.rawValue, "GET", "/healthz", token: nil)
        default:
            return LoadRequest(
                kind: Kind.home.rawValue, "GET", "/v1/timelines/home?limit=20", token: readers[number % readers.count])
        }
    }
}
