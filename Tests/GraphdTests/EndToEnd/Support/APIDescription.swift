import Foundation
import Synchronization
import Testing

@testable import GraphHTTP
@testable import ProductAPIs

/// The operations of the API in `docs/openapi.yaml` and in the route table, both read as text.
enum APIDescription {
    struct Operation: Hashable, CustomStringConvertible {
        let method: String
        let path: String
        var description: String { "\(method) \(path)" }
        /// The path with an example for every parameter.
        var examplePath: String { path.replacing(#/\{\w+\}/#, with: "1") }

        /// Returns true if the address matches the path of the operation.
        func answers(_ address: String) -> Bool {
            let (parts, given) = (path.split(separator: "/"), address.split(separator: "/"))
            return parts.count == given.count && zip(parts, given).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
    }

    static func source(_ path: String) throws -> String {
        // Tests/GraphdTests/EndToEnd/Support/APIDescription.swift
        let root = (0..<5).reduce(URL(fileURLWithPath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        return try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The operations of the document, and the subset that needs no token.
    static func documented() throws -> (all: Set<Operation>, open: Set<Operation>) {
        var (all, open): (Set<Operation>, Set<Operation>) = ([], [])
        var (path, operation): (String?, Operation?) = (nil, nil)
        let lines = try source("docs/openapi.yaml").split(separator: "\n", omittingEmptySubsequences: false)
        let paths = lines.drop { $0 != "paths:" }.dropFirst().prefix { $0.isEmpty || $0.hasPrefix(" ") }
        for line in paths {
            if let match = line.wholeMatch(of: #/  (/\S*):/#) {
                path = String(match.1)
            } else if let path, let match = line.wholeMatch(of: #/    (get|put|post|patch|delete|options|head):/#) {
                let found = Operation(method: match.1.uppercased(), path: path)
                #expect(all.insert(found).inserted, "\(found) is described twice")
                operation = found
            } else if let operation, line == "      security: []" || line == "      security: [{}, { bearer: [] }]" {
                open.insert(operation)
            }
        }
        return (all, open)
    }

    /// The paths whose `GET` is not described as answering 304.
    static func unconditional() throws -> Set<String> {
        var (paths, path): (Set<String>, String?) = ([], nil)
        var isGet = false
        for line in try source("docs/openapi.yaml").split(separator: "\n") {
            if let match = line.wholeMatch(of: #/  (/\S*):/#) {
                path = String(match.1)
            } else if let match = line.wholeMatch(of: #/    (\w+):/#) {
                isGet = match.1 == "get"
                if isGet, let path { paths.insert(path) }
            } else if isGet, let path, line.hasPrefix("        '304':") {
                paths.remove(path)
            }
        }
        return paths
    }

    /// The names of the query parameters of a documented operation, in their order.
    static func queryParameters(of operation: Operation) throws -> [String] {
        if let known = parametersRead.withLock({ $0[operation] }) { return known }
        let names = try readQueryParameters(of: operation)
        parametersRead.withLock { $0[operation] = names }
        return names
    }

    /// A cache, because a crawl asks for the same parameters for each of its readers.
    private static let parametersRead = Mutex<[Operation: [String]]>([:])

    private static func readQueryParameters(of operation: Operation) throws -> [String] {
        let (lines, shared) = try document.get()
        let path = lines.drop { $0 != "  \(operation.path):" }.dropFirst().prefix {
            !$0.hasPrefix("  /") && $0 != "components:"
        }
        let method = "    \(operation.method.lowercased()):"
        let body = Array(
            path.drop { $0 != method }.dropFirst().prefix { $0.wholeMatch(of: #/    [a-z]+:/#) == nil })
        var names: [String] = []
        for (index, line) in body.enumerated() {
            if let match = line.firstMatch(of: #/#\/components\/parameters\/(\w+)/#) {
                if let name = shared[String(match.1)] { names.append(name) }
            } else if let match = line.firstMatch(of: #/- \{? ?name: ([\w.]+)/#) {
                let next = body.dropFirst(index + 1).first ?? ""
                if line.contains("in: query") || next.contains("in: query") { names.append(String(match.1)) }
            }
        }
        return names
    }

    /// The lines of the document, and the parameters that its operations share. Read once.
    private static let document: Result<(lines: [Substring], shared: [String: String]), any Error> = Result {
        let lines = try source("docs/openapi.yaml").split(separator: "\n", omittingEmptySubsequences: false)
        return (lines, Dictionary(sharedParameters(lines)) { first, _ in first })
    }

    /// Query parameters that operations share, by the name of the component.
    private static func sharedParameters(_ lines: [Substring]) -> [(String, String)] {
        var found: [(String, String)] = []
        for (index, line) in lines.enumerated() where line == "      in: query" && index > 1 {
            guard let match = lines[index - 2].wholeMatch(of: #/    (\w+):/#),
                let name = lines[index - 1].wholeMatch(of: #/      name: ([\w.]+)/#)
            else { continue }
            found.append((String(match.1), String(name.1)))
        }
        return found
    }

    /// The base path of each product API, and the files that name its paths.
    private static let products = [
        ("/vistavid", ["VistaVid/VistaVidRoutes"]), ("/social", ["Social/SocialRoutes"]),
        ("/fitstream", ["Videos/VideoRoutes", "FitStream/FitStream"]),
        ("/reelai", ["Videos/VideoRoutes", "ReelAI/ReelAI"]),
        ("/fitfocus", ["Videos/VideoRoutes", "FitFocus/FitFocus"]),
    ]

    /// The operations registered in the route table.
    static func registered() throws -> Set<Operation> {
        var operations: Set<Operation> = []
        let parts = ["people", "posts", "feeds"].map { "Controllers+\($0)" }
        for file in ["GraphRouter"] + parts {
            operations.formUnion(try self.operations(in: "GraphHTTP/Router/\(file)") { $0 == "router" ? "" : "/v1" })
        }
        operations.formUnion(try moderation())
        operations.formUnion(try self.operations(in: "AppWebhooks/AppWebhookRoutes") { _ in "/v1" })
        for (base, files) in products {
            for file in files { operations.formUnion(try self.operations(in: "ProductAPIs/\(file)") { _ in base }) }
        }
        return operations
    }

    /// The operations of the moderation routes.
    static func moderation() throws -> Set<Operation> {
        try operations(in: "ModerationHTTP/ModerationControllers") { _ in "/v1" }
    }

    /// The operations that a file registers. `base` returns the base path of a route group by its name.
    private static func operations(in file: String, base: (Substring) -> String) throws -> Set<Operation> {
        let text = try source("Sources/\(file).swift")
        let operations = text.matches(of: #/(\w+)\.(get|put|post|patch|delete)\("(/[^"]*)"/#).map { match in
            Operation(method: match.2.uppercased(), path: base(match.1) + String(match.3))
        }
        return Set(operations)
    }

    /// Every code in the document's table, with its status.
    static func problemCodes() throws -> [String: Int] {
        var statuses: [String: Int] = [:]
        for row in try source("docs/openapi.yaml").matches(of: #/\| (\d{3}) \| ([^\n]*) \|/#) {
            for code in row.2.matches(of: #/`([a-z_]+)`/#) { statuses[String(code.1)] = Int(row.1) }
        }
        return statuses
    }
}
