import Database
import GraphAPI
import Moderation
import Push
import SocialGraph

/// The subject of a push, in its state when the user is told.
enum PushSubject: Sendable {
    case group(NotificationGroup, ModerationNotice?)
    case post(Post)

    var post: PostID? {
        switch self {
        case .group(let group, _): group.post
        case .post(let post): post.id
        }
    }

    func text(_ kind: PushKind) -> PushText {
        switch self {
        case .group(let group, let notice): PushText(group, notice)
        case .post(let post): PushText(kind, post)
        }
    }
}

/// Pushes as JSON, encoded anew for each attempt.
enum PushPayload {
    static func text(_ channel: PushChannel, _ kind: PushKind, subject id: Int64, _ subject: PushSubject) -> String {
        var json = JSONWriter(reservingCapacity: 512)
        switch channel {
        case .device: json.message(kind, subject: id, subject)
        case .webhook: json.webhookEvent(kind, subject)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

extension JSONWriter {
    /// The members of an FCM message except its recipient: `"notification":{title, body}, "data":{…}`, and for each
    /// platform the key by which a message replaces an earlier one of the same subject on a device's screen. (Not
    /// `collapse_key`: of the messages that wait for a device which is off, FCM keeps those of four keys only.)
    fileprivate mutating func message(_ kind: PushKind, subject id: Int64, _ subject: PushSubject) {
        let (text, tag) = (subject.text(kind), "\(kind.rawValue)-\(id)")
        key("notification")
        beginObject()
        member("title", text.title)
        member("body", text.body)
        endObject()
        key("data")
        beginObject()
        messageData(kind, subject)
        endObject()
        for (platform, part, name) in [
            ("android", "notification", "tag"), ("apns", "headers", "apns-collapse-id"),
            ("webpush", "notification", "tag"),
        ] {
            key(escaping: platform)
            beginObject()
            key(escaping: part)
            beginObject()
            member(escaping: name, tag)
            endObject()
            endObject()
        }
    }

    /// Strings, as FCM demands. For a new video, only its id, as in FitStream.
    private mutating func messageData(_ kind: PushKind, _ subject: PushSubject) {
        if kind != .newVideo {
            member("type", kind.rawValue)
        }
        if case .group(let group, _) = subject {
            member("notificationId", id: group.id)
            if let comment = group.latest.comment {
                member("commentId", id: comment.rawValue)
            }
        }
        if let post = subject.post {
            member("videoId", id: post.rawValue)
        }
    }

    /// The body of a webhook message, as Standard Webhooks advises: `{type, timestamp, data}`. `data` is a notification
    /// in the encoding of `GET /v1/notifications`, or {postId, title, message}.
    fileprivate mutating func webhookEvent(_ kind: PushKind, _ subject: PushSubject) {
        beginObject()
        member("type", kind.rawValue)
        key("timestamp")
        switch subject {
        case .group(let group, let notice):
            timestamp(milliseconds: IDSequence.milliseconds(of: group.latest.id))
            key("data")
            notificationGroup(group, notice)
        case .post(let post):
            timestamp(milliseconds: post.createdAt)
            key("data")
            beginObject()
            member("postId", id: post.id.rawValue)
            member("title", post.title)
            member("message", subject.text(kind).body)
            endObject()
        }
        endObject()
    }
}
