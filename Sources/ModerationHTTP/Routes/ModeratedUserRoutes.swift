import Database
import GraphAPI
import GraphHTTP
import GraphServices
import Hummingbird
import Moderation
import SocialGraph
import Timeline

/// Users and their timelines in the moderators' view.
struct ModeratedUserRoutes: Sendable {
    let graph: GraphStore
    let timelines: Timelines

    /// `GET /v1/moderation/users` → {items}, for moderators of the site: with `username` the user of exactly that name,
    /// with `q` users whose names begin with it, or whom a search for it finds
    @Sendable func users(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let text = try query.optionalText("q", maxLength: SocialGraphLimits.searchLength)
        let username = try query.optionalText("username", maxLength: SocialGraphLimits.searchLength)
        let limit = try query.limit()
        try query.end()
        try await graph.moderation.authority(of: context.requireCaller()).requireSiteRole(for: .warnUser)
        guard (text == nil) != (username == nil) else {
            throw Problem(.invalidParameter, "Give either \"q\" or \"username\".", field: "q")
        }
        let users: [ModeratedUser]
        if let username {
            users = try await graph.moderationQueries.moderatedUser(username: username).map { [$0] } ?? []
        } else {
            users = try await graph.moderationQueries.moderatedUsers(matching: text ?? "", limit: limit)
        }
        return .json { json in json.items(users) { $0.moderatedUser($1) } }
    }

    /// `GET /v1/moderation/users/{id}`: the details of a user; with `communityId` for moderators of that community, and
    /// limited to it
    @Sendable func user(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let community = try query.id("communityId").map(CommunityID.init(rawValue:))
        try query.end()
        let authority = try await graph.moderation.authority(of: context.requireCaller())
        guard community != nil || authority.siteRole != nil else { throw ModerationError.notPermitted(.warnUser) }
        let card = try await graph.moderationQueries.moderatedUserCard(
            of: context.userID(), in: community, visibleTo: authority)
        return .json(reservingCapacity: 8_192) { $0.moderatedUserCard(card) }
    }

    /// `GET /v1/moderation/users/{id}/home`: the user's home timeline, each post with `why`; for moderators of the site
    @Sendable func home(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        let (limit, cursor) = try request.paging()
        let user = try await explored(context)
        func page() async throws -> TimelinePage {
            try await timelines.home.page(of: user, below: cursor.map(FeedPosition.init(rawValue:)), limit: limit)
        }
        var items = try await page()
        var reasons = try await timelines.explainer.reasons(for: items.items, of: user, in: .home, filter: .none)
        // The reason for an item may have ended since the page was read; then the item is no longer on the page.
        while reasons.contains(where: \.isEmpty) {
            items = try await page()
            reasons = try await timelines.explainer.reasons(for: items.items, of: user, in: .home, filter: .none)
        }
        // The moderator's own state: the user's saves are nobody else's concern.
        let details = try await timelines.details.details(
            of: items.items.map(\.post), for: context.requireCaller())
        return .json(reservingCapacity: items.items.encodedSize) { [items, reasons] json in
            json.explainedHome(items, details, reasons)
        }
    }

    /// `GET /v1/moderation/users/{id}/why/{postId}` → {visible, reasons}, for moderators of the site
    @Sendable func why(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let user = try await explored(context)
        let post = try context.postID("postId")
        var verdict = try await timelines.explainer.whyForModerators(post, of: user)
        // The reason ended during the look-up.
        while verdict.grounds.isEmpty { verdict = try await timelines.explainer.whyForModerators(post, of: user) }
        return .json { $0.verdict(verdict) }
    }

    private func explored(_ context: GraphRequestContext) async throws -> UserID {
        try await graph.moderation.authority(of: context.requireCaller()).requireSiteRole(for: .warnUser)
        let user = try context.userID()
        guard try await graph.accounts.account(user) != nil else { throw GraphError.accountNotFound }
        return user
    }
}
