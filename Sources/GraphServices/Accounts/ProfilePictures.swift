import SocialGraph

/// Checks and stores the pictures that users send of themselves.
package struct ProfilePictures: Sendable {
    /// Checks a picture by its content, before anything is written.
    ///
    /// Throws `Problem` 422 `unsupported_media`.
    package let check: @Sendable ([UInt8]) throws -> Void
    /// Stores a picture as a file of its owner. Returns its `url` in the form that the database keeps.
    ///
    /// Throws `Problem`: 422 `unsupported_media`, 507 `insufficient_storage`, 503.
    package let store: @Sendable (_ owner: UserID, _ bytes: [UInt8]) async throws -> (id: MediaID, url: String)

    package init(
        check: @escaping @Sendable ([UInt8]) throws -> Void,
        store: @escaping @Sendable (_ owner: UserID, _ bytes: [UInt8]) async throws -> (id: MediaID, url: String)
    ) {
        self.check = check
        self.store = store
    }
}
