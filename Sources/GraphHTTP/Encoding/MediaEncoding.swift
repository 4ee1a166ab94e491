import Database
import GraphAPI
import GraphServices
import SocialGraph

extension JSONWriter {
    /// The stored file. `thumbnailUrl` is null if there is none.
    package mutating func upload(_ upload: Upload, _ urls: PublicURL) {
        beginObject()
        member("mediaId", id: upload.file.id.rawValue)
        member("url", urls.absolute(upload.file.path))
        member("contentType", upload.file.contentType)
        member("bytes", upload.file.bytes)
        member("sha256", FileValidators.hexadecimal(upload.file.sha256))
        member("thumbnailUrl", upload.thumbnail.map { urls.absolute($0.path) })
        endObject()
    }
}
