import SocialGraph

/// A page of a list of posts. `next` is nil at the true end only. A page with a `next` is full, unless as many
/// rows have been examined as one request may cost.
package struct SearchPage<Item: Sendable>: Sendable {
    package let items: [Item]
    package let next: SearchCursor?
    /// The words that were searched instead, where what was asked for finds nothing; on the first page.
    package let corrected: String?
}
