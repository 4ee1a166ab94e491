/// Follows between users by name, as a file lists them. Names are numbered as they first come, so that a follow is two
/// small numbers and each name is looked up once.
package struct FollowBatch: Sendable {
    struct Edge: Sendable {
        let follower: UInt32
        let followee: UInt32
    }

    /// By number. Two of them may be one user's, where case alone differs.
    private(set) var names: [String] = []
    private(set) var edges: [Edge] = []
    private var numbers: [String: UInt32] = [:]
    /// Files mostly list the follows of one follower together.
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
