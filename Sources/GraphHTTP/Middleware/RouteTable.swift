import HTTPTypes
import Hummingbird
import Synchronization

/// Which methods each route knows, to tell "no such thing" (404) from "not with this method" (405).
///
/// The router answers both in the same way, and the middleware that turns that into an answer is made before the routes
/// are; so the table is filled in once they all are.
final class RouteTable: Sendable {
    private struct Route: Sendable {
        let path: RouterPath
        let method: HTTPRequest.Method
    }

    private let routes = Mutex<[Route]>([])

    /// Call once, after the last route was added.
    func fill(from router: Router<some RequestContext>) {
        let all = router.routes.map { Route(path: $0.path, method: $0.method) }
        routes.withLock { $0 = all }
    }

    /// The methods that are possible at a path, sorted by name and each once; empty for an unknown path.
    func methods(at path: String) -> [HTTPRequest.Method] {
        let parts = path.split(separator: "/", omittingEmptySubsequences: true)
        let matching = routes.withLock { routes in
            routes.filter { Self.matches($0.path, parts) }
        }
        var methods = Set(matching.map(\.method))
        if methods.contains(.get) {
            methods.insert(.head)
        }
        return methods.sorted { $0.rawValue < $1.rawValue }
    }

    private static func matches(_ path: RouterPath, _ parts: [Substring]) -> Bool {
        for (index, element) in path.components.enumerated() {
            if element == .recursiveWildcard {
                return true
            }
            guard index < parts.count, element ~= parts[index] else {
                return false
            }
        }
        return path.components.count == parts.count
    }
}
