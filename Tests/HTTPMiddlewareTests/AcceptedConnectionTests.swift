import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import Logging
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import HTTPMiddleware

@Suite(.timeLimit(.unit))
struct AcceptedConnectionTests {
    /// SwiftNIO would end the process.
    @Test
    func `a connection that nobody serves is closed`() async throws {
        let http = AcceptedHTTP1({ _, _, _ in })
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                http.setup(channel: channel, logger: .silent).map { _ in }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let client = try RawConnection(port: try #require(server.localAddress?.port))
        #expect(try await client.receive() == "")
        try await server.close()
    }

    @Test
    func `only one task gets a connection, and it closes it`() async throws {
        let http = AcceptedHTTP1({ _, _, _ in })
        let (accepted, connections) = AsyncStream<AcceptedConnection>.makeStream()
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                http.setup(channel: channel, logger: .silent).map { _ = connections.yield($0) }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let client = try RawConnection(port: try #require(server.localAddress?.port))
        for await connection in accepted {
            let taken = try #require(connection.take())
            #expect(connection.take() == nil)
            try await taken.executeThenClose { _, _ in }
            break
        }
        #expect(try await client.receive() == "")
        try await server.close()
    }

    @Test
    func `a server answers, and ends while clients connect`() async throws {
        let router = Router()
        router.get("/") { _, _ in "here" }
        for _ in 0..<20 {
            let application = Application(
                router: router, server: AcceptedHTTP1.builder,
                configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: .silent)
            try await application.test(.live) { client in
                #expect(try await client.execute(uri: "/", method: .get).body == ByteBuffer(string: "here"))
                let port = try #require(client.port)
                for _ in 0..<20 { _ = try RawConnection(port: port) }
            }
        }
    }
}
