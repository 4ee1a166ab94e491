import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import SocialGraph
import Timeline

/// VistaVid's product API, under `/vistavid`. It only translates: the services of `/v1` decide.
struct VistaVidRoutes: ProductAPI {
    let services: ProductServices

    var base: RouterPath { "/vistavid" }

    var errors: ProductErrors {
        ProductErrors { json, problem in
            json.member("success", false)
            json.member("error", problem.detail)
        }
    }

    func add(open: RouterGroup<GraphRequestContext>, to group: RouterGroup<GraphRequestContext>) {
        open.post("/auth/signup", use: signUp)
        open.post("/auth/login", use: logIn)

        group.get("/videos", use: videos)
        group.post("/video/upload", use: upload)
        group.get("/video/{id}", use: video)
        group.post("/video/{id}/like", use: like)
        group.delete("/video/{id}/like", use: unlike)
        group.post("/video/{id}/comment", use: comment)
        group.get("/video/{id}/comments", use: comments)
        group.post("/video/{id}/share", use: share)

        group.get("/user/{id}", use: user)
        group.post("/user/{id}/follow", use: follow)
        group.post("/user/{id}/unfollow", use: unfollow)
        group.put("/user/{id}/settings", use: settings)

        let communities = VistaVidCommunityRoutes(services: services, videos: self)
        group.get("/communities", use: communities.communities)
        group.post("/communities", use: communities.create)
        group.get("/communities/{id}", use: communities.community)
        group.get("/communities/{id}/feed", use: communities.feed)
        group.post("/communities/{id}/join", use: communities.join)
        group.post("/communities/{id}/leave", use: communities.leave)
    }

    /// `POST /auth/signup` {email, password, username, profilePicData?} → 201 {success, userId}
    @Sendable func signUp(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await request.withSignUpBody(context, services.accounts.budgets) { bytes in
            var body = try StrictObject(lenient: bytes)
            return try await signUp(try SignUp(product: &body), request, context)
        }
    }

    /// Creates the account; answers 201 {success, userId}.
    func signUp(
        _ signUp: SignUp, _ request: Request, _ context: GraphRequestContext
    ) async throws -> Response {
        let session = try await services.accounts.signUp(signUp, from: AccountClient(request, context))
        return .json(.created) { json in
            json.success {
                $0.member("userId", id: session.user.rawValue)
            }
        }
    }

    /// `POST /auth/login` {email, password, code?} → {success, userId, token}
    @Sendable func logIn(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var body = try await request.lenientObject(upTo: RequestLimits.credentialBodyBytes)
        let session = try await services.accounts.logIn(
            email: body.anyString("email"), password: body.anyString("password"),
            code: body.optionalAnyString("code"), from: AccountClient(request, context))
        return .json { json in
            json.success {
                $0.member("userId", id: session.user.rawValue)
                $0.member("token", session.token)
            }
        }
    }

    /// `GET /user/{id}` → the user; email and selectedAlgorithms only of the caller
    @Sendable func user(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (id, caller) = (try context.userID(), try context.requireCaller())
        guard let account = try await services.graph.blocksAndMutes.shownAccount(id, to: caller) else {
            throw GraphError.accountNotFound
        }
        let own = id == caller ? try await services.graph.topics.selectedAlgorithms(of: id) : nil
        return .json { $0.vistaVid(user: account, services.urls, selectedAlgorithms: own) }
    }

    /// `POST /user/{id}/follow` {followerId} → {success}
    @Sendable func follow(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var body = try await request.lenientObject()
        try body.requireOwn("followerId", caller)
        try await services.graph.follows.follow(caller, context.userID())
        return .json { $0.success() }
    }

    /// `POST /user/{id}/unfollow` {followerId} → {success}
    @Sendable func unfollow(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireCaller()
        var body = try await request.lenientObject()
        try body.requireOwn("followerId", caller)
        try await services.graph.follows.unfollow(caller, context.userID())
        return .json { $0.success() }
    }

    /// `PUT /user/{id}/settings` {isBusiness?, selectedAlgorithms?} → {success}
    @Sendable func settings(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireOwn()
        var body = try await request.lenientObject()
        var change = ProfileChange()
        change.isBusiness = try body.optionalBool("isBusiness")
        change.algorithms = try body.optionalStrings(
            "selectedAlgorithms", maxCount: SocialGraphLimits.filterTags, maxLength: SocialGraphLimits.tagLength)
        try await services.graph.accounts.changeProfile(of: caller, change)
        return .json { $0.success() }
    }
}
