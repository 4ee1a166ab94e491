import GraphServices
import HTTPTypes
import Hummingbird

/// Refuses requests that add to the data directory while its disk is nearly full, so that log-ins, moderation and
/// requests that free room still find room themselves.
struct StorageGate: RouterMiddleware {
    let state: StorageState

    func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        if state.level == .critical, Self.adds(request.method, path: request.uri.path) { throw Problem.storageFull }
        return try await next(request, context)
    }

    /// The last parts of paths whose POST, PUT or PATCH adds little or nothing: log-ins, reading by POST, blocks.
    private static let small: Set<Substring> = [
        "login", "refresh", "logout", "logout-everywhere", "password", "jump", "workoutJump", "smartScan",
        "searchSegment", "similar", "block", "mute", "leave", "unfollow", "read", "mark-as-read",
    ]

    static func adds(_ method: HTTPRequest.Method, path: String) -> Bool {
        guard [.post, .put, .patch].contains(method) else { return false }
        let parts = path.split(separator: "/")
        return !parts.contains("moderation") && !(parts.last.map(small.contains) ?? false)
    }
}
