import Crypto
import CryptoExtras
import Foundation

/// Hashes and checks passwords with scrypt, on its own threads.
///
/// One hash takes tens of milliseconds and 32 MiB: on the cooperative pool it would delay everything else. The queue is
/// bounded and served fairly by holder, so that a flood of log-ins from one address delays nobody at another.
package final class PasswordHasher: Sendable {
    /// Hashes computed at once.
    package static let concurrent = 2
    /// Callers that may wait for a turn.
    package static let waiting = 64

    package let budgets: Budgets
    /// Log of wrong passwords for the owners of accounts; nil: none is kept.
    package let journal: LoginJournal?
    private let work: BoundedWork
    private let parameters: PasswordHash.Parameters
    private let nobody: PasswordHash

    /// - Parameters:
    ///   - parameters: for new hashes; a stored hash names its own.
    ///   - concurrent: hashes computed at once.
    ///   - waiting: callers that may wait for their turn.
    ///   - budgets: count wrong passwords.
    ///   - journal: notes them.
    package init(
        parameters: PasswordHash.Parameters = .standard, concurrent: Int = PasswordHasher.concurrent,
        waiting: Int = PasswordHasher.waiting, budgets: Budgets = .unlimited(),
        journal: LoginJournal? = nil
    ) {
        self.budgets = budgets
        self.journal = journal
        work = BoundedWork(label: "graphd.passwords", concurrent: concurrent, waiting: waiting)
        self.parameters = parameters
        nobody = PasswordHash(
            parameters: parameters,
            salt: Self.random(PasswordHash.saltBytes),
            key: Self.random(PasswordHash.keyBytes)
        )
    }

    /// Hashes a password.
    ///
    /// - Parameters:
    ///   - names: the username and the email address of the owner, from which the password must not be made.
    ///   - caller: the caller whose turn it takes.
    /// - Returns: `$scrypt$ln=15,r=8,p=1$salt$hash`, to be stored.
    /// - Throws: `Problem`: 422 `weak_password`, 503 `busy`.
    package func hash(
        _ password: String, of names: [String] = [], for caller: WorkCaller, field: String = "password"
    ) async throws -> String {
        try Self.requireStrong(password, of: names, field: field)
        let parameters = parameters
        return try await work.run(for: caller) {
            let salt = Self.random(PasswordHash.saltBytes)
            let key = try Self.derive(password, parameters, salt)
            return PasswordHash(parameters: parameters, salt: salt, key: key).description
        }
    }

    /// Checks a new password without hashing it.
    ///
    /// - Parameter names: as for ``hash(_:of:for:field:)``.
    /// - Throws: `Problem` 422 `weak_password`.
    static func requireStrong(_ password: String, of names: [String], field: String = "password") throws {
        guard isPossible(password) else {
            let length = password.unicodeScalars.count
            let right = RequestLimits.passwordLength
            throw Problem(
                .weakPassword,
                "A password must have \(right.lowerBound) to \(right.upperBound) characters; got \(length).",
                field: field)
        }
        if let weakness = WeakPassword(password, names: names) {
            throw Problem(.weakPassword, weakness.detail, field: field)
        }
    }

    /// Returns true if `stored` is a hash of the password.
    ///
    /// - Throws: `Problem` 503 `busy`; `PasswordHash.Malformed` if `stored` is not a hash.
    package func verify(_ password: String, against stored: String, for caller: WorkCaller) async throws -> Bool {
        try await verify(password, against: PasswordHash(stored), for: caller)
    }

    /// Takes as long as a check of a wrong password, for a user who does not exist. The time taken does not reveal
    /// whether an account exists.
    package func verifyAgainstNobody(_ password: String, for caller: WorkCaller) async throws {
        _ = try await verify(password, against: nobody, for: caller)
    }

    private func verify(
        _ password: String, against hash: PasswordHash, for caller: WorkCaller
    ) async throws -> Bool {
        try await work.run(for: caller) { try Self.matches(password, hash) }
    }

    private static func isPossible(_ password: String) -> Bool {
        let lengths = RequestLimits.passwordLength
        return password.utf8.count <= 4 * lengths.upperBound && lengths.contains(password.unicodeScalars.count)
    }

    package static func matches(_ password: String, _ hash: PasswordHash) throws -> Bool {
        let isPossible = isPossible(password)
        // An impossible password is replaced with a stand-in, so that it takes the same time.
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
