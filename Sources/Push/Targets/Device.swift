/// An installation of an app that can be sent to: what FCM knows by a registration token.
package struct Device: Sendable, Equatable {
    package enum Platform: String, Sendable, CaseIterable { case ios, android, web }

    /// Another one when the token passes to another user, so that nothing for the former reaches the latter.
    package let id: Int64
    package let token: String
    package let platform: Platform
    /// The app that has registered it, in the client's own words.
    package let app: String?
    /// Milliseconds since 1970.
    package let createdAt: Int64
}
