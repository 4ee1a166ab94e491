import Database
import GraphAPI
import GraphServices
import SocialGraph

extension JSONWriter {
    /// What was stored. `thumbnailUrl` is null where there is none.
    package mutating func upload(_ upload: Upload, _ urls: PublicURL) {
        beginObject()
        key("mediaId")
        id(upload.file.id.rawValue)
        key("url")
        string(urls.absolute(upload.file.path))
        key("contentType")
        string(upload.file.contentType)
        key("bytes")
        integer(upload.file.bytes)
        key("sha256")
        string(FileValidators.hexadecimal(upload.file.sha256))
        key("thumbnailUrl")
        string(upload.thumbnail.map { urls.absolute($0.path) })
        endObject()
    }
}
