import Foundation
import GraphAPI
import Hummingbird
import Logging
import SocialGraph

/// Sign-up, log-in and users.
struct AccountRoutes: Sendable {
    let graph: GraphStore
    let passwords: PasswordHasher
    let sessions: SessionIssuer
    let pictures: ProfilePictures
    /// Makes a stored address absolute.
    let publicURL: @Sendable (String) -> String

    /// `POST /v1/auth/signup` {email, password, username, displayName?, profilePicData?} → 201 the new session
    @Sendable func signUp(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        var body = try StrictObject(await request.bodyBytes(upTo: RequestLimits.pictureBodyBytes))
        let signUp = try SignUp(&body)
        try body.end()
        let session = try await self.signUp(signUp, context)
        return .json(.created) { $0.session(session) }
    }

    /// Creates the account and opens its first session.
    ///
    /// - Throws: `GraphError.usernameTaken`, `.emailTaken`; `Problem` 422 `weak_password`, `unsupported_media`.
    func signUp(_ signUp: SignUp, _ context: GraphRequestContext) async throws -> IssuedSession {
        if let picture = signUp.picture { try pictures.check(picture) }
        let hash = try await passwords.hash(signUp.password)
        let account = try await graph.createAccount(
            username: signUp.username, email: signUp.email, passwordHash: hash, displayName: signUp.displayName,
            isNumberedIfTaken: signUp.isNumberedIfTaken)
        if let picture = signUp.picture {
            do {
                var change = ProfileChange()
                change.picture = try await store(picture, of: account.id)
                try await graph.changeProfile(of: account.id, change)
            } catch {
                // The account stands, and its picture can be sent again.
                context.namedLogger.error("a profile picture could not be stored", metadata: ["error": "\(error)"])
            }
        }
        return try await sessions.open(for: account.id)
    }

    /// `POST /v1/auth/login` {email, password} → the new session
    @Sendable func logIn(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        var body = try StrictObject(await request.bodyBytes())
        let email = try body.anyString("email")
        let password = try body.anyString("password")
        try body.end()
        let session = try await logIn(email: email, password: password)
        return .json { $0.session(session) }
    }

    /// Opens a session.
    ///
    /// - Throws: `Problem` 401 `wrong_credentials`.
    func logIn(email: String, password: String) async throws -> IssuedSession {
        let credentials = try await graph.credentials(email: email)
        guard try await passwords.isRight(password, credentials), let credentials else {
            throw BearerToken.wrongCredentials
        }
        return try await sessions.open(for: credentials.id, epoch: credentials.tokenEpoch)
    }

    /// `GET /v1/users/{id}`
    @Sendable func user(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        return try await answer(graph.shownAccount(context.userID()))
    }

    /// `GET /v1/users/by-username/{username}`
    @Sendable func userByName(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let name = context.parameters.get("username")?.removingPercentEncoding ?? ""
        return try await answer(graph.shownAccount(username: name))
    }

    private func answer(_ account: Account?) throws -> Response {
        guard let account else { throw GraphError.accountNotFound }
        return .json { $0.account(account, publicURL) }
    }

    func store(_ picture: [UInt8], of user: UserID) async throws -> ProfileChange.Picture {
        let stored = try await pictures.store(user, picture)
        return .at(url: stored.url, media: stored.id)
    }
}

/// What somebody signs up with.
struct SignUp: Sendable {
    let email: String
    let password: String
    let username: String
    let displayName: String
    let picture: [UInt8]?
    /// Whether a number is put behind a username that is taken: where nobody has chosen it.
    let isNumberedIfTaken: Bool

    /// Takes the fields out of `body`, which may hold more.
    init(_ body: inout StrictObject) throws {
        email = try body.email("email")
        password = try body.anyString("password")
        username = try body.username("username")
        displayName = try body.optionalText("displayName", maxLength: SocialGraphLimits.displayNameLength) ?? ""
        picture = try body.optionalBytes("profilePicData")
        isNumberedIfTaken = false
    }
}

extension PasswordHasher {
    /// Takes the same time for a wrong password, an account without one, and no account.
    func isRight(_ password: String, _ credentials: Credentials?) async throws -> Bool {
        guard let hash = credentials?.passwordHash else {
            try await verifyAgainstNobody(password)
            return false
        }
        return try await verify(password, against: hash)
    }
}
