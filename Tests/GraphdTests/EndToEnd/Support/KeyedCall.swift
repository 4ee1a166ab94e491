import Database
import Moderation
import ServiceTestSupport
import SocialGraph

@testable import GraphHTTP
@testable import StrictJSON

/// A request that creates something at a route, by a user who may, and another one with a different body.
struct KeyedCall: Sendable {
    let person: Person
    let path: String
    private let fields: [String]
    private let form: (file: String, texts: [(String, String)])?

    /// Prepares the post, community or order that the request needs.
    init(_ route: String, on server: GraphdServer) async throws {
        let person = try await server.person()
        self.person = person
        let client = server.client(person)
        let isForModerators = route.contains("/moderation/") || route.contains("/admin/")
        if isForModerators { _ = try await server.graph.moderation.appoint(.admin, person.id, reason: "test") }
        let own = String(person.id.rawValue)
        var (path, fields, form) = (route, [String](), (file: String, texts: [(String, String)])?.none)
        if route.hasSuffix("/collections") {
            path = route.replacing("{id}", with: own)
            fields = [#""name":"one""#, #""name":"two""#]
        } else if route.contains("/batches/") {
            let user = try await server.person()
            let order = try await client.post(
                "/v1/moderation/actions", Self.warning(of: user.id, "first"), headers: [])
            path = route.replacing("{batch}", with: try order.json["batch"]?.text ?? "")
            fields = [#""reason":"one""#, #""reason":"two""#]
        } else if route.contains("{id}") {
            let post = try await client.publish(with: Self.videoAttributes)["postId"]?.text
            path = route.replacing("{id}", with: post ?? "")
        }
        switch route.split(separator: "/").last {
        case "comments" where route.hasPrefix("/v1"), "comment" where route.hasPrefix("/vistavid"):
            fields = [#""content":"one""#, #""content":"two""#]
        case "comment", "comments": fields = [#""text":"one""#, #""text":"two""#]
        case "shares", "share": fields = [#""platform":"mail""#, #""platform":"chat""#]
        case "communities":
            fields = ["one", "two"].map { #""name":"\#($0) of \#(own)","description":"d""# }
        case "posts", "create":
            fields = ["one", "two"].map { #""caption":"\#($0)","mediaUrl":"https://example.org/v""# }
        case "webhooks": fields = ["one", "two"].map { #""url":"https://1.1.1.1/\#($0)""# }
        case "classifiers":
            fields = ["one", "two"].map {
                #""name":"\#($0)","url":"https://1.1.1.1/","timeoutMs":100,"fallback":"allow""#
            }
        case "rules":
            fields = ["one", "two"].map {
                #""name":"\#($0)","kind":"link","action":"hold","#
                    + #""definition":{"domains":["shop.example"],"mode":"deny"}"#
            }
        case "reports":
            let post = try await server.client(try await server.person()).publish()
            fields = ["one", "two"].map { #""postId":"\#(post)","reason":"\#($0)""# }
        case "appeals":
            let order = ModerationOrder(.warnUser, [.user(person.id)], reason: "r", note: "n")
            let entry = try await server.graph.moderation.moderate(order, by: nil).results[0].entry
            fields = ["one", "two"].map { #""entryId":"\#(entry?.rawValue ?? 0)","text":"\#($0)""# }
        case "actions":
            let user = try await server.person()
            fields = ["one", "two"].map { String(Self.warning(of: user.id, $0).dropFirst().dropLast()) }
        case "media": form = ("file", [])
        case "upload": form = ("videoFile", [("description", "d"), ("algorithmTags", "a")])
        default: break
        }
        (self.path, self.fields, self.form) = (path, fields, form)
    }

    /// A video of every product.
    private static let videoAttributes =
        #""attributes":{"workoutType":"HIIT","cuisineType":"Italian","difficultyLevel":"beginner"}"#

    private static func warning(of user: UserID, _ reason: String) -> String {
        #"{"action":"warnUser","subjects":[{"userId":"\#(user.rawValue)"}],"reason":"\#(reason)"}"#
    }

    /// The body and its content type. The boundary of a form depends on the attempt, its content does not.
    func body(_ attempt: Int) -> ([UInt8], String) { body(0, boundary: "boundary\(attempt)") }

    var otherBody: ([UInt8], String) { body(1, boundary: "other") }

    private func body(_ index: Int, boundary: String) -> ([UInt8], String) {
        guard let form else { return (Array("{\(fields[index])}".utf8), "application/json") }
        var text = FormText(boundary: boundary)
        for (name, value) in form.texts { text.add(name, value) }
        text.add(form.file, file: SampleFile.mp4(bytes: 200_000 + index), named: "\(boundary).mp4")
        return (text.bytes, text.contentType)
    }
}
