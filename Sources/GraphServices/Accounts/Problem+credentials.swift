extension Problem {
    /// The answer to a log-in with an unknown address or a wrong password, which does not say which.
    package static let wrongCredentials = Problem(
        .wrongCredentials, "The email address or the password is wrong.")
}
