import Hummingbird

/// A product API, mounted under its own base path.
package protocol ProductAPI: Sendable {
    var base: RouterPath { get }
    /// The format of the API's errors.
    var errors: ProductErrors { get }

    /// Adds the API's routes.
    ///
    /// - Parameters:
    ///   - open: for requests without a token.
    ///   - group: for authenticated requests.
    func add(open: RouterGroup<GraphRequestContext>, to group: RouterGroup<GraphRequestContext>)
}
