import Crypto
import CryptoExtras
import Foundation

/// Hashes and checks passwords with scrypt, on threads of its own.
///
/// One hash takes tens of milliseconds and 32 MiB: on the cooperative pool it would hold up everything else, and
/// without a bound on what waits a flood of log-ins would hold up every log-in.
final class PasswordHasher: Sendable {
    private let work: BoundedWork
    private let parameters: PasswordHash.Parameters
    private let nobody: PasswordHash

    /// - Parameters:
    ///   - parameters: for new hashes; a stored hash names its own.
    ///   - concurrent: hashes computed at once.
    ///   - waiting: callers that may wait for their turn.
    init(parameters: PasswordHash.Parameters = .standard, concurrent: Int = 2, waiting: Int = 64) {
        work = BoundedWork(label: "graphd.passwords", concurrent: concurrent, waiting: waiting)
        self.parameters = parameters
        nobody = PasswordHash(
            parameters: parameters,
            salt: Self.random(PasswordHash.saltBytes),
            key: Self.random(PasswordHash.keyBytes)
        )
    }

    /// - Returns: `$scrypt$ln=15,r=8,p=1$salt$hash`, to be stored.
    /// - Throws: `Problem`: 422 `weak_password`, 503 `busy`.
    func hash(_ password: String, field: String = "password") async throws -> String {
        let length = password.unicodeScalars.count
        guard RequestLimits.passwordLength.contains(length) else {
            let right = RequestLimits.passwordLength
            throw Problem(
                .weakPassword,
                "A password must have \(right.lowerBound) to \(right.upperBound) characters; \(length) came.",
                field: field)
        }
        let parameters = parameters
        return try await work.run {
            let salt = Self.random(PasswordHash.saltBytes)
            let key = try Self.derive(password, parameters, salt)
            return PasswordHash(parameters: parameters, salt: salt, key: key).description
        }
    }

    /// Whether the password is the one that `stored` was made of.
    ///
    /// - Throws: `Problem` 503 `busy`; `PasswordHash.Malformed` if `stored` is not a hash.
    func verify(_ password: String, against stored: String) async throws -> Bool {
        try await verify(password, against: PasswordHash(stored))
    }

    /// Takes as long as checking a wrong password does, for a user who does not exist, so that the time taken does not
    /// tell who does.
    func verifyAgainstNobody(_ password: String) async throws {
        _ = try await verify(password, against: nobody)
    }

    private func verify(_ password: String, against hash: PasswordHash) async throws -> Bool {
        try await work.run { try Self.matches(password, hash) }
    }

    static func matches(_ password: String, _ hash: PasswordHash) throws -> Bool {
        let isPossible = RequestLimits.passwordLength.contains(password.unicodeScalars.count)
        // For one that nobody can have a stand-in is hashed, to take the same time.
        let key = try derive(isPossible ? password : "impossible", hash.parameters, hash.salt)
        // Comparing symmetric keys takes constant time.
        return SymmetricKey(data: key) == SymmetricKey(data: hash.key) && isPossible
    }

    private static func derive(
        _ password: String, _ parameters: PasswordHash.Parameters, _ salt: [UInt8]
    ) throws -> [UInt8] {
        // One password typed on two keyboards may come composed or decomposed.
        let normalized = Array(password.precomposedStringWithCanonicalMapping.utf8)
        let key = try KDF.Scrypt.deriveKey(
            from: normalized,
            salt: salt,
            outputByteCount: PasswordHash.keyBytes,
            rounds: 1 << parameters.logRounds,
            blockSize: parameters.blockSize,
            parallelism: parameters.parallelism
        )
        return key.withUnsafeBytes { Array($0) }
    }

    private static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
