import Database
import GraphAPI
import GraphServices
import HTTPTypes
import Hummingbird
import MediaFiles
import MediaJobs
import SocialGraph

/// Upload and download of files.
struct MediaRoutes: Sendable {
    let graph: GraphStore
    let upload: MediaUpload
    let files: FileResponse
    let access: MediaAccess
    let links: MediaLinks
    let authentication: Authentication
    let rateLimit: RateLimit
    let urls: PublicURL

    private static let form = UploadForm(file: "file", thumbnail: "thumbnail", queuesVideos: true)

    /// `POST /v1/media`, multipart/form-data with the parts `file` and `thumbnail` (optional) → 201 {mediaId, url,
    /// contentType, bytes, sha256, status, thumbnailUrl}
    @Sendable func store(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        return try await context.creatingUpload {
            try await upload.receive(request, context, owner: caller, form: Self.form)
        } answer: { [urls] stored in
            .json(.created, headers: [.location: stored.file.path]) { $0.upload(stored, urls) }
        }
    }

    /// `GET /v1/media/{id}`, for its uploader alone → {mediaId, url, contentType, bytes, status, duration, width,
    /// height, codec, posterUrl, error}
    @Sendable func status(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try request.refuseQuery()
        let caller = try context.requireCaller()
        guard let (media, job) = try await graph.mediaJobs.file(try context.mediaID()), media.owner == caller else {
            throw GraphError.mediaNotFound
        }
        return .json { $0.media(media, job, urls) }
    }

    /// `GET /v1/media/{id}/link?expiresIn`, in seconds, for everybody who may see the file → {url, expiresAt}: a link
    /// that is good without a token
    @Sendable func link(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        var query = try QueryParameters(request.uri.query)
        let seconds = try query.linkLifetime()
        try query.end()
        let caller = try context.requireCaller()
        guard let media = try await graph.media.media(try context.mediaID()),
            try await access.isVisible(media, to: caller)
        else { throw GraphError.mediaNotFound }
        let link = try await links.link(to: media, for: caller, validFor: seconds)
        return .json { json in
            json.beginObject()
            json.member("url", link.url)
            json.member("expiresAt", time: link.expiresAt)
            json.endObject()
        }
    }

    /// `GET /media/{file}?user&expires&signature`, where `file` is `<id>` or `<id>.<extension>`; other parameters are
    /// ignored. Without a token, it serves public files, and others by a signed link; with one, also the files that its
    /// user may see. For any other file the answer is 404, which no cache keeps: the file may be published in the next
    /// moment.
    @Sendable func file(_ request: Request, _ context: GraphRequestContext) async throws -> Response {
        try rateLimit.admit(request, context)
        let media = try await named(context.parameters.get("file") ?? "")
        if let media, try await access.isPublic(media) {
            return try await files.response(to: request, context, for: media, isPublic: true)
        }
        if let media, try await isLinked(request, media) {
            return try await files.response(to: request, context, for: media, isPublic: false)
        }
        // Verified before the answer reveals whether there is such a file.
        let viewer = try await authentication.callerIfGiven(request, context)
        guard let media, let viewer, try await access.isShown(media, to: viewer) else { throw Self.noFile }
        return try await files.response(to: request, context, for: media, isPublic: false)
    }

    private static let noFile = Problem(.mediaNotFound, "There is no such file.", advice: [.notCached])

    /// Returns true for a request by a signed link that is valid now, of a user who still may see the file.
    ///
    /// - Throws: `Problem` 404 `media_not_found` for one that was. A forged one is no link.
    private func isLinked(_ request: Request, _ media: Media) async throws -> Bool {
        guard let claim = MediaLinks.Claim(query: request.uri.query) else { return false }
        switch try await links.verdict(on: claim, for: media.path) {
        case .valid(let user):
            guard try await authentication.callers.isActive(user) else { return false }
            return try await access.isShown(media, to: user)
        case .forged: return false
        case .expired: throw Problem(.mediaNotFound, "This link has expired.", advice: [.notCached])
        }
    }

    private func named(_ name: String) async throws -> Media? {
        guard let id = MediaFileName.id(in: name), let media = try await graph.media.media(id) else { return nil }
        return name == media.fileName || name == String(id.rawValue) ? media : nil
    }
}
