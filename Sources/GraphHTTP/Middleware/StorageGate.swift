import GraphServices
import HTTPTypes
import Hummingbird

/// Refuses requests that add to the data directory while its disk is nearly full, so that log-ins, moderation and
/// requests that free room still find room themselves; in read-only mode, all that would change something.
struct StorageGate: RouterMiddleware {
    let state: StorageState

    func handle(
        _ request: Request, context: GraphRequestContext,
        next: (Request, GraphRequestContext) async throws -> Response
    ) async throws -> Response {
        if Self.changes(request.method, path: request.uri.path), let reason = state.readOnly.reason {
            throw Problem.readOnly(reason)
        }
        if state.level == .critical, Self.adds(request.method, path: request.uri.path) { throw Problem.storageFull }
        return try await next(request, context)
    }

    /// The last parts of paths that are read by POST, because of their body.
    static let reading: Set<Substring> = [
        "jump", "workoutJump", "smartScan", "searchSegment", "similar", "dry-run",
    ]
    /// The last parts of other paths whose POST, PUT or PATCH adds little or nothing: log-ins, blocks.
    private static let small: Set<Substring> = [
        "login", "refresh", "logout", "logout-everywhere", "password", "block", "mute", "leave", "unfollow", "read",
        "mark-as-read",
    ]

    static func changes(_ method: HTTPRequest.Method, path: String) -> Bool {
        guard ![.get, .head, .options].contains(method) else { return false }
        return !(method == .post && path.split(separator: "/").last.map(reading.contains) ?? false)
    }

    static func adds(_ method: HTTPRequest.Method, path: String) -> Bool {
        guard [.post, .put, .patch].contains(method) else { return false }
        let parts = path.split(separator: "/")
        guard let last = parts.last, !parts.contains("moderation") else { return false }
        return !small.contains(last) && !reading.contains(last)
    }
}
