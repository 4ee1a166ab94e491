/// An installation of an app that receives pushes, known to FCM by a registration token.
package struct Device: Sendable, Equatable {
    package enum Platform: String, Sendable, CaseIterable { case ios, android, web }

    /// Id of the registration. It changes when the token passes to another user, so that no message for the former user
    /// reaches the new one.
    package let id: Int64
    package let token: String
    package let platform: Platform
    /// The app that registered the device, in the client's own words.
    package let app: String?
    /// Time of registration, in milliseconds since 1970.
    package let createdAt: Int64
}
