import CommandSupport
import SocialGraph

extension DataDirectoryOptions {
    /// The graph of the directory, and the account of a name.
    ///
    /// - Throws: ``ModerationFailure`` if there is no such user.
    func account(named username: String) async throws -> (graph: GraphStore, account: Account) {
        let graph = try openExisting()
        guard let account = try await graph.accounts.account(username: username) else {
            throw ModerationFailure(.notFound, "There is no user named \"\(username)\" in \(path).")
        }
        return (graph, account)
    }
}
