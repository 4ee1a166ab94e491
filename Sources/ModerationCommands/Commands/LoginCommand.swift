import ArgumentParser
import CommandSupport
import Foundation
import GraphdClient
import StrictJSON

struct LoginCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderation(
        "login", "Sign in to a server; later commands use the login.",
        """
        The tokens are stored in $XDG_CONFIG_HOME/graphd/login.json, else ~/.config/graphd/login.json, readable only \
        by you. The command prompts for the password, and for the code of an account with an authenticator. If \
        standard input is not a terminal, it reads the password from the first line and the code from the second.
        """,
        examples: "login ada@example.org --server https://graph.example", "login ada@example.org < password.txt")

    @Argument(help: "Email address of your account.")
    var email: String

    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        try await MessageOnFailure.run {
            guard let file = LoginFile(environment: ProcessInfo.processInfo.environment) else {
                throw ModerationFailure(.failed, "There is no place to store the login. Set XDG_CONFIG_HOME or HOME.")
            }
            let environment = ProcessInfo.processInfo.environment
            let address = try ServerAccess(connection, environment: environment, login: nil).server
            let server = try ModerationServer(server: address, token: nil)
            guard let password = PasswordPrompt.read("Password: ") else {
                throw ModerationFailure(.badData, "No password was given.")
            }
            let session = try await session(on: server, password)
            var login = Login(session, server: address, username: "")
            login.username = try await server.asking { try await $0.accounts.me().username }
            try file.write(login)
            let answer = StrictJSON.JSONValue.members(
                ("username", .string(login.username)), ("server", .string(address)), ("file", .string(file.path)))
            print(
                connection.json
                    ? answer.terminalText
                    : TerminalText.safe("\(login.username) is signed in to \(address). Kept in \(file.path)."))
        }
    }
}

extension LoginCommand {
    /// Logs in. The server asks for a code only after the right password.
    private func session(on server: ModerationServer, _ password: String) async throws -> Session {
        do {
            return try await server.asking { try await $0.logIn(email: email, password: password) }
        } catch RequestFailure.problem(status: 401, code: "totp_required", _) {
            guard let code = PasswordPrompt.read("Code: ") else {
                throw ModerationFailure(.badData, "The account has an authenticator, and no code was given.")
            }
            return try await server.asking { try await $0.logIn(email: email, password: password, code: code) }
        }
    }
}

struct LogoutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration.moderation(
        "logout", "Sign out, and delete the login that 'graphd login' stored.", examples: "logout")

    @OptionGroup var connection: ConnectionOptions

    func run() async throws {
        try await MessageOnFailure.run {
            guard let file = LoginFile(environment: ProcessInfo.processInfo.environment), let login = try file.read()
            else { throw ModerationFailure(.notFound, "Nobody is signed in.") }
            // The file is removed first, so that a server that is down keeps nobody signed in here.
            file.remove()
            let server = try ModerationServer(server: login.server, token: login.token)
            do {
                try await server.asking { try await $0.accounts.logOut() }
            } catch RequestFailure.problem(status: 401, _, _) {
                // The session had already ended.
            }
            let answer = StrictJSON.JSONValue.members(("server", .string(login.server)))
            print(connection.json ? answer.terminalText : "signed out of \(TerminalText.safe(login.server))")
        }
    }
}
