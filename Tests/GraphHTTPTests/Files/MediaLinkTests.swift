import Database
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import ObjectStorageTestSupport
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import GraphServices
@testable import StrictJSON

/// Signed links to files, through the routes.
@Suite(.timeLimit(.process))
struct MediaLinkTests {
    /// A fixture whose links follow a clock of the test.
    private static func with(
        _ body: @escaping @Sendable (MediaFixture, AdjustableClock) async throws -> Void
    ) async throws {
        let clock = AdjustableClock()
        var settings = MediaFixture.Settings()
        settings.now = { clock.now }
        try await MediaFixture.with(settings) { try await body($0, clock) }
    }

    /// Returns the path and query of the link that `person` gets.
    private static func link(
        _ media: Media, _ person: Person, _ client: some TestClientProtocol, _ query: String = ""
    ) async throws -> String {
        let answer = try await client.file("/v1/media/\(media.id.rawValue)/link\(query)", as: person)
        #expect(answer.status == .ok, "\(String(buffer: answer.body))")
        let url = try #require(try answer.json["url"]?.text)
        #expect(url.hasPrefix("http://a.example/media/"))
        return String(url.dropFirst("http://a.example".count))
    }

    @Test func `a link opens a file without a token until its end`() async throws {
        try await Self.with { fixture, clock in
            let bytes = SampleFile.mp4(bytes: 70_000)
            let media = try await fixture.keep(bytes, by: fixture.ann)
            try await fixture.application.test(.router) { client in
                let link = try await Self.link(media, fixture.ann, client, "?expiresIn=60")
                let whole = try await client.file(link)
                #expect(whole.status == .ok && Array(whole.body.readableBytesView) == bytes)
                #expect(whole.headers[.cacheControl] == "private, no-store")
                let part = try await client.file(link, as: nil, [.range: "bytes=5-9"])
                #expect(part.status == .partialContent && Array(part.body.readableBytesView) == Array(bytes[5...9]))
                // A token of somebody who may not see the file takes nothing from the link.
                #expect(try await client.file(link, as: fixture.bob).status == .ok)
                clock.advance(by: .seconds(59))
                #expect(try await client.file(link).status == .ok)
                clock.advance(by: .seconds(1))
                let late = try await client.file(link)
                #expect(late.status == .notFound && late.code == "media_not_found")
                #expect(try late.json["detail"]?.text == "This link has expired.")
                #expect(late.headers[.cacheControl] == "no-store")
                #expect(try await client.file(link, as: fixture.ann).status == .notFound)
            }
        }
    }

    @Test func `a changed link opens nothing`() async throws {
        try await Self.with { fixture, clock in
            let media = try await fixture.keep(SampleFile.png(), by: fixture.ann)
            let other = try await fixture.keep(SampleFile.png(), by: fixture.ann)
            try await fixture.application.test(.router) { client in
                let link = try await Self.link(media, fixture.ann, client)
                let query = try #require(link.split(separator: "?").last)
                let end = clock.now / 1_000 + RequestLimits.defaultLinkSeconds
                #expect(query.contains("expires=\(end)&"))
                let (user, file) = (fixture.ann.id.rawValue, media.path)
                let forgeries: [String] = [
                    "\(other.path)?\(query)", link.replacing("expires=\(end)", with: "expires=\(end + 1)"),
                    link.replacing("user=\(user)", with: "user=\(fixture.bob.id.rawValue)"), String(link.dropLast()),
                    "\(link)A", link.replacing("signature=", with: "signature=%41"), String(link.prefix { $0 != "&" }),
                    "\(file)?user=1&expires=1&signature=", file,
                    "\(file)?user=x&expires=y&signature=\(String(repeating: "A", count: 43))",
                ]
                for forged in forgeries {
                    let answer = try await client.file(forged)
                    #expect(answer.status == .notFound && answer.code == "media_not_found", "\(forged)")
                    #expect(try answer.json["detail"]?.text == "There is no such file.")
                }
                // Others' parameters do no harm.
                #expect(try await client.file(link + "&width=1").status == .ok)
                #expect(try await client.file("/media/\(media.id.rawValue)?\(query)").status == .ok)
            }
        }
    }

