import Database

/// The module above that keeps rows about stored files.
package protocol GraphMedia: Sendable {
    /// Deletes the rows about files whose own rows are about to be deleted.
    func forget(_ files: [MediaID], _ transaction: any GraphTransaction) throws
}
