import Database
import Foundation
import Glibc
import Importing
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import StrictJSON
@testable import Timeline

/// Account deletion over HTTP, also with the server killed half-way.
@Suite(.timeLimit(.process))
struct AccountDeletionTests {
    private static let password = "correct horse"

    private func signUp(_ name: String, at server: GraphdServer) async throws -> APIClient {
        let body = #"{"email":"\#(name)@example.org","password":"\#(Self.password)","username":"\#(name)"}"#
        let answer = try await server.client().post("/v1/auth/signup", body)
        guard answer.status == 201 else { throw UnexpectedAnswer(answer) }
        return server.client(token: try answer.json["token"]?.text)
    }

    private func leave(_ client: APIClient, _ body: String) async throws -> Answer {
        try await client.send("DELETE", "/v1/me", body: Array(body.utf8))
    }

    @Test func `who leaves is gone with the acknowledgement`() async throws {
        try await GraphdServer.running { server in
            let ann = try await signUp("ann", at: server)
            let (friend, other) = (try await server.person(), try await server.person())
            let id = try #require(try await ann.get("/v1/me").json["userId"]?.text)
            let (post, path) = (try await ann.publish(), "/v1/users/\(id)")
            try await server.client(friend).act("PUT", "\(path)/follow")
            try await ann.act("PUT", "/v1/users/\(friend.idText)/follow")
            #expect(try await ann.patch("/v1/me", #"{"autoAcceptCollaborations":"following"}"#).status == 200)
            let shared = try await server.client(friend).publish(with: #""collaborators":["\#(id)"]"#)
            let sharedID = try #require(shared["postId"]?.text)
            #expect(shared["collaborators"]?.entries?.first?["status"] == .string("accepted"))
            #expect(try await server.client(friend).page("/v1/timelines/home") == [sharedID, post])

            try await leave(ann, "{}").expectProblem(400, "missing_field", field: "password")
            try await leave(ann, #"{"password":"wrong password"}"#).expectProblem(401, "wrong_credentials")
            try await leave(ann, #"{"password":"x","sure":true}"#).expectProblem(400, "unknown_field", field: "sure")
            #expect(try await ann.get("/v1/me").status == 200)
            let answer = try await leave(ann, #"{"password":"\#(Self.password)"}"#)
            #expect(answer.status == 204 && answer.body.isEmpty, "\(answer)")

            try await ann.get("/v1/me").expectProblem(401, "token_invalid")
            try await server.client().post(
                "/v1/auth/login", #"{"email":"ann@example.org","password":"\#(Self.password)"}"#
            ).expectProblem(401, "wrong_credentials")
            for reader in [server.client(friend), server.client(other)] {
                for gone in [path, "/v1/users/by-username/ann", "/v1/timelines/users/\(id)", "\(path)/followers"] {
                    try await reader.get(gone).expectProblem(404, "user_not_found")
                }
                try await reader.get("/v1/posts/\(post)").expectProblem(404, "post_not_found")
                #expect(try await !reader.page("/v1/timelines/public").contains(post))
                let left = try await reader.get("/v1/posts/\(sharedID)").json
                #expect(left["collaborators"] == .array([]))
                try await reader.put("\(path)/follow").expectProblem(404, "user_not_found")
            }
            #expect(try await server.client(friend).page("/v1/timelines/home") == [sharedID])
            #expect(try await server.client(friend).walk("/v1/users/\(friend.idText)/followers").isEmpty)
            // The username and the email address are free again.
            let next = try await signUp("ann", at: server)
            #expect(try await next.get("/v1/me").json["postsCount"] == .integer(0))
        }
    }

    @Test func `an erasure that was killed goes on`() async throws {
        try await GraphdServer.prepared(in: .process) { server in
            let author = try await server.person("author")
            var readers: [Person] = []
            for _ in 0..<20 {
                readers.append(try await server.person())
                try await server.graph.follows.follow(readers[readers.count - 1].id, author.id)
            }
            let other = try await server.person("other")
            for reader in readers { try await server.graph.follows.follow(reader.id, other.id) }
            let posts = (0..<600).map { NewPost(author: author.id, caption: "\($0)", mediaURL: "https://m.example/1") }
            _ = try await server.graph.bulkPosts.publish(batch: posts)
            let kept = try await server.graph.posts.publish(
                NewPost(author: other.id, caption: "kept", mediaURL: "https://m.example/1")
            ).id
            try await server.graph.reshares.reshare(kept, by: author.id)
            try await server.start()
            try await server.waitForJobs()
            for reader in readers {
                #expect(try await server.client(reader).page("/v1/timelines/home?limit=1").count == 1)
            }
            try await server.waitForJobs()
            // An erasure waits until the windows are cleared. So it is not over at the kill, however late that comes.
            _ = Glibc.kill(try await server.redisProcessID(), SIGSTOP)
            try await server.client(author).act("DELETE", "/v1/me")
            await server.kill()
            #expect(try await server.graph.erasures.erasures() == [author.id])

            try await server.start()
            let ids = [String(kept.rawValue)]
            // No reader has to wait for the erasure.
            for reader in readers { #expect(try await server.client(reader).page("/v1/timelines/home") == ids) }
            while try await server.graph.erasures.erasures() != [] {
                // Not for synchronisation: a busy loop would take processor time from the server.
                try await Task.sleep(for: .milliseconds(20))
            }
            try await server.waitForJobs()
            for reader in readers { #expect(try await server.client(reader).page("/v1/timelines/home") == ids) }
            let report = try await server.verify(readers.map(\.id))
            #expect(report.isClean, "\(report)")
            for reader in readers {
                #expect(try await server.client(reader).get("/v1/me").json["followingCount"] == .integer(1))
            }
        }
    }
}
