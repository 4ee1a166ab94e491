import Foundation
import GraphAPI
import Hummingbird
import SocialGraph

/// Sign-up, log-in and users.
struct AccountRoutes: Sendable {
    let graph: GraphStore
    let passwords: PasswordHasher
    let tokens: TokenIssuer
    let tokenLifetime: Duration

    /// `POST /v1/auth/signup` {email, password, username} → 201 {userId, token, expiresAt}
    @Sendable func signUp(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        var body = try StrictObject(await request.bodyBytes())
        let email = try body.email("email")
        let password = try body.anyString("password")
        let username = try body.username("username")
        try body.end()
        let hash = try await passwords.hash(password)
        let account = try await graph.createAccount(username: username, email: email, passwordHash: hash)
        let session = try await tokens.issue(userID: account.id.rawValue, lifetime: tokenLifetime)
        return .json(.created) { $0.session(account.id, session) }
    }

    /// `POST /v1/auth/login` {email, password} → {userId, token, expiresAt}
    @Sendable func logIn(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        var body = try StrictObject(await request.bodyBytes())
        let email = try body.anyString("email")
        let password = try body.anyString("password")
        try body.end()
        let credentials = try await graph.credentials(email: email)
        guard try await isRight(password, credentials), let credentials else {
            throw BearerToken.problem(.wrongCredentials, "The email address or the password is wrong.")
        }
        let session = try await tokens.issue(
            userID: credentials.id.rawValue, epoch: Int(credentials.tokenEpoch), lifetime: tokenLifetime)
        return .json { $0.session(credentials.id, session) }
    }

    /// Takes the same time for a wrong password, an account without one, and, through `verifyAgainstNobody`, no
    /// account.
    private func isRight(_ password: String, _ credentials: Credentials?) async throws -> Bool {
        guard let hash = credentials?.passwordHash else {
            try await passwords.verifyAgainstNobody(password)
            return false
        }
        return try await passwords.verify(password, against: hash)
    }

    /// `GET /v1/me`
    @Sendable func me(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        return try await ownAccount(context.requireCaller())
    }

    /// `PATCH /v1/me` {selectedAlgorithms?, homeTopics?, homeCommunities?} → the account as `GET /v1/me` shows it
    @Sendable func changeMe(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        var body = try StrictObject(await request.bodyBytes())
        let algorithms = try body.optionalStrings(
            "selectedAlgorithms", maxCount: SocialGraphLimits.filterTags, maxLength: SocialGraphLimits.tagLength)
        let topics = try body.optionalBool("homeTopics")
        let communities = try body.optionalBool("homeCommunities")
        try body.end()
        if algorithms != nil || topics != nil || communities != nil {
            try await graph.setPreferences(
                of: caller, algorithms: algorithms, topics: topics, communities: communities)
        }
        return try await ownAccount(caller)
    }

    /// `GET /v1/users/{id}`
    @Sendable func user(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        return try await answer(graph.account(context.userID()))
    }

    /// `GET /v1/users/by-username/{username}`
    @Sendable func userByName(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let name = context.parameters.get("username")?.removingPercentEncoding ?? ""
        return try await answer(graph.account(username: name))
    }

    private func answer(_ account: Account?) throws -> Response {
        guard let account else { throw GraphError.accountNotFound }
        return .json { $0.account(account) }
    }

    private func ownAccount(_ user: UserID) async throws -> Response {
        guard let account = try await graph.account(user) else { throw GraphError.accountNotFound }
        let preferences = Preferences(
            selectedAlgorithms: try await graph.selectedAlgorithms(of: user),
            home: try await graph.homeSwitches(of: user))
        return .json { $0.ownAccount(account, preferences) }
    }
}
