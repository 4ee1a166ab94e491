/// A bucket with the credentials to use it.
package struct BucketAccess: Sendable, Equatable {
    package static let environmentVariable = "GRAPHD_MEDIA"

    package let address: BucketAddress
    package let credentials: ServiceCredentials

    /// Parses an address and loads the credentials.
    ///
    /// - Throws: ``BucketAddress/Malformed``, ``ServiceCredentials/Unusable``.
    package init(parsing text: String, environment: [String: String]) throws {
        address = try BucketAddress(parsing: text)
        credentials = try ServiceCredentials.load(file: address.credentialsFile, environment: environment)
    }
}
