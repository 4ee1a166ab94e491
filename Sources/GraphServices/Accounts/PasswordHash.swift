import Foundation

/// A stored password hash: `$scrypt$ln=15,r=8,p=1$salt$hash`, salt and hash in base64 without padding.
package struct PasswordHash: Sendable, Equatable, CustomStringConvertible {
    package struct Parameters: Sendable, Equatable {
        /// Binary logarithm of the number of rounds.
        let logRounds: Int
        let blockSize: Int
        let parallelism: Int

        /// Parameters of new hashes: 32 MiB a hash.
        package static let standard = Parameters(logRounds: 15, blockSize: 8, parallelism: 1)

        /// True if the parameters are within the accepted bounds: a doctored row must not be able to demand a terabyte.
        package var isAcceptable: Bool {
            (10...17).contains(logRounds) && blockSize == 8 && parallelism == 1
        }
    }

    /// A text that is not a hash that this version can check.
    struct Malformed: Error, CustomStringConvertible {
        var description: String { "the stored password hash is malformed" }
    }

    static let saltBytes = 16
    static let keyBytes = 32

    package let parameters: Parameters
    let salt: [UInt8]
    package let key: [UInt8]

    package init(parameters: Parameters, salt: [UInt8], key: [UInt8]) {
        self.parameters = parameters
        self.salt = salt
        self.key = key
    }

    /// - Throws: `Malformed`.
    package init(_ text: String) throws {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
            let parameters = Self.parameters(parts[2]), parameters.isAcceptable,
            let salt = Self.decode(parts[3]), salt.count == Self.saltBytes,
            let key = Self.decode(parts[4]), key.count == Self.keyBytes
        else {
            throw Malformed()
        }
        self.init(parameters: parameters, salt: salt, key: key)
    }

    package var description: String {
        let numbers = "ln=\(parameters.logRounds),r=\(parameters.blockSize),p=\(parameters.parallelism)"
        return "$scrypt$\(numbers)$\(Self.encode(salt))$\(Self.encode(key))"
    }

    private static func parameters(_ text: Substring) -> Parameters? {
        let fields = text.split(separator: ",", omittingEmptySubsequences: false)
        let values = zip(fields, ["ln=", "r=", "p="]).compactMap { field, name in
            field.hasPrefix(name) ? Int(field.dropFirst(name.count)) : nil
        }
        guard fields.count == 3, values.count == 3 else {
            return nil
        }
        return Parameters(logRounds: values[0], blockSize: values[1], parallelism: values[2])
    }

    private static func encode(_ bytes: [UInt8]) -> String {
        String(Data(bytes).base64EncodedString().prefix { $0 != "=" })
    }

    private static func decode(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).map { Array($0) }
    }
}
