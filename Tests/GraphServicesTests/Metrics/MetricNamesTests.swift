import Foundation
import GraphServices
import TestSupport
import Testing

@Suite(.timeLimit(.unit))
struct MetricNamesTests {
    /// Names in the sources: a label of a handle, or a constant of ``MetricNames``.
    private static func names() throws -> Set<String> {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources")
            .resolvingSymlinksInPath()
        let files = try #require(FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        let pattern = try Regex(
            #"(?:label: |static let [A-Za-z]+ = )"([a-z]+(?:_[a-z]+)+)""#, as: (Substring, Substring).self)
        return try files.compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }
            .reduce(into: []) { names, file in
                let text = try String(contentsOf: file, encoding: .utf8)
                guard text.contains("Metrics") else { return }
                for match in text.matches(of: pattern) { names.insert(String(match.output.1)) }
            }
    }

    @Test func `every metric has a description`() throws {
        let names = try Self.names().filter { $0.hasPrefix("graphd_") || $0.hasSuffix("_total") }
        #expect(names.count > 20)
        #expect(names.contains("graphd_streams_open") && names.contains("graphd_filter_reads_total"))
        for name in names.sorted() { #expect(MetricNames.help[name]?.isEmpty == false, "\(name)") }
    }
}
