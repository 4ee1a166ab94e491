import Database
import NIOCore
import NIOPosix
import SocialGraph
import TestSupport
import Testing

@testable import GraphHTTP

@Suite(.timeLimit(.unit))
struct ClientPresenceTests {
    @Test(arguments: [CloseMode.output, .all])
    func `a client that closes its side, or the connection, has left`(mode: CloseMode) async throws {
        let presence = ClientPresence()
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group)
            .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(DisconnectObserver())
                    _ = DisconnectCallback(channel) { presence.leave() }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let address = try #require(server.localAddress)
        let client = try await ClientBootstrap(group: group).connect(to: address).get()
        #expect(!presence.hasLeft)
        try await client.close(mode: mode)
        // Not for synchronisation: the pause between two polls.
        while !presence.hasLeft { try await Task.sleep(for: .milliseconds(5)) }
        if mode == .output { try await client.close() }
        try await server.close()
    }

    @Test
    func `a walk is told of it, and nothing in the background is`() throws {
        try ClientPresence.check()
        let presence = ClientPresence()
        try ClientPresence.$current.withValue(presence) {
            try ClientPresence.check()
            presence.leave()
            #expect(throws: CancellationError.self) { try ClientPresence.check() }
        }
        try ClientPresence.check()
    }
}
