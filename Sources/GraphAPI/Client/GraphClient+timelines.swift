import Foundation
import NIOCore

extension GraphClient {
    /// `GET /v1/timelines/home`, filtered to posts with any of the tags `algorithms`.
    public func home(algorithms: [String], limit: Int = 20, cursor: String? = nil) async throws -> TimelineAnswer {
        let tags = algorithms.map(Self.queryValue).joined(separator: ",")
        let after = cursor.map { "&cursor=\($0)" } ?? ""
        return try await send(
            "GET", "/v1/timelines/home?limit=\(limit)&algorithms=\(tags)\(after)", answer: TimelineAnswer.self)
    }

    /// `GET /metrics`: the value of each series, by its name and labels in their written form.
    public func metrics() async throws -> [String: Double] {
        let text = String(buffer: try await send("GET", "/metrics"))
        var values: [String: Double] = [:]
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " ") else { continue }
            values[String(line[..<space])] = Double(line[line.index(after: space)...])
        }
        return values
    }

    private static func queryValue(_ text: String) -> String {
        text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? text
    }
}
