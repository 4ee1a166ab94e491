import Foundation
import TestSupport
import Testing

@testable import graphd

@Suite(.timeLimit(.process))
struct ServerCertificateTests {
    private static func withDirectory(_ body: (String) async throws -> Void) async throws {
        let directory = temporaryPath("certificates")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        try await body(directory)
    }

    @Test func `a changed pair is loaded once`() async throws {
        try await Self.withDirectory { directory in
            let (first, second) = (
                try await TestCertificate("first", in: directory), try await TestCertificate("second", in: directory)
            )
            let certificate = try ServerCertificate(.init(chain: first.chain, key: first.key))
            let context = certificate.context
            #expect(try !certificate.reloadIfChanged())
            #expect(certificate.context === context)
            try first.become(second)
            #expect(try certificate.reloadIfChanged())
            #expect(certificate.context !== context)
            #expect(try !certificate.reloadIfChanged())
            let week = Int64(Date.now.timeIntervalSince1970) + 7 * 86_400
            #expect(abs(certificate.expiry - week) < 3_600)
        }
    }

    @Test func `an unusable pair changes nothing and is reported once`() async throws {
        try await Self.withDirectory { directory in
            let (first, second) = (
                try await TestCertificate("first", in: directory), try await TestCertificate("second", in: directory)
            )
            let certificate = try ServerCertificate(.init(chain: first.chain, key: first.key))
            let context = certificate.context
            // A renewal that has written one of two files.
            try Data(contentsOf: URL(fileURLWithPath: second.chain)).write(to: URL(fileURLWithPath: first.chain))
            #expect(throws: ServerCertificate.Unusable.self) { try certificate.reloadIfChanged() }
            #expect(try !certificate.reloadIfChanged())
            #expect(certificate.context === context)
            try first.become(second)
            #expect(try certificate.reloadIfChanged())
        }
    }

    @Test func `files that cannot be used are named`() async throws {
        try await Self.withDirectory { directory in
            let (first, second) = (
                try await TestCertificate("first", in: directory), try await TestCertificate("second", in: directory)
            )
            let cases: [(String, String, String)] = [
                (directory + "/none", first.key, "The certificate file \(directory)/none cannot be read as PEM."),
                (first.key, first.key, "The certificate file \(first.key) cannot be read as PEM."),
                (
                    first.chain, first.chain,
                    "The key file \(first.chain) cannot be read as a private key in PEM."
                ),
                (
                    first.chain, second.key,
                    "The key \(second.key) does not belong to the first certificate in \(first.chain)."
                ),
            ]
            for (chain, key, message) in cases {
                #expect(throws: ServerCertificate.Unusable(description: message)) {
                    try ServerCertificate(.init(chain: chain, key: key))
                }
            }
        }
    }
}
