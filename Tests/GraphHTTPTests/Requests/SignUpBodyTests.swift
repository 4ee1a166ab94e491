import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import GraphHTTP
@testable import GraphServices

@Suite(.timeLimit(.unit))
struct SignUpBodyTests {
    @Test func `a large sign-up keeps its slot until its work is done`() async throws {
        let budgets = Budgets(rates: [:])
        let taken = Mutex<[Int]>([])
        let router = Router(context: GraphRequestContext.self)
        router.post("/") { request, context in
            try await request.withSignUpBody(context, budgets) { _ in
                taken.withLock { $0.append(budgets.taken(.signUpPictures)) }
                return Response(status: .created)
            }
        }
        let small = RequestLimits.credentialBodyBytes
        try await Application(router: router).test(.router) { client in
            for bytes in [small, small + 1] {
                let body = ByteBuffer(repeating: UInt8(ascii: " "), count: bytes)
                let answer = try await client.executeRequest(uri: "/", method: .post, headers: [:], body: body)
                #expect(answer.status == .created)
            }
        }
        #expect(taken.withLock { $0 } == [0, 1])
        #expect(budgets.taken(.signUpPictures) == 0)
    }
}
