import Foundation
import TestSupport
import Testing

/// A self-signed certificate for 127.0.0.1, made by openssl.
struct TestCertificate {
    let chain: String
    let key: String

    /// Writes the files `name.crt` and `name.key` into `directory`.
    init(_ name: String, in directory: String) async throws {
        chain = "\(directory)/\(name).crt"
        key = "\(directory)/\(name).key"
        let run = try await ProgramRun(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "7",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", chain,
            ])
        try #require(run.status == 0, "\(run.errors)")
    }

    /// Replaces the contents of the files with those of another certificate.
    func become(_ other: TestCertificate) throws {
        for (target, source) in [(chain, other.chain), (key, other.key)] {
            try Data(contentsOf: URL(fileURLWithPath: source)).write(to: URL(fileURLWithPath: target))
        }
    }
}

/// The output and the end of another program.
struct ProgramRun {
    let status: Int32
    let output: String
    let errors: String

    init(_ program: String, _ arguments: [String]) async throws {
        let path = temporaryPath("output")
        defer { try? FileManager.default.removeItem(atPath: path) }
        let process = try GraphdProcess(arguments, executable: program, .init(output: path))
        switch await process.wait() {
        case .exited(let code): status = code
        case .signalled(let signal): status = -signal
        }
        output = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
        errors = process.lines.joined(separator: "\n")
    }
}
