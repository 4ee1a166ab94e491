import Foundation
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import SocialGraph
import Timeline

/// The social app's API, under `/social`. It only translates: the services of `/v1` decide.
struct SocialRoutes: ProductAPI {
    let services: ProductServices

    var base: RouterPath { "/social" }

    var errors: ProductErrors {
        ProductErrors { json, problem in
            json.member("status", "error")
            json.member("message", problem.detail)
        }
    }

    func add(open: RouterGroup<GraphRequestContext>, to group: RouterGroup<GraphRequestContext>) {
        let logIn = VistaVidRoutes(services: services)
        open.post("/user/signup", use: signUp)
        open.post("/auth/signup", use: signUp)
        open.post("/auth/login", use: logIn.logIn)

        group.get("/user/{id}", use: user)
        group.put("/user/{id}/update", use: update)
        group.post("/user/{id}/follow", use: follow)
        group.delete("/user/{id}/unfollow", use: unfollow)

        group.get("/timeline/{id}", use: timeline)
        group.get("/timeline/{id}/category/{category}", use: timeline)
        group.get("/notifications/{id}", use: notifications)
        group.put("/notifications/{id}/mark-as-read", use: markAsRead)

        let posts = SocialPostRoutes(services: services)
        group.post("/post/create", use: posts.create)
        group.get("/post/{id}", use: posts.post)
        group.delete("/post/{id}", use: posts.delete)
        group.post("/post/{id}/like", use: posts.like)
        group.delete("/post/{id}/like", use: posts.unlike)
        group.post("/post/{id}/comment", use: posts.comment)
        group.get("/post/{id}/comments", use: posts.comments)
        group.post("/post/{id}/share", use: posts.share)
        group.post("/media", use: posts.upload)
    }

    /// `POST /user/signup` and `POST /auth/signup` {email, password, username, bio?, profilePicture?, profilePicData?}
    /// → 201 {success, userId}. The picture is a URL or, as `profilePicData`, a file in Base64.
    @Sendable func signUp(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await request.withSignUpBody(context, services.accounts.budgets) { bytes in
            var body = try StrictObject(lenient: bytes)
            var signUp = try SignUp(product: &body)
            signUp.bio = try body.optionalWording("bio", maxLength: SocialGraphLimits.bioLength) ?? ""
            try signUp.readPicture("profilePicture", in: &body, services.media)
            return try await VistaVidRoutes(services: services).signUp(signUp, request, context)
        }
    }

    /// `GET /user/{id}` → the user; the email only of the caller
    @Sendable func user(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (id, caller) = (try context.userID(), try context.requireCaller())
        return try await answer(id, caller)
    }

    /// `PUT /user/{id}/update` {username?, bio?, profilePicture?} → the user and status. The picture is a URL, or null
    /// or an empty text for none; absent fields stay unchanged.
    @Sendable func update(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireOwn()
        var body = try await request.lenientObject()
        var change = ProfileChange()
        change.username = try body.optionalUsername("username")
        change.bio = try body.optionalWording("bio", maxLength: SocialGraphLimits.bioLength)
        if body.isBlank("profilePicture") {
            change.picture = ProfileChange.Picture.none
        } else if let url = try body.optionalURL("profilePicture") {
            let file = try await services.media.file(at: url, of: caller, field: "profilePicture")
            change.picture = .at(url: file?.path ?? url, media: file?.id)
        }
        try await services.graph.accounts.changeProfile(of: caller, change)
        return try await answer(caller, caller) { $0.statusMember() }
    }

    private func answer(
        _ id: UserID, _ caller: UserID, more: (inout JSONWriter) -> Void = { _ in }
    ) async throws -> Response {
        let isOwn = id == caller
        let found =
            try await isOwn
            ? services.graph.accounts.account(id) : services.graph.blocksAndMutes.shownAccount(id, to: caller)
        guard let account = found else { throw GraphError.accountNotFound }
        let followers = try await services.connections(of: id, .followers, for: caller)
        let following = try await services.connections(of: id, .following, for: caller)
        return .json(reservingCapacity: 512 + 20 * (followers.count + following.count)) {
            $0.social(
                user: account, isOwn: isOwn, followers: followers, following: following, services.urls)
            more(&$0)
            $0.endObject()
        }
    }

    /// `POST /user/{id}/follow` {followerId?} → {status}
    @Sendable func follow(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await services.graph.follows.follow(own(request, context), context.userID())
        return .json { $0.statusSuccess() }
    }

    /// `DELETE /user/{id}/unfollow` {followerId?} → {status}
    @Sendable func unfollow(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await services.graph.follows.unfollow(own(request, context), context.userID())
        return .json { $0.statusSuccess() }
    }

    private func own(_ request: Request, _ context: GraphRequestContext) async throws -> UserID {
        let caller = try context.requireCaller()
        var body = try await request.lenientObject()
        for name in ["followerId", "userId"] { try body.requireOwn(name, caller) }
        return caller
    }

    /// `GET /timeline/{id}?limit&cursor` and `GET /timeline/{id}/category/{category}` → {posts, nextCursor}: the
    /// caller's home timeline
    @Sendable func timeline(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireOwn()
        var query = try QueryParameters(request.uri.query)
        let ask = try ProductPage(&query, cursor: "cursor", defaultLimit: ProductPage.undividedLimit)
        let category = try context.category()
        let filter =
            category == nil
            ? .none : try await services.timelines.filters.filter(category: category, algorithms: nil).filter
        let page = try await services.timelines.home.page(
            of: caller, below: ask.cursor.map(FeedPosition.init(rawValue:)), limit: ask.limit, filter: filter)
        let posts = try await services.posts(page.items)
        return .json(reservingCapacity: 512 * (posts.count + 1)) { json in
            json.social(page: "posts", posts, next: page.next?.rawValue) {
                $0.social(post: $1, for: caller, services.urls)
            }
        }
    }

    /// `GET /notifications/{id}?limit&cursor` → {notifications, nextCursor}: the caller's own, ungrouped, the latest
    /// first
    @Sendable func notifications(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireOwn()
        var query = try QueryParameters(request.uri.query)
        let ask = try ProductPage(&query, cursor: "cursor", defaultLimit: ProductPage.undividedLimit)
        let page = try await services.timelines.notifications.notifications(
            for: caller, below: ask.cursor, limit: ask.limit)
        return .json { json in
            json.social(page: "notifications", page.items, next: page.next) { $0.social(notification: $1) }
        }
    }

    /// `PUT /notifications/{id}/mark-as-read` → {status}
    @Sendable func markAsRead(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        guard let id = context.parameters.get("id").flatMap({ TextRules.parseID($0) }) else {
            throw GraphError.notificationNotFound
        }
        try await services.graph.notifications.markNotificationRead(id, of: context.requireCaller())
        return .json { $0.statusSuccess() }
    }
}

extension GraphRequestContext {
    /// Returns the category in the path; nil if there is none.
    fileprivate func category() throws -> String? {
        guard let part = parameters.get("category") else { return nil }
        let name = part.removingPercentEncoding ?? ""
        guard !name.isEmpty, TextRules.isWithin(SocialGraphLimits.categoryLength, name) else {
            throw Problem(
                .invalidParameter, "A category has 1 to \(SocialGraphLimits.categoryLength) characters.",
                field: "categoryName")
        }
        return name
    }
}
