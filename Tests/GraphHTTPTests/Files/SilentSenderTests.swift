import Foundation
import Hummingbird
import HummingbirdTesting
import NIOCore
import ServiceTestSupport
import TestSupport
import Testing

@Suite(.timeLimit(.process))
struct SilentSenderTests {
    @Test func `a sender that falls silent is given up and nothing is left`() async throws {
        try await MediaFixture.with(.init(pause: .milliseconds(300))) { fixture in
            try await fixture.application.test(.live) { client in
                var form = FormText(boundary: "b")
                form.add("file", file: SampleFile.mp4(bytes: 900_000))
                let connection = try RawConnection(port: try #require(client.port))
                try await connection.send(
                    "POST /v1/media HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer \(fixture.ann.token)\r\n"
                        + "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: \(form.bytes.count)\r\n\r\n"
                )
                try await connection.send(Array(form.bytes.prefix(600_000)))
                // The server closes the connection, because nothing more is sent.
                let answer = (try? await connection.receive()) ?? ""
                #expect(!answer.hasPrefix("HTTP/1.1 2"))
                while try !fixture.files().isEmpty {
                    // Not for synchronisation: the pause between two polls.
                    try await Task.sleep(for: .milliseconds(5))
                }
                #expect(try await fixture.rows() == 0)
            }
        }
    }
}
