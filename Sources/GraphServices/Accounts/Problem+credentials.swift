extension Problem {
    /// The answer to a log-in with an unknown address or a wrong password. It does not reveal which of the two was
    /// wrong.
    package static let wrongCredentials = Problem(
        .wrongCredentials, "The email address or the password is wrong.")
}
