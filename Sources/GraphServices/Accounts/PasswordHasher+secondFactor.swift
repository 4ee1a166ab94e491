import Database
import Sessions
import SocialGraph

extension PasswordHasher {
    /// Judges a second factor that a client has sent beside the right password, and spends it.
    ///
    /// - Parameter judge: true if the factor is right.
    /// - Throws: `Problem`: 401 `wrong_code`, 429 `rate_limited` after too many wrong codes for the account, from
    ///   wherever they came: six digits are soon guessed, also from an address that the owner shares with others. A
    ///   recovery code cannot be guessed and is judged all the same.
    package func proveSecondFactor(
        _ presented: String, of user: UserID, _ judge: (TOTPProof) async throws -> Bool
    ) async throws {
        guard let proof = TOTPProof(presented: presented) else { throw Problem.wrongCode }
        let isRight: Bool
        switch proof {
        case .recoveryCode: isRight = try await judge(proof)
        case .code:
            isRight = try await judgeGuess(AccountKey(user.rawValue), from: .local, against: .wrongCodes) {
                try await judge(proof)
            }
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
