import CPQ

/// The address of a database: `postgres://[user[:password]@]host[:port][,host…]/database[?option=value…]`, as libpq
/// reads it. The password may also come from `passfile=`, `PGPASSFILE` or `~/.pgpass`.
///
/// Neither its description nor an error repeats a secret.
package struct PostgreSQLAddress: Sendable, Equatable {
    /// An address that cannot be read.
    package struct Malformed: Error, CustomStringConvertible {
        let reason: String

        package var description: String {
            "Not a PostgreSQL address: \(reason). Write postgres://user[:password]@host[:port]/database[?sslmode=…], "
                + "or postgres://user@/database?host=/directory/of/the/socket."
        }
    }

    /// Connection parameters of libpq, in its order.
    let parameters: [(name: String, value: String)]

    package static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.parameters.elementsEqual(rhs.parameters) { $0 == $1 }
    }

    /// - Throws: ``Malformed``.
    package init(parsing text: String) throws {
        guard ["postgres://", "postgresql://"].contains(where: text.hasPrefix) else {
            throw Malformed(reason: "it does not begin with postgres:// or postgresql://")
        }
        guard Self.hasCompleteEscapes(text) else {
            throw Malformed(reason: "'%' must be followed by two hexadecimal digits, other than 00")
        }
        try Self.checkOptions(of: text)
        var message: UnsafeMutablePointer<CChar>?
        defer { PQfreemem(message) }
        // The message of libpq may quote the password.
        guard let options = PQconninfoParse(text, &message) else {
            throw Malformed(reason: "its parts cannot be told apart; write '@', ':', '/' and '%' in them as escapes")
        }
        defer { PQconninfoFree(options) }
        parameters = Self.given(options)
        try check()
    }

    private static func given(_ options: UnsafeMutablePointer<PQconninfoOption>) -> [(name: String, value: String)] {
        var given: [(name: String, value: String)] = []
        var option = options
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { given.append((String(cString: keyword), String(cString: value))) }
            option = option.successor()
        }
        return given
    }

    private func check() throws {
        guard let database = self["dbname"], !database.isEmpty else {
            throw Malformed(reason: "the name of the database is missing")
        }
        for port in self["port"]?.split(separator: ",") ?? [] {
            guard let number = Int(port), (1...65_535).contains(number) else {
                throw Malformed(reason: "the port is \"\(port)\", not a number from 1 to 65535")
            }
        }
        if let mode = self["sslmode"], !Self.encryptionModes.contains(mode) {
            let modes = Self.encryptionModes.joined(separator: ", ")
            throw Malformed(reason: "sslmode is \"\(mode)\", not one of \(modes)")
        }
    }

    package var hasPassword: Bool { self["password"] != nil || self["sslpassword"] != nil }

    /// The parameters for each of several hosts, in order. libpq has one time-out for all of them, which a first host
    /// that is silent would use up.
    var alternatives: [[(name: String, value: String)]] {
        let names = ["host", "hostaddr", "port"]
        let lists = names.compactMap { name in
            self[name].map { (name: name, values: $0.split(separator: ",", omittingEmptySubsequences: false)) }
        }
        let count = lists.filter { $0.name != "port" }.map(\.values.count).max() ?? 1
        // Lists that do not match are left to libpq, which says so.
        guard count > 1, lists.allSatisfy({ $0.values.count == count || $0.name == "port" && $0.values.count == 1 })
        else { return [parameters] }
        let others = parameters.filter { !names.contains($0.name) }
        return (0..<count).map { index in
            let own = lists.map { list in
                (name: list.name, value: String(list.values[min(index, list.values.count - 1)]))
            }
            return others + own.filter { !$0.value.isEmpty }
        }
    }

    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    private static let encryptionModes = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"]

    /// Options that an address may have. The driver sets all others itself.
    private static let options = [
        "channel_binding", "host", "hostaddr", "passfile", "password", "port", "sslcert", "sslcrl", "sslkey", "sslmode",
        "sslpassword", "sslrootcert", "target_session_attrs", "user",
    ]

    private static func checkOptions(of text: String) throws {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return }
        for option in parts[1].split(separator: "&", omittingEmptySubsequences: false) {
            let pair = option.split(separator: "=", omittingEmptySubsequences: false)
            guard pair.count == 2 else { throw Malformed(reason: "an option must be name=value") }
            guard options.contains(String(pair[0])) else {
                throw Malformed(
                    reason: "\"\(pair[0])\" is none of the options \(options.joined(separator: ", "))")
            }
        }
    }

    private static func hasCompleteEscapes(_ text: String) -> Bool {
        text.split(separator: "%", omittingEmptySubsequences: false).dropFirst().allSatisfy { part in
            let digits = part.prefix(2)
            return digits.count == 2 && digits.allSatisfy(\.isHexDigit) && digits != "00"
        }
    }
}

extension PostgreSQLAddress: CustomStringConvertible {
    /// The server and the database.
    package var description: String {
        let hosts = self["host"] ?? self["hostaddr"] ?? "localhost"
        // For several hosts without ports, libpq gives a list of empty ports.
        let port = self["port"].flatMap { $0.contains(where: \.isNumber) ? ":\($0)" : nil } ?? ""
        return "\"\(self["dbname"] ?? "")\" at \(hosts)\(port)"
    }
}
