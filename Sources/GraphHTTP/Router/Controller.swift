import Hummingbird

/// The handlers of a topic and their routes under `/v1`. All are for authenticated requests.
package protocol Controller: Sendable {
    func addRoutes(to v1: RouterGroup<GraphRequestContext>)
}
