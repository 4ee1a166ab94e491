import Database
import GraphAPI
import GraphHTTP
import GraphServices
import MediaJobs
import Push
import SocialGraph
import Timeline

/// A message for an app webhook.
package struct AppMessage: Sendable {
    /// The id by which a receiver recognises repetitions: the same for each attempt and each replay.
    package let id: String
    package let body: [UInt8]
}

/// The bodies of messages: events with the state of their subjects when they are sent.
package struct AppEventPayload: Sendable {
    let graph: GraphStore
    let encoding: PostEncoding
    let urls: PublicURL
    let links: MediaLinks

    package init(graph: GraphStore, urls: PublicURL, links: MediaLinks) {
        self.graph = graph
        self.urls = urls
        self.links = links
        encoding = PostEncoding(urls: urls)
    }

    package static func messageID(_ event: Int64) -> String { "evt_\(event)" }

    /// Returns `{type, eventId, timestamp, data}`. `data` has the id of the subject and its public fields, or null in
    /// their place if it is gone or hidden by now.
    package func message(_ event: AppEvent) async throws -> AppMessage {
        var json = JSONWriter(reservingCapacity: 1_024)
        json.beginObject()
        json.member("type", event.kind.rawValue)
        json.member("eventId", id: event.id)
        json.member("timestamp", time: event.createdAt)
        json.key("data")
        json.beginObject()
        switch event.kind {
        case .postCreated: try await write(post: PostID(rawValue: event.subject), to: &json)
        case .userCreated: try await write(user: UserID(rawValue: event.subject), to: &json)
        case .reportCreated: try await write(report: event.subject, to: &json)
        case .uploadCreated: try await write(upload: MediaID(rawValue: event.subject), to: &json)
        case .mediaReady: try await write(media: MediaID(rawValue: event.subject), to: &json)
        }
        json.endObject()
        json.endObject()
        return AppMessage(id: Self.messageID(event.id), body: json.bytes)
    }

    /// A post as its readers see it, followers-only posts and those of private communities included. One that is
    /// deleted or that moderators hide is null.
    private func write(post id: PostID, to json: inout JSONWriter) async throws {
        let post = try await graph.posts.posts([id]).first.flatMap { post in
            post.isHeld || post.community?.isRemoved == true ? nil : post
        }
        let author = if let post { try await graph.accounts.account(post.author) } else { Account?.none }
        json.member("postId", id: id.rawValue)
        json.key("post")
        guard let post, let author else { return json.null() }
        let details = ItemDetails(author: encoding.card(of: AuthorProfile(author)), viewer: nil)
        json.post(encoding.fragment(of: post), details)
    }

    /// A user as others see them, without the email address.
    private func write(user id: UserID, to json: inout JSONWriter) async throws {
        let account = try await graph.accounts.account(id)
        json.member("userId", id: id.rawValue)
        json.key("user")
        if let account { json.account(account, urls.shared) } else { json.null() }
    }

    /// A report without its reporter and note, which only moderators read.
    private func write(report id: Int64, to json: inout JSONWriter) async throws {
        let report = try await graph.appWebhooks.report(id)
        json.member("reportId", id: id)
        json.key("report")
        guard let report else { return json.null() }
        json.beginObject()
        json.member("subjectKind", report.subjectKind)
        json.member("subjectId", id: report.subject)
        json.member("communityId", id: report.community?.rawValue)
        json.member("reason", report.reason)
        json.member("createdAt", time: report.createdAt)
        json.endObject()
    }

    private func write(upload id: MediaID, to json: inout JSONWriter) async throws {
        let file = try await graph.media.media(id)
        json.member("mediaId", id: id.rawValue)
        json.key("upload")
        guard let file else { return json.null() }
        json.beginObject()
        try await writeMembers(of: file, to: &json)
        json.endObject()
    }

    /// A video whose examination has ended.
    private func write(media id: MediaID, to json: inout JSONWriter) async throws {
        let found = try await graph.mediaJobs.file(id)
        json.member("mediaId", id: id.rawValue)
        json.key("media")
        guard let (file, job) = found, let job, job.state.isOver else { return json.null() }
        json.beginObject()
        try await writeMembers(of: file, to: &json)
        json.member("status", job.state.rawValue)
        json.videoMembers(of: job, urls)
        json.endObject()
    }

    /// The members of a file. Its link is new in each attempt to send the message, and lets the receiver fetch the file
    /// whether or not a post shows it.
    private func writeMembers(of file: Media, to json: inout JSONWriter) async throws {
        let link = try await links.link(to: file, for: file.owner, validFor: RequestLimits.linkSeconds.upperBound)
        json.member("ownerId", id: file.owner.rawValue)
        json.member("url", urls.absolute(file.path))
        json.member("contentType", file.contentType)
        json.member("bytes", file.bytes)
        json.member("downloadUrl", link.url)
        json.member("downloadExpiresAt", time: link.expiresAt)
    }
}
