import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import Saves
import SocialGraph
import StrictJSON
import Timeline

extension VideoRoutes {
    /// `POST /auth/signup` {email, password, a name?, username?, a picture?, preferences?} → 201 the user document, and
    /// token. Without a username, one is derived from the name or the address. The rest is as in `PUT /users/{id}`.
    @Sendable func signUp(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await request.withSignUpBody(context, services.accounts.budgets) { bytes in
            var body = try StrictObject(lenient: bytes)
            var signUp = try SignUp(naming: Product.nameField, in: &body)
            try signUp.readPicture(Product.pictureField, in: &body, services.media)
            signUp.preferences = try Product.preferences(in: &body).compactMapValues(\.self)
            let session = try await services.accounts.signUp(signUp, from: AccountClient(request, context))
            return try await answer(session.user, session.user, .created, token: session.token)
        }
    }

    /// `POST /auth/login` {email, password, code?} → the user document, and token
    @Sendable func logIn(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var body = try await request.lenientObject(upTo: RequestLimits.credentialBodyBytes)
        let session = try await services.accounts.logIn(
            email: body.anyString("email"), password: body.anyString("password"),
            code: body.optionalAnyString("code"), from: AccountClient(request, context))
        return try await answer(session.user, session.user, token: session.token)
    }

    /// `POST /auth/logout` → 204; ends the token and its session
    @Sendable func logOut(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        try await services.accounts.logOut(context.requireVerifiedCaller())
        return .noContent
    }

    /// `GET /users/{id}` → the user document; private members only for the user's own
    @Sendable func user(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try await answer(context.userID(), context.requireCaller())
    }

    /// `PUT /users/{id}` and `PATCH /users/{id}` → the user document. Absent members stay unchanged; likes and the date
    /// cannot be written. Another email address needs `currentPassword`.
    @Sendable func changeUser(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let caller = try context.requireOwn()
        var body = try await request.lenientObject()
        var change = ProfileChange()
        change.displayName = try body.optionalWording(
            Product.nameField, maxLength: SocialGraphLimits.displayNameLength)
        change.email = try body.optionalEmail("email")
        change.picture = try await picture(&body, caller)
        change.preferenceChanges = try Product.preferences(in: &body)
        try await services.accounts.confirmEmail(
            in: &change, password: body.optionalAnyString("currentPassword"), of: context.requireVerifiedCaller(),
            from: LoginOrigin(request, context))
        let saves = try savedVideos(&body)
        if let saves {
            let new = Set(saves).subtracting(try await saved(by: caller))
            for video in saves where new.contains(video) { _ = try await requireVideo(video, for: caller) }
        }
        try await services.graph.accounts.changeProfile(of: caller, change)
        if let saves { try await replaceSaves(of: caller, with: saves) }
        return try await answer(caller, caller)
    }

    private func picture(_ body: inout StrictObject, _ caller: UserID) async throws -> ProfileChange.Picture? {
        let field = Product.pictureField
        if body.isBlank(field) { return ProfileChange.Picture.none }
        guard let url = try body.optionalURL(field) else { return nil }
        let file = try await services.media.file(at: url, of: caller, field: field)
        return .at(url: file?.path ?? url, media: file?.id)
    }

    private func savedVideos(_ body: inout StrictObject) throws -> [PostID]? {
        guard let field = Product.savedField, let value = body.value(of: field), value != .null else { return nil }
        return try body.ids(field, maxCount: ProductServices.listedIDs).map(PostID.init(rawValue:))
    }

    /// Saves the named videos, and removes the saves of all others.
    private func replaceSaves(of caller: UserID, with videos: [PostID]) async throws {
        let present = try await saved(by: caller)
        let wanted = Set(videos)
        // The first in the list becomes the latest save.
        try await services.graph.saves.replace(
            present.filter { !wanted.contains($0) }, with: videos.reversed().filter { !present.contains($0) },
            by: caller)
    }

    func answer(
        _ id: UserID, _ caller: UserID, _ statusCode: HTTPResponse.Status = .ok, token: String? = nil,
        status: String? = nil
    ) async throws -> Response {
        let found =
            try await id == caller
            ? services.graph.accounts.account(id) : services.graph.blocksAndMutes.shownAccount(id, to: caller)
        guard let account = found else { throw GraphError.accountNotFound }
        var own: ProductUser.Private?
        if id == caller {
            own = ProductUser.Private(
                email: account.email, preferences: try await services.graph.accounts.preferences(of: id).attributes,
                saved: Product.savedField == nil ? [] : try await saved(by: id),
                liked: Product.showsLikedVideos ? try await liked(by: id) : [])
        }
        let user = ProductUser(account: account, own: own, urls: services.urls)
        return .json(statusCode, reservingCapacity: 1_024) { json in
            json.beginObject()
            Product.writeMembers(of: user, to: &json)
            if let status { json.member("status", status) }
            if let token { json.member("token", token) }
            json.endObject()
        }
    }

    private func saved(by user: UserID) async throws -> [PostID] {
        try await services.timelines.saves.saves(of: user, below: nil, limit: ProductServices.listedIDs) {
            Product.includes($0.attributes)
        }.items.map(\.post.id)
    }

    private func liked(by user: UserID) async throws -> [PostID] {
        let likes = try await services.graph.likes.likes(by: user, below: nil, limit: ProductServices.listedIDs)
        return try await services.timelines.posts.shown(likes.items.map(\.post), to: user).compactMap { post in
            post.flatMap { Product.includes($0.attributes) ? $0.id : nil }
        }
    }
}

extension StrictObject {
    /// Reads the preferences in the object `field`, limited to these names if some are given; null removes one.
    mutating func preferenceChanges(
        _ field: String, only names: Set<String>? = nil
    ) throws -> [String: AttributeValue?] {
        switch take(field) {
        case nil: return [:]
        case .object(let members)?:
            var changes: [String: AttributeValue?] = [:]
            for member in members where names?.contains(member.name) ?? true {
                let name = try TextRules.title(
                    member.name, field: field, maxLength: SocialGraphLimits.attributeNameLength)
                changes[name] = .some(try Self.preference(name, member.value, field: "\(field).\(name)"))
            }
            return changes
        case let other?: throw Self.wrongType(field, other, expected: "an object")
        }
    }

    /// Reads a preference that is a member of its own; null removes it.
    mutating func preferenceChange(_ name: String) throws -> [String: AttributeValue?] {
        guard let value = value(of: name) else { return [:] }
        _ = take(name)
        return [name: try Self.preference(name, value, field: name)]
    }

    private static func preference(_ name: String, _ value: JSONValue, field: String) throws -> AttributeValue? {
        if value == .null { return nil }
        let attribute = try Self.attribute(value, field: field)
        guard AttributeVocabulary.accepts(attribute, as: AttributeVocabulary.preferences[name]) else {
            throw wrongType(field, value, expected: AttributeVocabulary.preferences[name]?.rawValue ?? "a value")
        }
        return attribute
    }
}
