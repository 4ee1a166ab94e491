import Database
import SocialGraph

/// The graph's interface to saved posts.
package struct SaveUpkeep: GraphSaves {
    package init() {}

    package func purge(_ post: PostID, limit: Int, _ transaction: any GraphTransaction) throws -> Int {
        try SaveStore.Writer(transaction).purgeSaves(of: post, limit)
    }

    package func erase(_ user: UserID, limit: Int, _ transaction: any GraphTransaction) throws -> Bool {
        try SaveStore.Writer(transaction).eraseSaves(user, limit)
    }
}
