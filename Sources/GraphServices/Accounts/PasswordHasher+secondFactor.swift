import Database
import Sessions
import SocialGraph

extension PasswordHasher {
    /// Judges a second factor that a client has sent beside the right password, and spends it.
    ///
    /// - Parameters:
    ///   - isKnown: true if the account has been used from the client's address before.
    ///   - judge: true if the factor is right.
    /// - Throws: `Problem`: 401 `wrong_code`, 429 `rate_limited` after too many wrong codes for the account. A recovery
    ///   code cannot be guessed and is judged all the same.
    package func proveSecondFactor(
        _ presented: String, of user: UserID, isKnown: () async throws -> Bool = { false },
        _ judge: (TOTPProof) async throws -> Bool
    ) async throws {
        guard let proof = TOTPProof(presented: presented) else { throw Problem.wrongCode }
        let isRight: Bool
        switch proof {
        case .recoveryCode: isRight = try await judge(proof)
        case .code:
            isRight = try await judgeGuess(
                AccountKey(user.rawValue), from: .local, against: .wrongCodes, isKnown: isKnown
            ) { try await judge(proof) }
        }
        guard isRight else { throw Problem.wrongCode }
    }
}

extension Problem {
    /// The answer to a second factor that is wrong, spent or malformed.
    package static let wrongCode = Problem(
        .wrongCode,
        "The code is wrong or was used before. Wait for the authenticator's next one, or use a recovery code.",
        field: "code")
}
