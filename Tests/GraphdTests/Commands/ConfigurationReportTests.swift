import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import CommandSupport
@testable import StrictJSON
@testable import graphd

@Suite(.timeLimit(.unit))
struct ConfigurationReportTests {
    private func report(
        _ flags: [Setting: String] = [:], _ environment: [String: String] = [:], file: String? = nil
    ) async throws -> ConfigurationReport {
        try await ConfigurationReport(
            SettingSources(commandLine: flags, environment: environment, file: file))
    }

    private func withFile(_ text: String, _ body: (String) async throws -> Void) async throws {
        let path = temporaryPath("report")
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    @Test func `the defaults shown are those in force, and those of the help`() throws {
        var standard: [Setting: String] = [:]
        let help = ServeCommand.helpMessage(columns: 1_000).split(separator: "\n")
        for setting in Setting.allCases {
            guard let text = setting.standard else { continue }
            standard[setting] = text
            // The text stands on the line below a long flag.
            let place = try #require(help.firstIndex { $0.contains("\(setting.flag) <") })
            let entry = help[place..<min(place + 2, help.count)].joined()
            #expect(entry.contains("(default: \(text))"), "\(entry)")
        }
        let configuration = try ServerConfiguration.load(commandLine: standard, environment: [:])
        #expect(configuration == ServerConfiguration())
    }

    @Test func `each setting is shown with the source that wins, and secrets are not`() async throws {
        try await withFile(#"{"port":8081,"host":"::1","redis":"redis://u:file-secret@h"}"#) { path in
            let report = try await report(
                [.port: "8082"], ["GRAPHD_HOST": "127.0.0.2", "GRAPHD_CONFIG": path, "GRAPHD_DATA_DIR": ""])
            #expect(report.problems == [])
            let json = try JSONReader.read(report.json)
            #expect(json.at("valid") == .bool(true))
            #expect(json.at("file") == .string(path))
            let settings = try #require(json.at("settings")?.arrayValue)
            #expect(settings.compactMap { $0.at("setting")?.stringValue } == Setting.allCases.map(\.rawValue))
            func row(_ setting: Setting) -> [String?] {
                let row = settings.first { $0.at("setting")?.stringValue == setting.rawValue }
                return [row?.at("value")?.stringValue, row?.at("source")?.stringValue]
            }
            #expect(row(.port) == ["8082", "flag"])
            #expect(row(.host) == ["127.0.0.2", "environment"])
            #expect(row(.dataDir) == ["./data", "default"])
            #expect(row(.redis) == [nil, "file"])
            #expect(row(.mail) == [nil, "default"])
            let lines = try report.lines(on: .plain)
            #expect(lines.contains("redis\t(hidden)\tfile"))
            #expect(lines.contains("port\t8082\tflag"))
            #expect(!"\(lines)".contains("secret") && !String(decoding: report.json, as: UTF8.self).contains("secret"))
        }
    }

    @Test func `a setting that serve refuses is a problem`() async throws {
        let report = try await report([.port: "80800"])
        #expect(
            report.problems == ["--port on the command line must be a whole number from 0 to 65535; got \"80800\""])
        #expect(try JSONReader.read(report.json).at("valid") == .bool(false))
        #expect(try report.lines(on: .plain).contains("port\t80800\tflag"))
        await #expect(throws: ConfigurationError.self) { try await self.report(file: "/nowhere/graphd.json") }
        try await withFile(#"{"prot":1}"#) { path in
            await #expect(throws: ConfigurationError.self) { try await self.report(file: path) }
        }
    }

    @Test func `every file that cannot be used is a problem`() async throws {
        let report = try await report([
            .tlsCertificate: "/nowhere/c.pem", .tlsKey: "/nowhere/k.pem", .fcmServiceAccount: "/nowhere/f.json",
            .oidcIssuer: "i", .oidcAudience: "a", .oidcJwks: "/nowhere/j.json",
        ])
        #expect(report.problems.count == 3)
        for file in ["c.pem", "f.json", "j.json"] {
            #expect(report.problems.contains { $0.contains("/nowhere/\(file)") }, "\(report.problems)")
        }
    }
}
