import GraphServices

/// The gates that requests pass before they reach a handler.
package struct RequestGates: Sendable {
    let authentication: Authentication
    let rateLimit: RateLimit
    let storage: StorageGate
    let proxies: TrustedProxies

    package init(
        authentication: Authentication, rateLimit: RateLimit, storage: StorageState, proxies: TrustedProxies
    ) {
        self.authentication = authentication
        self.rateLimit = rateLimit
        self.storage = StorageGate(state: storage)
        self.proxies = proxies
    }
}
