import Database
import SocialGraph
import Synchronization

/// A cache of compiled books by version. The version changes with every change of rules and is never reused, so entries
/// are never out of date, for any database.
enum RuleBooks {
    private static let compiled = Mutex(RuleBookCache(capacity: 64 << 20))

    static func book(_ version: String, _ community: CommunityID?) -> RuleBook? {
        compiled.withLock { $0.book(RuleBookCache.Key(version, community)) }
    }

    static func keep(_ book: RuleBook, _ version: String, _ community: CommunityID?) {
        compiled.withLock { $0.keep(book, as: RuleBookCache.Key(version, community)) }
    }

    static func newVersion() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(generator.next(), radix: 16) }.joined(separator: "-")
    }
}

/// Compiled books of a bounded total size.
struct RuleBookCache: Sendable {
    struct Key: Hashable, Sendable {
        let version: String
        let scope: Int64

        init(_ version: String, _ community: CommunityID?) {
            self.version = version
            scope = community?.rawValue ?? 0
        }
    }

    /// Maximum size in bytes.
    let capacity: Int
    private(set) var size = 0
    private var books: [Key: (book: RuleBook, size: Int)] = [:]

    init(capacity: Int) { self.capacity = capacity }

    func book(_ key: Key) -> RuleBook? { books[key]?.book }

    /// Keeps a book, and evicts others if there is no room. A book larger than the cache is not kept.
    mutating func keep(_ book: RuleBook, as key: Key) {
        remove(key)
        let added = book.size
        guard added <= capacity else { return }
        while size + added > capacity, let some = books.keys.first { remove(some) }
        books[key] = (book, added)
        size += added
    }

    private mutating func remove(_ key: Key) {
        guard let removed = books.removeValue(forKey: key) else { return }
        size -= removed.size
    }
}

extension RuleBook {
    /// An estimate of the size in bytes.
    var size: Int { rules.reduce(1_000) { $0 + $1.size } }
}
