import Database
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServiceTestSupport
import SocialGraph
import Synchronization
import TestSupport
import Testing

@testable import GraphHTTP
@testable import GraphServices
@testable import MediaFiles

/// The shares that one user, and one address, have of uploads, downloads and exports.
@Suite(.timeLimit(.process))
struct TransferSlotTests {
    /// A router that tells the client why a request was refused.
    private func router() -> Router<GraphRequestContext> {
        let router = Router(context: GraphRequestContext.self)
        let metrics = RequestMetrics(factory: PrometheusRegistry())
        router.add(middleware: RequestObserver(routes: RouteTable(), metrics: metrics))
        return router
    }

    @Test func `a user and an address have a share of the downloads`() async throws {
        try await MediaFixture.with { fixture in
            let media = try await fixture.keep(SampleFile.png(), by: fixture.ann)
            let limit = SlotLimit(perHolder: 2, perAddress: 4, total: 8)
            let files = FileResponse(
                store: fixture.store, budgets: Budgets(rates: [:], slots: [.downloads: limit]))
            let open = Mutex<[Response]>([])
            let router = router()
            router.get("/{user}") { request, context in
                context.caller.identify(as: context.parameters.get("user").flatMap { Int64($0) } ?? 0)
                let response = try await files.response(to: request, context, for: media, isPublic: false)
                open.withLock { $0.append(response) }
                return Response(status: .ok)
            }
            try await Application(router: router).test(.router) { client in
                // The caller 0 is nobody, whose downloads count for the address alone.
                for (user, status) in [
                    (1, HTTPResponse.Status.ok), (1, .ok), (1, .tooManyRequests), (0, .ok), (2, .ok),
                    (2, .tooManyRequests), (0, .tooManyRequests), (3, .tooManyRequests),
                ] {
                    let answer = try await client.executeRequest(
                        uri: "/\(user)", method: .get, headers: [:], body: nil)
                    #expect(answer.status == status, "\(user)")
                    #expect(status == .ok || answer.code == "rate_limited")
                }
                open.withLock { $0 = [] }
                let answer = try await client.executeRequest(uri: "/3", method: .get, headers: [:], body: nil)
                #expect(answer.status == .ok)
            }
        }
    }

    @Test func `an address has a share of the uploads, however many users it has`() async throws {
        try await MediaFixture.with { fixture in
            let budgets = Budgets(rates: [:])
            let uploads = MediaUpload(
                store: fixture.store, examiner: RequestExaminer(nil, logger: .silent), budgets: budgets)
            let router = router()
            router.post("/") { [ann = fixture.ann] request, context in
                _ = try await uploads.receive(
                    request, context, owner: ann.id, form: UploadForm(file: "file", thumbnail: "thumbnail"))
                return Response(status: .created)
            }
            var held: [BudgetSlot] = []
            for user in 1...SlotBudget.uploads.limit.perAddress {
                held.append(try budgets.slot(.uploads, for: .user(Int64(user)), .address(.local)))
            }
            var form = FormText()
            form.add("file", file: SampleFile.png())
            let headers: HTTPFields = [.contentType: form.contentType]
            try await Application(router: router).test(.router) { [held, bytes = form.bytes] client in
                for status in [HTTPResponse.Status.tooManyRequests, .created] {
                    let answer = try await client.executeRequest(
                        uri: "/", method: .post, headers: headers, body: ByteBuffer(bytes: bytes))
                    #expect(answer.status == status)
                    held[0].release()
                }
            }
            #expect(budgets.taken(.uploads) == held.count - 1)
            held = []
        }
    }

    @Test func `an address has a share of the exports, however many users it has`() async throws {
        try await MediaFixture.with { fixture in
            let budgets = Budgets(rates: [:])
            let exports = ExportRoutes(
                graph: fixture.graph, budgets: budgets, encoding: PostEncoding(urls: PublicURL(configured: nil)))
            let router = router()
            router.get("/") { [ann = fixture.ann] request, context in
                context.caller.identify(as: ann.id.rawValue)
                return try await exports.export(request, context)
            }
            let others = (1...SlotBudget.exports.limit.perAddress).map { fixture.ann.id.rawValue + Int64($0) }
            let held = try others.map { try budgets.slot(.exports, for: .user($0), .address(.local)) }
            try await Application(router: router).test(.router) { client in
                for status in [HTTPResponse.Status.tooManyRequests, .ok] {
                    let answer = try await client.executeRequest(uri: "/", method: .get, headers: [:], body: nil)
                    #expect(answer.status == status)
                    held[0].release()
                }
            }
            #expect(budgets.taken(.exports) == held.count - 1)
        }
    }
}
