import ArgumentParser
import ServiceTestSupport
import SocialGraph
import TestSupport
import Testing

@testable import CommandSupport
@testable import graphd
@testable import GraphServices
@testable import Sessions
@testable import StrictJSON

/// `graphd key rotate` beside a running server.
@Suite(.timeLimit(.process))
struct KeyRotationTests {
    @Test func `sessions outlive a rotation and new tokens name the new key`() async throws {
        try await GraphdServer.running { server in
            let path = server.directory.path
            let old = try await server.person()
            // An old token, from the time before tokens named their key.
            let key = try TokenKey.loadOrCreate(inDirectory: path)
            let unnamed = try UnnamedToken.resigned(old.token, by: key)
            #expect(try await server.client(token: unnamed).get("/v1/me").status == 200)

            var rotate = try KeyRotateCommand.parse(["--data-dir", path])
            try await rotate.run()
            try await server.tokens.reloadKeys()
            let new = try await server.person()
            for token in [old.token, new.token, unnamed] {
                #expect(try await server.client(token: token).get("/v1/me").status == 200)
            }
            // A server that starts with the rotated key ring accepts the same tokens.
            _ = await server.stop()
            try await server.start()
            for token in [old.token, new.token, unnamed] {
                #expect(try await server.client(token: token).get("/v1/me").status == 200)
            }

            rotate = try KeyRotateCommand.parse(["--data-dir", path, "--revoke"])
            try await rotate.run()
            // The server checks the files every second. The loop waits for that.
            for token in [old.token, new.token, unnamed] {
                while try await server.client(token: token).get("/v1/me").status != 401 { await Task.yield() }
            }
            try await server.tokens.reloadKeys()
            #expect(try await server.client(await server.person()).get("/v1/me").status == 200)
        }
    }
}
