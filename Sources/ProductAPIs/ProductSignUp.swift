import GraphHTTP
import GraphServices
import SocialGraph

extension SignUp {
    /// Reads the body of a sign-up in VistaVid and the social app: an address, a password, a username, and a picture in
    /// Base64 that may be missing or empty.
    package init(product body: inout StrictObject) throws {
        self.init(
            email: try body.email("email"), password: try body.anyString("password"),
            username: try body.username("username"),
            displayName: try body.optionalText("displayName", maxLength: SocialGraphLimits.displayNameLength) ?? "",
            picture: try body.filledPicture("profilePicData"))
    }

    /// Reads the body of a video product's sign-up: an address, a password, and an optional display name.
    init(naming field: String, in body: inout StrictObject) throws {
        let email = try body.email("email")
        let password = try body.anyString("password")
        let name = try body.optionalWording(field, maxLength: SocialGraphLimits.displayNameLength)
        let chosen = try body.filledUsername("username")
        let username = chosen ?? [name ?? "", email].lazy.compactMap(ExternalIdentity.username(of:)).first ?? "user"
        self.init(
            email: email, password: password, username: username, displayName: name ?? "",
            isNumberedIfTaken: chosen == nil)
    }

    /// Reads the URL of a newcomer's picture, who cannot have uploaded a file; an empty one is none.
    mutating func readPicture(_ field: String, in body: inout StrictObject, _ media: MediaReferences) throws {
        pictureURL = try body.filledURL(field)
        if let pictureURL { try media.requireForeign(pictureURL, field: field) }
    }
}
