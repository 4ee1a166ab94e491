import Foundation
import GraphAPI
import GraphServices
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
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
        var body = try StrictObject(await signUpBody(of: request, context))
        let signUp = try SignUp(&body)
        try body.end()
        let session = try await self.signUp(signUp, from: request, context)
        return .json(.created) { $0.session(session) }
    }

    /// The body of a sign-up. A few kilobytes are read of anybody's; only of a body that says or shows that it is
    /// larger, as one with a picture in Base64 is, and only of few at once, is the rest read as well.
    ///
    /// - Throws: `Problem` 413 `body_too_large`, 429 `rate_limited`, 503 `busy`.
    func signUpBody(of request: Request, _ context: GraphRequestContext) async throws -> ByteBuffer {
        var slot: BudgetSlot?
        defer { slot?.release() }
        func takeSlot() throws {
            guard slot == nil else { return }
            slot = try passwords.budgets.slot(.signUpPictures, for: .address(context.addressBlock(of: request)))
        }
        if let length = request.headers[.contentLength].flatMap({ Int($0) }) {
            try Self.refuse(length)
            if length > RequestLimits.credentialBodyBytes { try takeSlot() }
        }
        var whole = ByteBuffer()
        do {
            for try await var part in request.body {
                let length = whole.readableBytes + part.readableBytes
                try Self.refuse(length)
                if length > RequestLimits.credentialBodyBytes { try takeSlot() }
                whole.writeBuffer(&part)
            }
        } catch let error where error is IOError || error is ChannelError {
            throw Request.cutOff(error)
        }
        return whole
    }

    private static func refuse(_ length: Int) throws {
        guard length > RequestLimits.pictureBodyBytes else { return }
        throw Problem(
            describing: NIOTooManyBytesError(maxBytes: RequestLimits.pictureBodyBytes),
            bodyLimit: RequestLimits.pictureBodyBytes)
    }

    /// Creates the account and opens its first session.
    ///
    /// - Throws: `GraphError.usernameTaken`, `.reservedUsername`, `.emailTaken`; `Problem` 422 `weak_password`,
    ///   `unsupported_media`.
    func signUp(
        _ signUp: SignUp, from request: Request, _ context: GraphRequestContext
    ) async throws -> IssuedSession {
        if let picture = signUp.picture { try pictures.check(picture) }
        let address = context.addressBlock(of: request)
        let hash = try await passwords.hash(
            signUp.password, of: [signUp.username, signUp.email],
            for: context.workCaller(of: request, as: .address(address)))
        let account = try await graph.accounts.createAccount(
            username: signUp.username, email: signUp.email, passwordHash: hash, displayName: signUp.displayName,
            isNumberedIfTaken: signUp.isNumberedIfTaken, refusesReserved: true)
        if let picture = signUp.picture {
            do {
                var change = ProfileChange()
                change.picture = try await store(picture, of: account.id)
                try await graph.accounts.changeProfile(of: account.id, change)
            } catch {
                // The account stands, and its picture can be sent again.
                context.namedLogger.error("a profile picture could not be stored", metadata: ["error": "\(error)"])
            }
        }
        try await graph.accounts.rememberAddress(address.digest(for: account.id), of: account.id)
        return try await sessions.open(for: account.id, from: LoginOrigin(request, context))
    }

    /// `POST /v1/auth/login` {email, password} → the new session
    @Sendable func logIn(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        var body = try StrictObject(await request.credentials())
        let email = try body.anyString("email")
        let password = try body.anyString("password")
        try body.end()
        let session = try await logIn(email: email, password: password, from: request, context)
        return .json { $0.session(session) }
    }

    /// Opens a session.
    ///
    /// - Throws: `Problem` 401 `wrong_credentials`, 429 `rate_limited` after too many wrong passwords, 503 `busy`.
    func logIn(
        email: String, password: String, from request: Request, _ context: GraphRequestContext
    ) async throws -> IssuedSession {
        let address = context.addressBlock(of: request)
        let credentials = try await graph.accounts.credentials(email: email)
        let isRight = try await passwords.judgeGuess(
            AccountKey(email: email), from: address,
            isKnown: {
                guard let user = credentials?.id else { return false }
                return try await graph.accounts.knowsAddress(address.digest(for: user), of: user)
            }
        ) {
            try await passwords.isRight(
                password, credentials, for: context.workCaller(of: request, as: .address(address)))
        }
        let origin = LoginOrigin(request, context)
        guard isRight, let credentials else {
            if let user = credentials?.id { passwords.journal?.noteWrongPassword(of: user, from: origin) }
            throw Problem.wrongCredentials
        }
        let session = try await sessions.open(
            for: credentials.id, epoch: credentials.tokenEpoch, from: origin)
        try await graph.accounts.rememberAddress(address.digest(for: credentials.id), of: credentials.id)
        return session
    }

    /// `GET /v1/users/{id}`
    @Sendable func user(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        return try await answer(graph.relations.shownAccount(context.userID(), to: context.requireCaller()))
    }

    /// `GET /v1/users/by-username/{username}`
    @Sendable func userByName(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let name = context.parameters.get("username")?.removingPercentEncoding ?? ""
        return try await answer(graph.relations.shownAccount(username: name, to: context.requireCaller()))
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
    func isRight(
        _ password: String, _ credentials: Credentials?, for caller: WorkCaller
    ) async throws -> Bool {
        guard let hash = credentials?.passwordHash else {
            try await verifyAgainstNobody(password, for: caller)
            return false
        }
        return try await verify(password, against: hash, for: caller)
    }
}
