import Database
import GraphAPI
import GraphServices
import MediaJobs
import SocialGraph

extension JSONWriter {
    /// The new file of an upload: a video waits for its examination. `thumbnailUrl` is null if there is none.
    package mutating func upload(_ upload: Upload, _ urls: PublicURL) {
        beginObject()
        member("mediaId", id: upload.file.id.rawValue)
        member("url", urls.absolute(upload.file.path))
        member("contentType", upload.file.contentType)
        member("bytes", upload.file.bytes)
        member("sha256", FileValidators.hexadecimal(upload.file.sha256))
        member("status", (upload.file.isVideo ? MediaJob.State.queued : .ready).rawValue)
        member("thumbnailUrl", upload.thumbnail.map { urls.absolute($0.path) })
        endObject()
    }

    /// A stored file and the state of its examination. Properties are null before its end, and for pictures.
    mutating func media(_ media: Media, _ job: MediaJob?, _ urls: PublicURL) {
        beginObject()
        member("mediaId", id: media.id.rawValue)
        member("url", urls.absolute(media.path))
        member("contentType", media.contentType)
        member("bytes", media.bytes)
        member("status", (job?.state ?? .ready).rawValue)
        videoMembers(of: job, urls)
        endObject()
    }

    /// The findings of an examination.
    package mutating func videoMembers(of job: MediaJob?, _ urls: PublicURL) {
        let properties = job?.properties
        key("duration")
        if let duration = properties?.duration { number(duration) } else { null() }
        key("width")
        if let width = properties?.width { integer(width) } else { null() }
        key("height")
        if let height = properties?.height { integer(height) } else { null() }
        member("codec", properties?.codec)
        member("posterUrl", job?.posterPath.map { urls.absolute($0) })
        member("error", job?.error)
    }
}
