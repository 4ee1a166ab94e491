import Database
import GraphAPI
import Moderation
import SocialGraph
import StrictJSON

/// Sends a question to a classifier: a signed call, as for webhooks (Standard Webhooks 1.0), whose answer is the
/// verdict. Only a 200 with `{"verdict": "allow"|"hold"|"flag"|"remove"}` is a verdict.
package struct ClassifierSender: Sendable {
    /// The guard of outgoing addresses; nil if this server calls no classifiers.
    package let addresses: AddressGuard?
    /// Makes a stored URL absolute.
    package let publicURL: @Sendable (String) -> String
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64

    package init(
        addresses: AddressGuard?, publicURL: @escaping @Sendable (String) -> String,
        now: @escaping @Sendable () -> Int64
    ) {
        self.addresses = addresses
        self.publicURL = publicURL
        self.now = now
    }

    package enum Reply: Sendable, Equatable {
        case answered(ClassifierAnswer)
        case failed(String)
    }

    package func ask(_ classifier: Classifier, _ question: Classification, within limit: Duration) async -> Reply {
        guard let addresses, let url = WebhookURL(classifier.url) else {
            return .failed("this server calls no classifiers")
        }
        let body = Self.body(of: question, publicURL)
        let signature = WebhookSignature.headers(
            message: WebhookSender.messageID(question.id), seconds: now() / 1_000, body: body,
            secret: classifier.secret)
        let holder = classifier.community.map { BudgetHolder.community($0.rawValue) } ?? .site
        do {
            let answer = try await TimeLimit.run(limit) {
                try await WebhookSender.post(
                    url, at: try await addresses.address(of: url, for: holder), WebhookSender.headers + signature, body,
                    readingAnswer: true, within: limit)
            }
            guard answer.status == 200 else { return .failed("answered \(answer.status)") }
            guard let verdict = ClassifierAnswer(answer.body) else { return .failed("the answer is not a verdict") }
            return .answered(verdict)
        } catch {
            return .failed("no answer: \(error)")
        }
    }

    /// `{type: "moderation.classify", data: {postId or commentId, …}}`
    package static func body(of question: Classification, _ publicURL: (String) -> String) -> [UInt8] {
        var json = JSONWriter(reservingCapacity: 1_024)
        json.beginObject()
        json.member("type", "moderation.classify")
        json.key("data")
        json.beginObject()
        switch question.content {
        case .post(let post): json.question(about: post, publicURL)
        case .comment(let comment, let community): json.question(about: comment, in: community)
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }
}

extension JSONWriter {
    fileprivate mutating func question(about post: Post, _ publicURL: (String) -> String) {
        member("postId", id: post.id.rawValue)
        origin(post.author, post.authorUsername, post.community?.id)
        member("caption", post.caption)
        member("title", post.title)
        member("mediaUrl", publicURL(post.mediaURL))
        member("thumbnailUrl", post.thumbnailURL.map(publicURL))
        member("link", post.link)
        member("category", post.category)
        member("tags", listing: post.algorithmTags) { $0.string($1) }
    }

    fileprivate mutating func question(about comment: PostComment, in community: CommunityID?) {
        member("commentId", id: comment.id.rawValue)
        member("onPostId", id: comment.post.rawValue)
        origin(comment.author, comment.authorUsername, community)
        member("text", comment.content)
    }

    private mutating func origin(_ user: UserID, _ username: String, _ community: CommunityID?) {
        member("userId", id: user.rawValue)
        member("username", username)
        member("communityId", id: community?.rawValue)
    }
}

extension ClassifierAnswer {
    /// Parses a verdict; nil if there is none. The text beside the verdict is truncated; values that are not text are
    /// ignored.
    package init?(_ body: [UInt8]) {
        guard case .object(let members)? = try? JSONReader.read(body) else { return nil }
        func member(_ name: String) -> JSONValue? { members.first { $0.name == name }?.value }
        guard case .string(let word)? = member("verdict"), let verdict = ClassifierVerdict(rawValue: word) else {
            return nil
        }
        self.init(verdict)
        if case .string(let text)? = member("reason") { reason = Self.plain(text) }
        guard case .array(let values)? = member("labels") else { return }
        labels = values.prefix(ModerationLimits.verdictLabels).compactMap { value in
            guard case .string(let label) = value else { return nil }
            return Self.plain(label)
        }
    }

    /// Returns the text in one line.
    private static func plain(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars.prefix(ModerationLimits.verdictReasonLength) {
            line.append(scalar.properties.generalCategory == .control ? " " : scalar)
        }
        return String(line)
    }
}
