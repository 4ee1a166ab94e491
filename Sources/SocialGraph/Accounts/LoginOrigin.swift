/// Origin of a request.
package struct LoginOrigin: Sendable, Hashable {
    /// An IP address; nil: over a unix socket.
    package let address: String?
    /// The client's user agent, at most ``SocialGraphLimits/userAgentBytes``; nil: none was sent.
    package let userAgent: String?

    package init(address: String?, userAgent: String?) {
        self.address = address
        self.userAgent = userAgent
    }
}
