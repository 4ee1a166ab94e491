import Database
import GraphServices
import HTTPMiddleware
import SocialGraph

/// The gates that requests pass before they reach a handler.
package struct RequestGates: Sendable {
    let authentication: Authentication
    let rateLimit: RateLimit
    let storage: StorageGate
    let proxies: TrustedProxies
    /// Origins whose pages may read answers; nil if no other origin's may.
    let origins: AllowedOrigins?
    /// The gate of a node that serves beside others; nil if it is alone.
    let node: NodeGate?

    /// - Parameter confirm: returns once the node is known to be current; nil if the node is alone.
    package init(
        authentication: Authentication, rateLimit: RateLimit, storage: StorageState, proxies: TrustedProxies,
        origins: AllowedOrigins? = nil, confirm: ConfirmNode? = nil
    ) {
        self.authentication = authentication
        self.rateLimit = rateLimit
        self.storage = StorageGate(state: storage)
        self.proxies = proxies
        self.origins = origins
        let tokens = authentication.callers.tokens
        node = confirm.map { confirm in
            NodeGate(confirm: confirm) { tokens.rememberedUser(of: $0).map(UserID.init(rawValue:)) }
        }
    }
}
