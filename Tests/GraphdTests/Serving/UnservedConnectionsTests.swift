import Foundation
import GraphServices
import HTTPMiddleware
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import graphd

/// Connections that the server accepts as it ends, and that no task serves. SwiftNIO would end the process.
@Suite(.timeLimit(.unit))
struct UnservedConnectionsTests {
    private static let responder: HTTPChannelHandler.Responder = { _, _, _ in Issue.record("a request was served") }

    private static func withListener(
        _ guarded: some ServerChildChannel, _ body: (Int) async throws -> Void
    ) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in guarded.setup(channel: channel, logger: .silent).map { _ in } }
            .bind(host: "127.0.0.1", port: 0).get()
        try await body(try #require(server.localAddress?.port))
        try await server.close()
    }

    private let limiter = ConnectionLimiter(limit: 10, perAddress: 10, refusals: 1)
    private let meter = ConnectionMeter(logger: .silent, factory: PrometheusRegistry())

    private var http1: GuardedHTTP1 {
        GuardedHTTP1(Self.responder, limiter: limiter, meter: meter, patience: .init())
    }

    @Test
    func `one of HTTP/1 is closed`() async throws {
        try await Self.withListener(http1) { port in
            let received = try await RawConnection(port: port).receive()
            #expect(received == "")
        }
    }

    @Test
    func `a stream of HTTP/2 is ended`() async throws {
        let directory = temporaryPath("certificates")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let files = try await TestCertificate("first", in: directory)
        let guarded = GuardedHTTPS(
            certificate: try ServerCertificate(CertificateFiles(chain: files.chain, key: files.key)), http1: http1,
            http2: GuardedHTTP2(http: http1.http, meter: meter, patience: .init()))
        try await Self.withListener(guarded) { port in
            let client = try await FrameClient(port: port)
            client.request("GET", "/healthz", stream: 1, isWhole: true)
            client.flush()
            let isReset = await client.frame(.reset, stream: 1)
            #expect(isReset)
            try await client.close()
        }
    }
}
