import Database
import Foundation
import HTTPMiddleware
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import RedisClient
import ServiceTestSupport
import Sessions
import SocialGraph
import Synchronization
import TestSupport
import Testing
import Timeline

@testable import CommandSupport
@testable import GraphHTTP
@testable import GraphServices
@testable import MediaFiles
@testable import StrictJSON

/// The routes of files in this process, over a data directory of their own, so that a test can fill the disk, move
/// clocks and let programs fail. There is no Redis.
struct MediaFixture: Sendable {
    let graph: GraphStore
    let directory: MediaDirectory
    let store: MediaService
    let uploads: MediaUpload
    let videoLimits: VideoLimits
    let ann: Person
    let bob: Person
    let application: Application<RouterResponder<GraphRequestContext>>

    struct Settings: Sendable {
        var limits = MediaService.Limits()
        var pause = RequestLimits.uploadPause
        /// The programs that examine videos within requests.
        var tools: VideoTools?
        var videoLimits = VideoLimits(probe: .seconds(600), poster: .seconds(600))
        var quota = RequestLimits.mediaQuota
        var write: Spool.Write = { Foundation.write($0, $1, $2) }
        var space = UploadSpace.unbounded
        var isShared = true
        /// Milliseconds since 1970, for signed links.
        var now: @Sendable () -> Int64 = SystemClock.milliseconds
        /// The place of stored files; nil for the directory.
        var storage: (@Sendable (GraphStore, BoundedWork) async throws -> any FileStorage)?
    }

    /// Runs `body`, and removes everything afterwards.
    static func with(_ settings: Settings = Settings(), _ body: (MediaFixture) async throws -> Void) async throws {
        let path = temporaryPath("media")
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(try await MediaFixture(path, settings))
    }

    private init(_ path: String, _ settings: Settings) async throws {
        let data = try DataDirectory.create(at: path)
        try EmptyGraph.create(at: data.database)
        graph = try data.openGraph()
        directory = MediaDirectory(at: data.media)
        let spool = try Spool(in: data.media, space: settings.space, write: settings.write)
        let work = MediaService.fileWork()
        let storage = try await settings.storage?(graph, work) ?? DirectoryStorage(directory: directory, work: work)
        store = MediaService(
            storage: storage, spool: spool, work: work, graph: graph, limits: settings.limits, quota: settings.quota,
            logger: .silent)
        let tokens = TokenIssuer(keys: try await TokenKeys(directory: path))
        ann = try await Self.person("ann", graph, tokens)
        bob = try await Self.person("bob", graph, tokens)
        let timelines = try await TimelineService(
            graph: graph, formerOwner: .mayLive,
            redis: .servers([RedisConfiguration(endpoint: .unix(path: data.redisSocket))]),
            depth: WindowDepth(cap: 16), logger: .silent,
            encoding: PostEncoding(urls: PublicURL(configured: nil)).items)
        let revocations = TokenRevocations(graph: graph)
        graph.database.observeCommits { revocations.observe($0.changes) }
        let authentication = Authentication(
            callers: CallerVerifier(tokens: tokens, revocations: revocations, oidc: nil),
            rateLimit: RateLimit(budgets: .unlimited()))
        videoLimits = settings.videoLimits
        uploads = MediaUpload(
            store: store, examiner: RequestExaminer(settings.tools, limits: settings.videoLimits, logger: .silent),
            budgets: .unlimited(), pause: settings.pause, isShared: { settings.isShared })
        let urls = PublicURL(configured: "http://a.example")
        let routes = MediaRoutes(
            graph: graph, upload: uploads,
            files: FileResponse(store: store, budgets: .unlimited()),
            access: MediaAccess(graph: graph, timelines: timelines.readers),
            links: MediaLinks(graph: graph, urls: urls, now: settings.now),
            authentication: authentication, rateLimit: RateLimit(budgets: .unlimited()),
            urls: urls)
        let router = Router(context: GraphRequestContext.self, options: .autoGenerateHeadEndpoints)
        router.add(
            middleware: RequestObserver(
                routes: RouteTable(), metrics: RequestMetrics(factory: PrometheusRegistry())))
        router.get("/media/{file}", use: routes.file)
        let v1 = router.group("/v1").add(middleware: authentication)
        v1.post("/media", use: routes.store)
        v1.get("/media/{id}", use: routes.status)
        v1.get("/media/{id}/link", use: routes.link)
        application = Application(
            router: router, server: AcceptedHTTP1.builder,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .silent)
    }

    private static func person(
        _ name: String, _ graph: GraphStore, _ tokens: TokenIssuer
    ) async throws -> Person {
        let account = try await graph.accounts.createAccount(username: name, email: nil, passwordHash: nil)
        let token = try await tokens.issue(userID: account.id.rawValue, lifetime: .seconds(3600)).token
        return .init(id: account.id, username: name, token: token)
    }

    /// The names of all files in the directory, including temporary ones.
    func files() throws -> Set<String> { try fileNames(below: directory.path) }

    func rows() async throws -> Int64? {
        try await graph.database.read { try $0.first("SELECT COUNT(*) FROM media", []) { $0.integer(0) } }
    }

    /// Sends `POST /v1/media` as ann.
    func upload(_ form: FormText) async throws -> TestResponse {
        let answers = Mutex<[TestResponse]>([])
        try await application.test(.router) { client in
            let answer = try await client.upload(form, as: ann)
            answers.withLock { $0.append(answer) }
        }
        return try #require(answers.withLock { $0.first })
    }

    /// Sends `GET /v1/media/{id}`, as ann by default.
    func status(_ id: String, as person: Person? = nil) async throws -> TestResponse {
        let answers = Mutex<[TestResponse]>([])
        try await application.test(.router) { [ann] client in
            let answer = try await client.file("/v1/media/\(id)", as: person ?? ann)
            answers.withLock { $0.append(answer) }
        }
        return try #require(answers.withLock { $0.first })
    }

    /// Stores a file without HTTP.
    func keep(_ bytes: [UInt8], by owner: Person) async throws -> Media {
        var rest: ByteBuffer? = ByteBuffer(bytes: bytes)
        let file = try await store.receive(field: "file", for: .server) {
            defer { rest = nil }
            return rest
        }
        return try await store.keep([file], by: owner.id)[0]
    }

    /// Publishes a post of `author` that shows `media`.
    func post(_ media: Media, asThumbnail: Bool = false, _ post: NewPost) async throws -> PostID {
        let id = try await graph.posts.publish(post).id
        let column = asThumbnail ? "thumbnail_id" : "media_id"
        _ = try await graph.database.write { transaction in
            try transaction.execute("UPDATE post SET \(column) = ?2 WHERE id = ?1", [.post(id), .media(media.id)])
        }
        return id
    }
}

extension TestClientProtocol {
    func upload(_ form: FormText, as person: Person?) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: form.contentType]
        if let person { headers[.authorization] = "Bearer \(person.token)" }
        return try await executeRequest(
            uri: "/v1/media", method: .post, headers: headers, body: ByteBuffer(bytes: form.bytes))
    }

    func file(
        _ path: String, as person: Person? = nil, _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        if let person { headers[.authorization] = "Bearer \(person.token)" }
        return try await executeRequest(uri: path, method: .get, headers: headers, body: nil)
    }
}

extension TestResponse {
    var json: JSONValue { get throws { try JSONReader.read(Array(body.readableBytesView)) } }
    var code: String? { try? json["code"]?.text }
}
