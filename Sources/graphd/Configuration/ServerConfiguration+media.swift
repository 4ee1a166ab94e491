import MediaFiles
import ObjectStorage

extension ServerConfiguration {
    /// Largest number of bytes that an S3 service takes in one call.
    private static let largestObject = 5 << 30

    /// Largest length of the base URL of public files, in bytes: with the name of a file it must be short enough for
    /// requests.
    private static let mediaURLBytes = 1_024
    private static let expectedMediaURL =
        "an absolute URL that starts with https:// or http://, of at most \(mediaURLBytes) bytes, without user name, "
        + "query and fragment, such as https://cdn.example.org/media"

    /// Returns the URL without a slash at its end.
    private static func mediaURL(_ text: String) -> String? {
        guard text.utf8.count <= mediaURLBytes, let url = baseURL(text) else { return nil }
        let authority = url.drop { $0 != "/" }.drop { $0 == "/" }.prefix { $0 != "/" }
        return authority.contains("@") ? nil : url
    }

    /// Reads the place of stored files, and the base URL of public ones.
    mutating func readMedia(_ sources: SettingSources) throws {
        try sources.read(.mediaUrl, Self.expectedMediaURL, into: &mediaURL) { Self.mediaURL($0).map { .some($0) } }
        guard let (text, _) = try sources.text(of: .media) else { return }
        do {
            media = try BucketAccess(parsing: text, environment: sources.environment)
        } catch let malformed as BucketAddress.Malformed {
            throw ConfigurationError(description: "\(Setting.media.flag) \(malformed.description)")
        } catch let unusable as ServiceCredentials.Unusable {
            throw ConfigurationError(description: "\(Setting.media.flag): \(unusable.description)")
        }
        guard maxUpload <= Self.largestObject else {
            throw ConfigurationError(
                description: "\(Setting.maxUpload.flag) must be at most \(Self.largestObject) with "
                    + "\(Setting.media.flag): an S3 service takes no more in one call; got \"\(maxUpload)\"")
        }
    }

    /// The place of stored files, as it is kept with the data.
    var mediaPlace: String { media?.address.description ?? MediaPlace.directory }
}
