/// Follows between users by name, in the order of a file. Names are numbered on first use, so a follow is two small
/// numbers and each name is looked up once.
package struct FollowBatch: Sendable {
    struct Edge: Sendable {
        let follower: UInt32
        let followee: UInt32
    }

    /// Names by number. Two of them may belong to one user if they differ only in case.
    private(set) var names: [String] = []
    private(set) var edges: [Edge] = []
    private var numbers: [String: UInt32] = [:]
    /// The latest follower, cached because files mostly group the follows of one follower.
    private var lastFollower = (name: "", number: UInt32(0))

    package init() {}

    package var count: Int { edges.count }
    package var isEmpty: Bool { edges.isEmpty }

    package mutating func append(follower: String, followee: String) {
        if edges.isEmpty || follower != lastFollower.name { lastFollower = (follower, number(of: follower)) }
        edges.append(Edge(follower: lastFollower.number, followee: number(of: followee)))
    }

    private mutating func number(of name: String) -> UInt32 {
        let next = UInt32(names.count)
        let number = numbers[name, default: next]
        if number == next {
            numbers[name] = next
            names.append(name)
        }
        return number
    }
}
