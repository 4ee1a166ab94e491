import Hummingbird

/// The contract of a product, mounted under a base path of its own.
package protocol ProductAPI: Sendable {
    var base: RouterPath { get }
    /// The shape of the contract's errors.
    var errors: BriefErrors { get }

    /// Adds the contract's routes.
    ///
    /// - Parameters:
    ///   - open: for requests without a token.
    ///   - group: for authenticated requests.
    func add(open: RouterGroup<GraphRequestContext>, to group: RouterGroup<GraphRequestContext>)
}
