import GraphServices
import HTTPTypes

/// The budget of a request, by method and route. Unlisted reads are unlimited on purpose. An unlisted write counts
/// against ``fallback``, and a test fails until it has its row here.
enum RouteBudgets {
    static let fallback = RateBudget.settings

    /// Returns the budget; nil for a plain read.
    static func budget(of method: HTTPRequest.Method, at path: String?) -> RateBudget? {
        guard let path else { return nil }
        guard method == .get || method == .head else { return writes[path]?[method.rawValue] ?? fallback }
        return reads[path]
    }

    /// Returns true if the table has a row for the route.
    static func lists(_ method: HTTPRequest.Method, _ path: String) -> Bool {
        method == .get || method == .head ? reads[path] != nil : writes[path]?[method.rawValue] != nil
    }

    /// Rows of the table, each as `METHOD /path`.
    static let rows: [String] =
        writes.flatMap { path, methods in methods.keys.map { "\($0) \(path)" } } + reads.keys.map { "GET \($0)" }

    private static let reads: [String: RateBudget] = table.reduce(into: [:]) { reads, row in
        for route in row.routes where route.method == "GET" { reads[route.path] = row.budget }
    }

    private static let writes: [String: [String: RateBudget]] = table.reduce(into: [:]) { writes, row in
        for route in row.routes where route.method != "GET" {
            writes[route.path, default: [:]][route.method] = row.budget
        }
    }

    private static let table = rowsOfV1 + rowsOfProducts

    private struct Row: Sendable {
        let budget: RateBudget
        let routes: [(method: String, path: String)]

        /// - Parameter routes: one a line, methods separated by commas: `PUT,DELETE /posts/{id}/like`.
        init(_ budget: RateBudget, under bases: [String] = ["/v1"], _ routes: String) {
            self.budget = budget
            self.routes = routes.split(separator: "\n").flatMap { line in
                let parts = line.split(separator: " ").map(String.init)
                return parts[0].split(separator: ",").flatMap { method in
                    bases.map { (String(method), $0 + parts[1]) }
                }
            }
        }
    }

    private static let rowsOfV1 = [
        Row(.signUps, "POST /auth/signup"),
        Row(
            .logIns,
            """
            POST /auth/login
            POST /auth/password-reset/confirm
            POST /auth/email/confirm
            """),
        Row(
            .mails,
            """
            POST /auth/password-reset
            POST /auth/email/confirmation
            """),
        Row(.refreshes, "POST /auth/refresh"),
        Row(.posts, "POST /posts"),
        Row(.comments, "POST /posts/{id}/comments"),
        Row(
            .edits,
            """
            PATCH,DELETE /posts/{id}
            PATCH,DELETE /comments/{id}
            PUT,DELETE /media/{id}/renditions/{name}
            """),
        Row(
            .follows,
            """
            PUT,DELETE /users/{id}/follow
            PUT,DELETE /me/follow-requests/{userId}
            PUT,DELETE /users/{id}/block
            PUT,DELETE /users/{id}/mute
            POST /me/muted-words
            DELETE /me/muted-words/{id}
            PUT,DELETE /topics/{name}/follow
            """),
        Row(
            .reactions,
            """
            PUT,DELETE /posts/{id}/like
            PUT,DELETE /posts/{id}/reshare
            PUT,DELETE /posts/{id}/save
            POST /posts/{id}/shares
            POST /me/collections
            PATCH,DELETE /me/collections/{id}
            PUT,DELETE /me/collections/{id}/posts/{postId}
            PUT /me/collections/{id}/order
            PUT /notifications/read
            PUT /notifications/{id}/read
            """),
        Row(
            .invitations,
            """
            PUT,DELETE /posts/{id}/collaborators/{userId}
            POST /posts/{id}/collaboration/accept
            POST /posts/{id}/collaboration/decline
            POST /posts/{id}/collaboration/leave
            """),
        Row(
            .reports,
            """
            POST /reports
            POST /appeals
            """),
        Row(.uploads, "POST /media"),
        Row(.exports, "GET /me/export"),
        Row(
            .searches,
            """
            GET /search/posts
            GET /search/users
            GET /search/communities
            POST /search/similar
            """),
        Row(.recommendations, "GET /timelines/for-you"),
        Row(.watches, "POST /posts/{id}/watch"),
        Row(
            .transcripts,
            """
            PUT /posts/{id}/segments
            PUT,DELETE /posts/{id}/transcript
            POST /posts/{id}/jump
            PUT,DELETE /posts/{id}/embedding
            """),
        Row(
            .communities,
            """
            POST /communities
            PATCH /communities/{id}
            POST /communities/{id}/join
            POST /communities/{id}/leave
            PUT /communities/{id}/home
            PUT,DELETE /communities/{id}/requests/{userId}
            """),
        Row(
            .moderation,
            """
            POST /moderation/actions
            POST /moderation/batches/{batch}/undo
            DELETE /moderation/modlog/{entryId}/note
            """),
        Row(
            .queues,
            """
            GET /moderation/queue
            GET /moderation/communities
            """),
        Row(
            .rules,
            """
            POST /moderation/rules
            POST /moderation/rules/dry-run
            PATCH,DELETE /moderation/rules/{id}
            POST /moderation/classifiers
            PATCH,DELETE /moderation/classifiers/{id}
            GET /moderation/modlog/verify
            """),
        Row(
            .settings,
            """
            PATCH,DELETE /me
            PUT /me/password
            POST,DELETE /me/totp
            POST /me/totp/confirm
            POST /me/totp/recovery-codes
            POST /auth/logout
            POST /auth/logout-everywhere
            DELETE /me/sessions/{id}
            PUT,DELETE /me/devices/{token}
            PUT /me/push-settings
            PUT /me/reminders
            POST /me/webhooks
            DELETE /me/webhooks/{id}
            POST /me/webhooks/{id}/deliveries/{deliveryId}/retry
            POST /admin/webhooks
            PATCH,DELETE /admin/webhooks/{id}
            POST /admin/webhooks/{id}/deliveries/{deliveryId}/retry
            POST /admin/webhooks/{id}/replay
            POST /admin/service-tokens
            DELETE /admin/service-tokens/{id}
            """),
    ]

