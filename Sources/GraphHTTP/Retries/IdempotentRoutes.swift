import HTTPTypes

/// The routes that accept an `Idempotency-Key`: all that create something. A test fails for a POST that is neither here
/// nor among ``exceptions``.
enum IdempotentRoutes {
    enum Body {
        /// Bytes that are read as a whole.
        case json
        /// multipart/form-data of any length, whose digest is made as it arrives.
        case form
    }

    /// Returns the kind of body of a route that accepts a key; nil for another route.
    static func body(of method: HTTPRequest.Method, at path: String?) -> Body? {
        guard method == .post, let path else { return nil }
        return table[path]
    }

    static let table: [String: Body] = Dictionary(
        uniqueKeysWithValues: json.map { ($0, .json) } + forms.map { ($0, .form) })

    private static let videoProducts = ["/fitstream", "/reelai", "/fitfocus"]

    private static let json =
        [
            "/v1/posts", "/v1/posts/{id}/comments", "/v1/posts/{id}/shares", "/v1/communities", "/v1/me/collections",
            "/v1/me/webhooks", "/v1/admin/webhooks", "/v1/reports", "/v1/appeals", "/v1/moderation/actions",
            "/v1/moderation/batches/{batch}/undo", "/v1/moderation/rules", "/v1/moderation/classifiers",
            "/vistavid/video/{id}/comment", "/vistavid/video/{id}/share", "/vistavid/communities",
            "/social/post/create", "/social/post/{id}/comment", "/social/post/{id}/share",
        ]
        + videoProducts.flatMap { base in
            ["/videos/{id}/comment", "/videos/{id}/comments", "/users/{id}/collections"].map { base + $0 }
        }

    private static let forms = ["/v1/media", "/vistavid/video/upload", "/social/media"]

    /// The other POST routes, by the reason.
    static let exceptions: [(reason: String, paths: [String])] = [
        (
            "no user yet: a second sign-up is refused because name and address are taken, and tokens are not kept",
            ["/v1/auth/signup", "/social/user/signup"]
                + (videoProducts + ["/vistavid", "/social"]).map { $0 + "/auth/signup" }
        ),
        (
            "credentials: a second session is harmless, and tokens are not kept",
            ["/v1/auth/login", "/v1/auth/refresh"]
                + (videoProducts + ["/vistavid", "/social"]).map { $0 + "/auth/login" }
        ),
        (
            "a repetition ends nothing more",
            ["/v1/auth/logout", "/v1/auth/logout-everywhere"] + videoProducts.map { $0 + "/auth/logout" }
        ),
        (
            "a repetition changes nothing: the state is set, not added to",
            [
                "/v1/posts/{id}/collaboration/accept", "/v1/posts/{id}/collaboration/decline",
                "/v1/posts/{id}/collaboration/leave", "/v1/communities/{id}/join", "/v1/communities/{id}/leave",
                "/v1/me/webhooks/{id}/deliveries/{deliveryId}/retry",
                "/v1/admin/webhooks/{id}/deliveries/{deliveryId}/retry", "/v1/admin/webhooks/{id}/replay",
                "/v1/me/muted-words",
                "/vistavid/video/{id}/like", "/vistavid/user/{id}/follow", "/vistavid/user/{id}/unfollow",
                "/vistavid/communities/{id}/join", "/vistavid/communities/{id}/leave",
                "/social/user/{id}/follow", "/social/post/{id}/like",
            ]
                + videoProducts.flatMap { base in
                    [
                        "/videos/{id}/like", "/users/{id}/saveVideo", "/users/{id}/favorites",
                        "/users/{id}/collections/{collectionId}/videos",
                    ].map { base + $0 }
                }
        ),
        (
            "a read, by POST because of its body",
            [
                "/v1/posts/{id}/jump", "/v1/search/similar", "/v1/moderation/rules/dry-run",
                "/fitstream/ai/workoutJump", "/reelai/smartScan", "/fitfocus/smartScan/searchSegment",
            ]
        ),
        ("a repetition changes nothing: the longest watch counts", ["/v1/posts/{id}/watch"]),
        (
            "a repetition sends another mail, within the limit of an address",
            ["/v1/auth/password-reset", "/v1/auth/email/confirmation"]
        ),
        (
            "a secret is never kept: a repetition makes another, and a code is good once",
            ["/v1/me/totp", "/v1/me/totp/confirm", "/v1/me/totp/recovery-codes", "/v1/admin/service-tokens"]
        ),
        ("a token is good once", ["/v1/auth/password-reset/confirm", "/v1/auth/email/confirm"]),
    ]
}
