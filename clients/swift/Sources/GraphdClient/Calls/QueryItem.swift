import Foundation

/// A parameter of a query. One without a value is left out.
struct QueryItem: Sendable {
    let name: String
    let value: String?

    init(_ name: String, _ value: String?) {
        self.name = name
        self.value = value
    }
}

extension [QueryItem] {
    /// Conditions on the attributes of posts.
    static func attributes(_ conditions: [String: String]?) -> [QueryItem] {
        (conditions ?? [:]).sorted { $0.key < $1.key }.map { QueryItem("attributes.\($0.key)", $0.value) }
    }
}

extension String {
    var queryText: String { self }
}

extension Int {
    var queryText: String { String(self) }
}

extension Double {
    var queryText: String { String(self) }
}

extension Bool {
    var queryText: String { self ? "true" : "false" }
}

extension Date {
    var queryText: String { Timestamps.text(of: self) }
}

extension OpenEnumeration {
    var queryText: String { rawValue }
}
