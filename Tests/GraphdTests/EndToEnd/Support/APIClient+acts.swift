import Database
import ServiceTestSupport
import SocialGraph
import Testing

@testable import StrictJSON

extension APIClient {
    func put(_ path: String, _ json: String) async throws -> Answer {
        try await send("PUT", path, body: Array(json.utf8))
    }

    func patch(_ path: String, _ json: String) async throws -> Answer {
        try await send("PATCH", path, body: Array(json.utf8))
    }

    /// Publishes a post with more members than the required ones, written as JSON without braces. Returns the post.
    func publish(with members: String) async throws -> JSONValue {
        let answer = try await post(
            "/v1/posts", #"{"caption":"a caption","mediaUrl":"https://example.org/v.mp4",\#(members)}"#)
        guard answer.status == 201 else { throw UnexpectedAnswer(answer) }
        return try answer.json
    }

    /// Sends a request `times` times and expects 204 without a body.
    func act(
        _ method: String, _ path: String, times: Int = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        for _ in 0..<times {
            let answer = try await send(method, path)
            #expect(
                answer.status == 204 && answer.body.isEmpty, "\(method) \(path): \(answer)",
                sourceLocation: sourceLocation)
        }
    }

    /// Creates a community and returns its id.
    func community(_ name: String) async throws -> String {
        let answer = try await post("/v1/communities", #"{"name":"\#(name)","description":"about it"}"#)
        guard answer.status == 201, let id = try answer.json["communityId"]?.text else {
            throw UnexpectedAnswer(answer)
        }
        return id
    }
}

extension Answer {
    /// Expects a problem with that status, code and field, all of them in its body too.
    func expectProblem(
        _ status: Int, _ code: String, field: String? = nil, _ comment: String = "",
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let what = Comment(rawValue: "\(comment) \(self)")
        #expect(self.status == status, what, sourceLocation: sourceLocation)
        #expect(header("Content-Type") == "application/problem+json", what, sourceLocation: sourceLocation)
        let problem = try json
        #expect(problem["code"] == .string(code), what, sourceLocation: sourceLocation)
        #expect(problem["status"] == .integer(Int64(status)), what, sourceLocation: sourceLocation)
        #expect(problem["field"] == field.map { .string($0) }, what, sourceLocation: sourceLocation)
        #expect(problem["detail"]?.text?.isEmpty == false, what, sourceLocation: sourceLocation)
    }
}

extension Person {
    var idText: String { String(id.rawValue) }
    var timeline: String { "/v1/timelines/users/\(id.rawValue)" }
}

/// Path segments that are not valid ids, and ids of nothing.
let noIDs = ["1", "0", "-1", "01", "x", "%00", "9007199254740991", "9007199254740992", "99999999999999999999"]