    @Test func `who may see a file gets a link, and it opens what its user may see`() async throws {
        try await Self.with { fixture, _ in
            let media = try await fixture.keep(SampleFile.png(), by: fixture.ann)
            let path = "/v1/media/\(media.id.rawValue)/link"
            try await fixture.application.test(.router) { client in
                let missing = try await client.file(path, as: fixture.bob)
                #expect(missing.status == .notFound && missing.code == "media_not_found")
                #expect(try await client.file("/v1/media/7/link", as: fixture.bob).status == .notFound)
                #expect(try await client.file(path).status == .unauthorized)
                for wrong in ["0", "3601", "-1", "1.5", "soon", ""] {
                    let answer = try await client.file("\(path)?expiresIn=\(wrong)", as: fixture.ann)
                    #expect(answer.status == .badRequest && answer.code == "invalid_parameter", "\(wrong)")
                }
                let quiet = NewPost(author: fixture.ann.id, caption: "c", mediaURL: media.path, visibility: .followers)
                let post = try await fixture.post(media, quiet)
                #expect(try await client.file(path, as: fixture.bob).status == .notFound)
                try await fixture.graph.follows.follow(fixture.bob.id, fixture.ann.id)
                let link = try await Self.link(media, fixture.bob, client, "?expiresIn=3600")
                #expect(try await client.file(link).status == .ok)
                // Hidden from its user, the file is gone for the link as well.
                try await fixture.graph.blocksAndMutes.block(fixture.ann.id, fixture.bob.id)
                #expect(try await client.file(link).status == .notFound)
                let own = try await Self.link(media, fixture.ann, client)
                try await fixture.graph.posts.deletePost(post, by: fixture.ann.id)
                #expect(try await client.file(own).status == .ok)
                // So is it for a user who may not read at present.
                try await fixture.graph.setSuspended(true, fixture.ann.id)
                #expect(try await client.file(own).status == .notFound)
                try await fixture.graph.setSuspended(false, fixture.ann.id)
                #expect(try await client.file(own).status == .ok)
            }
        }
    }

    @Test func `links work for files in a bucket, whole and by its own links`() async throws {
        for (parameters, status) in [("", HTTPResponse.Status.ok), ("&links=signed", .temporaryRedirect)] {
            try await StrictS3.with { service in
                var settings = MediaFixture.Settings()
                settings.storage = BucketMediaTests.bucket(service.address(prefix: "p", parameters))
                try await MediaFixture.with(settings) { fixture in
                    let media = try await fixture.keep(SampleFile.png(), by: fixture.ann)
                    try await fixture.application.test(.router) { client in
                        let link = try await Self.link(media, fixture.ann, client)
                        let answer = try await client.file(link)
                        #expect(answer.status == status && answer.headers[.cacheControl] == "private, no-store")
                        #expect(try await client.file(media.path).status == .notFound)
                    }
                }
            }
        }
    }

    @Test func `every node accepts the links of all, and another graph none`() async throws {
        try await Self.with { fixture, clock in
            let urls = PublicURL(configured: "http://a.example")
            let media = try await fixture.keep(SampleFile.png(), by: fixture.ann)
            let nodes = (0..<4).map { _ in MediaLinks(graph: fixture.graph, urls: urls, now: { clock.now }) }
            let made = try await withThrowingTaskGroup(of: String.self) { group in
                for node in nodes {
                    group.addTask { try await node.link(to: media, for: fixture.ann.id, validFor: 60).url }
                }
                return try await group.reduce(into: Set<String>()) { $0.insert($1) }
            }
            #expect(made.count == 1, "the nodes agree on one key")
            let claim = try #require(MediaLinks.Claim(url: made.first ?? ""))
            #expect(try await nodes[1].verdict(on: claim, for: media.path) == .valid(fixture.ann.id))
            // 32 bytes of another key.
            try await fixture.graph.settings.store(String(repeating: "A", count: 43), as: MediaLinks.keySetting)
            let restarted = MediaLinks(graph: fixture.graph, urls: urls, now: { clock.now })
            #expect(try await restarted.verdict(on: claim, for: media.path) == .forged)
        }
    }
}

extension MediaLinks.Claim {
    /// The claim of a link as a receiver of it reads it.
    fileprivate init?(url: String) {
        let query = url.split(separator: "?").last ?? ""
        let pairs = query.split(separator: "&").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        let values = Dictionary(pairs.compactMap { $0.count == 2 ? ($0[0], $0[1]) : nil }) { first, _ in first }
        guard let user = values["user"], let expires = values["expires"], let signature = values["signature"] else {
            return nil
        }
        self.init(user: user, expires: expires, signature: signature)
    }
}
