import HTTPTypes
import Hummingbird
import Synchronization

/// The methods of each route, to distinguish an unknown path (404) from a wrong method (405).
///
/// The router answers both in the same way. The middleware that produces the answer is created before the routes, so
/// the table is filled after all of them are added.
final class RouteTable: Sendable {
    private struct Route: Sendable {
        let path: RouterPath
        let method: HTTPRequest.Method
    }

    private let routes = Mutex<[Route]>([])

    /// Fills the table. Call it once, after the last route was added.
    func fill(from router: Router<some RequestContext>) {
        let all = router.routes.map { Route(path: $0.path, method: $0.method) }
        routes.withLock { $0 = all }
    }

    /// Returns the allowed methods of a path, sorted by name and without duplicates; empty for an unknown path.
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
