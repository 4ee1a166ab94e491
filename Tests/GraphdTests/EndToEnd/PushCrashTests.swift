import Database
import Foundation
import Importing
import Push
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

/// Kills of the real server at seeded random instants while it sends notifications. None is lost or shown twice, and
/// only those being sent at a kill are sent twice.
@Suite(.serialized, .timeLimit(.model))
struct PushCrashTests {
    private static let devices = ["phone", "tablet"]

    /// Runs `body` with a server that sends to fake receivers and has not been started yet.
    private func withServer(
        _ body: @Sendable (GraphdServer, FakeFirebase, FakeReceiver, String) async throws -> Void
    ) async throws {
        let (firebase, receiver) = (try FakeFirebase(), FakeReceiver())
        try await firebase.running { base in
            try await receiver.running { hooks in
                let file = temporaryPath("account") + ".json"
                try firebase.writeServiceAccount(base: base, to: file)
                defer { try? FileManager.default.removeItem(atPath: file) }
                let arguments = ["--fcm-service-account", file, "--fcm-url", base, "--webhooks", "anywhere"]
                try await GraphdServer.prepared(arguments, in: .process) {
                    try await body($0, firebase, receiver, hooks)
                }
            }
        }
        #expect(firebase.malformed == [])
    }

    private func waitForJobs(_ server: GraphdServer) async throws {
        while try await server.graph.pushDeliveries.pushBacklog() != (0, 0) {
            // Not for synchronisation: a busy loop would take processor time from the server.
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test func `killed senders lose nothing and repeat only what was under way`() async throws {
        try await withServer { server, firebase, receiver, hooks in
            var generator = SplitMix64(seed: 5)
            let (ann, bob) = (try await server.person("ann"), try await server.person("bob"))
            try await server.start()
            let client = server.client(ann)
            for device in Self.devices {
                #expect(try await client.put("/v1/me/devices/\(device)", #"{"platform":"ios"}"#).status == 204)
            }
            let webhook = try await client.post("/v1/me/webhooks", #"{"url":"\#(hooks)/hook","events":["like"]}"#).json
            let secret = try #require(webhook["secret"]?.text)
            var expected: Set<String> = []
            for _ in 0..<6 {
                let posts = try await server.graph.bulkPosts.publish(
                    batch: (0..<40).map { NewPost(author: ann.id, caption: "\($0)", mediaURL: "https://m.example/1") })
                let instant = Int64.random(in: 1...700, using: &generator)
                // Some messages are refused temporarily, others are accepted without an answer.
                firebase.script(
                    "token:phone",
                    (0..<10).map { _ in
                        Int.random(in: 0..<3, using: &generator) == 0
                            ? .refuse(503, "UNAVAILABLE", retryAfter: "0") : .accept
                    })
                // Half of the likes are made beside the server, so that there is enough to send at once.
                for post in posts.prefix(20) { try await server.graph.likes.like(post, by: bob.id) }
                let liking = Task {
                    // A like interrupted by the kill does not count. The client would keep trying to reach the server.
                    for post in posts.dropFirst(20) where !Task.isCancelled {
                        _ = try? await server.client(bob).put("/v1/posts/\(post.rawValue)/like")
                    }
                }
                // Not for synchronisation: it picks the instant of the kill.
                try await Task.sleep(for: .milliseconds(instant))
                await server.kill()
                liking.cancel()
                await liking.value
                try await server.start()
                for post in posts where try await server.graph.likes.likeID(of: post, by: bob.id) != nil {
                    expected.insert(String(post.rawValue))
                }
                try await waitForJobs(server)
            }
            #expect(expected.count >= 120, "nothing was tested")
            for device in Self.devices {
                let messages = firebase.taken.filter { $0.target == "token:\(device)" }
                #expect(Set(messages.compactMap { $0.data["videoId"] }) == expected, "\(device)")
                // On screen, a message replaces another one with the same tag.
                #expect(Set(messages.map(\.tag)).count == expected.count, "\(device)")
                // Each round has one kill, so a message can be interrupted once.
                for copies in Dictionary(grouping: messages, by: \.tag).values {
                    #expect(copies.count <= 2 && copies.allSatisfy { $0 == copies[0] }, "\(copies)")
                }
            }
            let received = Dictionary(grouping: receiver.taken, by: \.id).values
            #expect(received.count == expected.count)
            for copies in received {
                #expect(copies.count <= 2 && copies.allSatisfy { $0.body == copies[0].body })
            }
            for message in receiver.taken { #expect(try message.isSigned(by: secret)) }
        }
    }

    @Test func `without a kill each device is told exactly once`() async throws {
        try await withServer { server, firebase, _, _ in
            let (ann, bob) = (try await server.person("ann"), try await server.person("bob"))
            try await server.start()
            for device in Self.devices {
                try await server.graph.devices.registerDevice(device, platform: .ios, app: nil, of: ann.id)
            }
            let posts = try await server.graph.bulkPosts.publish(
                batch: (0..<60).map { NewPost(author: ann.id, caption: "\($0)", mediaURL: "https://m.example/1") })
            firebase.script(
                "token:tablet",
                (0..<40).map { $0.isMultiple(of: 3) ? .refuse(503, "UNAVAILABLE", retryAfter: "0") : .accept })
            for post in posts {
                #expect(try await server.client(bob).put("/v1/posts/\(post.rawValue)/like").status == 200)
                // An orderly restart first finishes the messages in progress.
                if post == posts[30] {
                    #expect(await server.stop() == .exited(0))
                    try await server.start()
                }
            }
            try await waitForJobs(server)
            let targets = firebase.taken.map { "\($0.target) \($0.tag)" }
            #expect(targets.count == posts.count * Self.devices.count && Set(targets).count == targets.count)
            let metrics = try await server.client().get("/metrics").text
            #expect(metrics.contains(#"graphd_pushes_total{channel="device",outcome="sent"}"#))
            #expect(metrics.contains(#"graphd_pushes_waiting{stage="delivery"} 0"#))
            #expect(!server.logLines.contains { $0.contains("tablet") || $0.contains("access-1") })
        }
    }
}
