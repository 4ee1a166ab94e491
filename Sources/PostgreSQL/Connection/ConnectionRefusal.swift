import CPQ

/// The reasons for which a server refuses a connection, with what would be right.
enum ConnectionRefusal {
    /// The failure of a connection that has not come about.
    static func failure(_ handle: OpaquePointer, _ address: PostgreSQLAddress) -> ServerFailure {
        let message = String(cString: PQerrorMessage(handle))
        let place = "no connection to the database \(address)"
        if PQconnectionNeedsPassword(handle) == 1 {
            return .refused("28P01", detail: "\(place): the server asks for a password; \(passwordPlaces)")
        }
        // One line for each host and each way to connect, of which the last decides.
        let lines = message.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("LOCATION:") }
        guard let refusal = lines.last(where: { $0.contains(codePattern) }),
            let match = refusal.firstMatch(of: codePattern)
        else { return .connectionLost(detail: "\(place): \(lines.joined(separator: " "))") }
        let state = SQLState(String(match.output.1))
        let reason = refusal[match.range.upperBound...]
        let remedy = remedies[state].map { "; \($0)" } ?? ""
        return .refused(state, detail: "\(place): \(reason) (SQLSTATE \(state))\(remedy)")
    }

    private static var codePattern: Regex<(Substring, Substring)> { #/(?:FATAL|ERROR): +([0-9A-Z]{5}): /# }

    private static let passwordPlaces =
        "give it in the environment, in the file of settings, or in the file that passfile= or PGPASSFILE names"

    private static let remedies: [SQLState: String] = [
        "28000": "create the user, or let it connect in pg_hba.conf",
        "28P01": "correct the user or the password",
        "3D000": "create it with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0, or correct the address",
        .insufficientPrivilege: "make the user the owner of the database",
        .tooManyConnections: "raise max_connections, or the limit of the user or of the database",
    ]
}