    private static let videoProducts = ["/fitstream", "/reelai", "/fitfocus"]

    private static let rowsOfProducts = [
        Row(.signUps, under: videoProducts + ["/vistavid", "/social"], "POST /auth/signup"),
        Row(.signUps, under: ["/social"], "POST /user/signup"),
        Row(.logIns, under: videoProducts + ["/vistavid", "/social"], "POST /auth/login"),
        Row(.posts, under: ["/vistavid"], "POST /video/upload"),
        Row(.posts, under: ["/social"], "POST /post/create"),
        Row(.edits, under: ["/social"], "DELETE /post/{id}"),
        Row(.uploads, under: ["/social"], "POST /media"),
        Row(
            .comments, under: videoProducts,
            """
            POST /videos/{id}/comment
            POST /videos/{id}/comments
            """),
        Row(.comments, under: ["/vistavid"], "POST /video/{id}/comment"),
        Row(.comments, under: ["/social"], "POST /post/{id}/comment"),
        Row(.follows, under: ["/vistavid", "/social"], "POST /user/{id}/follow"),
        Row(.follows, under: ["/vistavid"], "POST /user/{id}/unfollow"),
        Row(.follows, under: ["/social"], "DELETE /user/{id}/unfollow"),
        Row(
            .reactions, under: videoProducts,
            """
            POST,DELETE /videos/{id}/like
            POST /users/{id}/saveVideo
            DELETE /users/{id}/saveVideo/{videoId}
            POST /users/{id}/favorites
            DELETE /users/{id}/favorites/{videoId}
            POST /users/{id}/collections
            PATCH,DELETE /users/{id}/collections/{collectionId}
            POST /users/{id}/collections/{collectionId}/videos
            DELETE /users/{id}/collections/{collectionId}/videos/{videoId}
            PUT /users/{id}/collections/{collectionId}/order
            """),
        Row(
            .reactions, under: ["/vistavid"],
            """
            POST,DELETE /video/{id}/like
            POST /video/{id}/share
            """),
        Row(
            .reactions, under: ["/social"],
            """
            POST,DELETE /post/{id}/like
            POST /post/{id}/share
            PUT /notifications/{id}/mark-as-read
            """),
        Row(
            .communities, under: ["/vistavid"],
            """
            POST /communities
            POST /communities/{id}/join
            POST /communities/{id}/leave
            """),
        Row(
            .settings, under: videoProducts,
            """
            POST /auth/logout
            PUT,PATCH /users/{id}
            """),
        Row(.settings, under: ["/vistavid"], "PUT /user/{id}/settings"),
        Row(.settings, under: ["/social"], "PUT /user/{id}/update"),
        Row(
            .searches, under: videoProducts,
            """
            GET /videos
            GET /search/videos
            """),
        Row(.searches, under: ["/vistavid"], "GET /communities"),
        Row(.transcripts, under: ["/fitstream"], "POST /ai/workoutJump"),
        Row(.transcripts, under: ["/reelai"], "POST /smartScan"),
        Row(.transcripts, under: ["/fitfocus"], "POST /smartScan/searchSegment"),
        Row(.recommendations, under: ["/fitstream"], "GET /ai/recommendations"),
        Row(.recommendations, under: ["/reelai"], "GET /getPersonalizedFeed"),
        Row(.recommendations, under: ["/fitfocus"], "GET /recommendations"),
    ]
}
