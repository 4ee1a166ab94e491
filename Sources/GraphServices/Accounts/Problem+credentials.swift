extension Problem {
    /// The answer to a log-in with an unknown address or a wrong password. It does not reveal which of the two was
    /// wrong.
    package static let wrongCredentials = Problem(
        .wrongCredentials, "The email address or the password is wrong.")

    /// The answer to a log-in with the right password of an account that has a second factor.
    static let totpRequired = Problem(
        .totpRequired, "Log-ins to this account need a code of its authenticator, or a recovery code.", field: "code")
}
