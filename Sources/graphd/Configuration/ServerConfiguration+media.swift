import MediaFiles
import ObjectStorage

extension ServerConfiguration {
    /// Largest number of bytes that an S3 service takes in one call.
    private static let largestObject = 5 << 30

    /// Reads the place of stored files.
    mutating func readMedia(_ sources: SettingSources) throws {
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
