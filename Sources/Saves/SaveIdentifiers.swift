import Database

/// A named collection of saved posts.
package typealias CollectionID = ID<PostCollection>

extension SQLValue {
    package static func collection(_ id: CollectionID) -> SQLValue { .integer(id.rawValue) }
}
