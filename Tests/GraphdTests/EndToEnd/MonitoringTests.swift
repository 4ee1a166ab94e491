import Foundation
import ServiceTestSupport
import TestSupport
import Testing

@testable import StrictJSON

/// The alert rules and the dashboard of `docs/operations/monitoring`, against the metrics of a running server.
@Suite(.timeLimit(.process))
struct MonitoringTests {
    private static func rules() throws -> [AlertRule] {
        AlertRule.read(try APIDescription.source("docs/operations/monitoring/alerts.yml"))
    }

    private static func dashboard() throws -> JSONValue {
        try JSONReader.read(Array(try APIDescription.source("docs/operations/monitoring/dashboard.json").utf8))
    }

    private typealias Metrics = (parser: PrometheusParser, text: String)

    /// The metrics of a server with every optional part that has some.
    private static func metrics() async throws -> Metrics {
        let directory = temporaryPath("monitoring")
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let certificate = try await TestCertificate("server", in: directory)
        let keys = directory + "/s3"
        try Data("aws_access_key_id=a\naws_secret_access_key=b\n".utf8).write(to: URL(fileURLWithPath: keys))
        chmod(keys, 0o600)
        return try await GraphdServer.running(
            [
                "--tls-certificate", certificate.chain, "--tls-key", certificate.key, "--admin-address", "127.0.0.1:0",
                "--mail", "directory:\(directory)", "--mail-from", "site@example.org",
                "--traces", "http://127.0.0.1:1",
                "--media", "s3://media?endpoint=http://127.0.0.1:1&credentials=\(keys)",
            ], in: .process
        ) { server in
            let line = try await server.line { $0.contains("\"message\":\"listening for operators\"") }
            let port = try #require(try JSONReader.read(Array(line.utf8))["port"]?.text.flatMap { Int($0) })
            return try await metrics(of: server.client(port: port))
        }
    }

    /// The metrics of a server with PostgreSQL and a Redis Cluster, which nobody has to serve for that.
    private static func clusterMetrics() async throws -> Metrics {
        let database = try await PostgreSQLServer.shared()
        let url = database.url(of: try await database.newDatabase())
        return try await GraphdServer.running(
            ["--redis", "redis-cluster://127.0.0.1:\(try LocalSocket.freePort())"], in: .process,
            on: .init(database: url)
        ) { try await metrics(of: $0.client()) }
    }

    private static func metrics(of client: APIClient) async throws -> Metrics {
        // The second answer counts the first. What the database tells is missing if it does not answer in time.
        var text = ""
        repeat {
            _ = try await client.get("/metrics")
            text = try await client.get("/metrics").text
        } while text.contains("graphd_problem{code=\"database_down\"} 1")
        return (try PrometheusParser(text), text)
    }

    @Test func `alerts and dashboard use metrics and labels that a server has`() async throws {
        let (one, all) = (try await Self.metrics(), try await Self.clusterMetrics())
        let labels = one.parser.labels.merging(all.parser.labels) { $0 + $1 }
        let help = one.parser.help.merging(all.parser.help) { first, _ in first }
        let rules = try Self.rules()
        #expect(rules.count >= 15)
        for rule in rules {
            let query = MetricQuery(try #require(rule.members["expr"]))
            #expect(!query.selectors.isEmpty, "\(rule.name)")
            #expect(query.unknown(in: labels) == [], "\(rule.name)")
            // The labels in the texts are those of the result, which only grouping takes away.
            let texts = (rule.members["description"] ?? "") + (rule.members["summary"] ?? "")
            for label in texts.matches(of: /\$labels\.(\w+)/).map({ String($0.1) }) where label != "instance" {
                #expect(query.groupings.contains(label), "\(rule.name): \(label)")
            }
        }
        let expressions = try Self.dashboard().texts(of: "expr")
        #expect(expressions.count >= 30)
        for expression in expressions {
            #expect(MetricQuery(expression).unknown(in: labels) == [], "\(expression)")
        }
        // Each metric of the server has a description, also in the documents, and most have a panel.
        let health = try APIDescription.source("docs/operations/health.md")
        let shown = Set(expressions.flatMap { MetricQuery($0).selectors.map(\.metric) })
        let families = (one.text + all.text).matches(of: /# TYPE (\S+) (\w+)\n/).map { String($0.1) }
        #expect(families.count >= 30)
        for family in families {
            #expect(help[family]?.hasSuffix(".") == true, "\(family)")
            #expect(help[family]?.contains("without a description") == false, "\(family)")
            #expect(health.contains("`\(family)`"), "\(family) is not in docs/operations/health.md")
            #expect(shown.contains { $0.hasPrefix(family) } || family == "metrics_refused_total", "\(family)")
        }
    }

    @Test func `every alert says for how long, how bad it is and what to do`() throws {
        let incidents = try APIDescription.source("docs/operations/incidents.md")
        let headings = Set(
            incidents.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3).lowercased() })
        let rules = try Self.rules()
        #expect(Set(rules.map(\.name)).count == rules.count)
        for rule in rules {
            #expect(rule.members["for"]?.wholeMatch(of: /\d+[smh]/) != nil, "\(rule.name)")
            #expect(["critical", "warning", "info"].contains(rule.members["severity"] ?? ""), "\(rule.name)")
            #expect(rule.members["summary"] != nil && rule.members["description"] != nil, "\(rule.name)")
            let runbook = (rule.members["runbook"] ?? "").split(separator: "#")
            #expect(runbook.first == "docs/operations/incidents.md" && runbook.count == 2, "\(rule.name)")
            #expect(headings.contains(rule.name.lowercased()), "\(rule.name) has no section")
            #expect(runbook.last.map(String.init) == rule.name.lowercased(), "\(rule.name)")
        }
    }

    @Test(arguments: [
        ("graphd_nothing > 1", ["graphd_nothing"]),
        ("a_total{x=\"1\"} and on (instance) graphd_b", ["graphd_b"]),
        ("rate(a_total{x=\"3\"}[5m])", ["a_total{x=3}"]),
        ("sum by (y) (rate(a_total{x=~\"1|2\",job=\"graphd\"}[5m]))", ["y"]),
        ("a_total{z!=\"1\"}", ["a_total{z}"]),
        ("sum by (x, instance) (rate(a_total{x=~\"1|2\"}[5m])) / 2 > 0.5 or up == 0", []),
    ])
    func `a wrong metric, label or value in an expression is found`(_ expression: String, _ unknown: [String]) {
        let metrics = ["a_total": [["x": "1"], ["x": "2"]]]
        #expect(MetricQuery(expression).unknown(in: metrics) == unknown)
    }
}
