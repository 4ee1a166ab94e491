import SocialGraph

/// A page of a list of posts. `next` is nil only at the true end. A page with a `next` is full, unless the request has
/// examined as many rows as it may.
package struct SearchPage<Item: Sendable>: Sendable {
    package let items: [Item]
    package let next: SearchCursor?
    /// The words searched instead, if the requested words find nothing; only on the first page.
    package let corrected: String?
}
