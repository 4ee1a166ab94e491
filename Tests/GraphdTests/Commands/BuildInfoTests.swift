import ArgumentParser
import TestSupport
import Testing

@testable import GraphServices
@testable import graphd

@Suite(.timeLimit(.unit))
struct BuildInfoTests {
    @Test func `the program and its metrics say which version and commit they are`() {
        let (version, commit) = (BuildInfo.version, BuildInfo.commit)
        #expect(version.prefixMatch(of: /[0-9]+\.[0-9]+\.[0-9]+/) != nil)
        #expect(!commit.isEmpty)
        #expect(Graphd.configuration.version == "graphd \(version) (\(commit))")
        var text = PrometheusText()
        BuildInfo.render(help: MetricNames.help, into: &text)
        #expect(text.text.contains("graphd_build_info{commit=\"\(commit)\",version=\"\(version)\"} 1\n"))
    }
}
