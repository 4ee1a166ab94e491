import Logging
import SocialGraph

/// The client of a sign-up or log-in. It is not logged in yet, and is known only by its address.
package struct AccountClient: Sendable {
    /// The address for which guesses are counted.
    package let address: AddressBlock
    package let origin: LoginOrigin
    /// Waits for a turn as its address.
    package let caller: WorkCaller
    /// A logger that names the request.
    let logger: Logger

    package init(address: AddressBlock, origin: LoginOrigin, caller: WorkCaller, logger: Logger) {
        self.address = address
        self.origin = origin
        self.caller = caller
        self.logger = logger
    }
}

/// A sign-up: the requested account.
package struct SignUp: Sendable {
    let email: String
    let password: String
    let username: String
    let displayName: String
    package var bio = ""
    let picture: [UInt8]?
    /// The URL of a picture that is not stored here; a stored ``picture`` replaces it.
    package var pictureURL: String?
    package var preferences: [String: AttributeValue] = [:]
    /// True if a number may be appended to a username that is taken. Set if the user has not chosen it.
    let isNumberedIfTaken: Bool

    package init(
        email: String, password: String, username: String, displayName: String = "", picture: [UInt8]? = nil,
        isNumberedIfTaken: Bool = false
    ) {
        self.email = email
        self.password = password
        self.username = username
        self.displayName = displayName
        self.picture = picture
        self.isNumberedIfTaken = isNumberedIfTaken
    }
}
