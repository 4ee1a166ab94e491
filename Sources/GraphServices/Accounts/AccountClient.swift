import Logging
import SocialGraph

/// The client of a sign-up or log-in: nobody yet, known by its address only.
package struct AccountClient: Sendable {
    /// The address that guesses are counted for.
    let address: AddressBlock
    let origin: LoginOrigin
    /// Waits for a turn as its address.
    let caller: WorkCaller
    /// Names the request.
    let logger: Logger

    package init(address: AddressBlock, origin: LoginOrigin, caller: WorkCaller, logger: Logger) {
        self.address = address
        self.origin = origin
        self.caller = caller
        self.logger = logger
    }
}

/// The account that somebody asks for.
package struct SignUp: Sendable {
    let email: String
    let password: String
    let username: String
    let displayName: String
    let picture: [UInt8]?
    /// Whether a number is put behind a username that is taken: where nobody has chosen it.
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
