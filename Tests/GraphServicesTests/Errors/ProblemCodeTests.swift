import Foundation
import TestSupport
import Testing

@testable import GraphServices

/// Codes of graph errors. The graph names them as text, and each must be a known problem code.
@Suite(.timeLimit(.unit))
struct ProblemCodeTests {
    /// Faults that clients see as `unavailable`.
    private static let faults: Set = ["storage_unavailable", "storage_corrupt", "id_space_exhausted"]

    @Test(arguments: [("GraphError.swift", 40), ("ModerationError.swift", 17), ("DatabaseError.swift", 5)])
    func `every code of an error is known`(file: String, atLeast count: Int) throws {
        let source = try String(contentsOf: try #require(Self.source(named: file)), encoding: .utf8)
        let codes = Set(source.matches(of: #/\.init\(\s*"([a-z_]+)",/#).map { String($0.1) })
        #expect(codes.count >= count, "\(codes.sorted())")
        #expect(codes.subtracting(Self.faults).filter { ProblemCode(rawValue: $0) == nil } == [])
    }

    private static func source(named file: String) -> URL? {
        // Tests/GraphServicesTests/Errors/ProblemCodeTests.swift
        let root = (0..<4).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let files = FileManager.default.enumerator(
            at: root.appendingPathComponent("Sources"), includingPropertiesForKeys: nil)
        return files?.lazy.compactMap { $0 as? URL }.first { $0.lastPathComponent == file }
    }
}
