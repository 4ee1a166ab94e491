import CommandSupport
import GraphServices
import Sessions
import SocialGraph

extension DataDirectory {
    /// Returns the place of the keys that sign tokens: the directory, or its database if that is on a server.
    ///
    /// - Throws: ``CommandFailure``.
    func tokenKeys(of graph: GraphStore) async throws -> TokenKeyPlace {
        do {
            return try await TokenKeyPlace.open(directory: path, graph.database, isOnServer: server != nil)
        } catch let failure as TokenKey.Unusable {
            throw CommandFailure("The keys that sign tokens cannot be used: \(failure).")
        }
    }
}
