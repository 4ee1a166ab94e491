import Foundation

/// A file of follows, from which a workload is drawn. Users are numbered from 0; the name of one is `u` and the number
/// in the file, as in `graphd import follows`.
struct FollowGraph {
    private(set) var names: [Int] = []
    private(set) var followers: [Int] = []
    private(set) var followees: [Int] = []
    private(set) var follows = 0

    /// Reads a csv file of numbers with the header follower,followee.
    init(csv path: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        var numbers: [Int: Int] = [:]
        var pair: [Int] = []
        var value: Int?
        for byte in bytes {
            switch byte {
            case 0x30...0x39: value = (value ?? 0) * 10 + Int(byte - 0x30)
            case 0x2C, 0x0A:
                if let number = value { pair.append(number) }
                value = nil
                guard byte == 0x0A else { continue }
                if pair.count == 2 { add(number(of: pair[0], &numbers), number(of: pair[1], &numbers)) }
                pair.removeAll(keepingCapacity: true)
            default: continue
            }
        }
    }

    func username(_ user: Int) -> String { "u\(names[user])" }

    private mutating func number(of name: Int, _ numbers: inout [Int: Int]) -> Int {
        if let known = numbers[name] { return known }
        numbers[name] = names.count
        names.append(name)
        followers.append(0)
        followees.append(0)
        return names.count - 1
    }

    private mutating func add(_ follower: Int, _ followee: Int) {
        followers[followee] += 1
        followees[follower] += 1
        follows += 1
    }

    /// Returns a draw of users in proportion to their followers.
    func authors() -> WeightedDraw { WeightedDraw(weights: followers) }

    /// Returns a uniform draw of users who follow somebody.
    func readers() -> WeightedDraw { WeightedDraw(weights: followees.map { min($0, 1) }) }
}

/// Draws numbers from 0 in proportion to weights.
struct WeightedDraw {
    private let sums: [Int]

    init(weights: [Int]) {
        var sum = 0
        sums = weights.map {
            sum += $0
            return sum
        }
    }

    func draw(using generator: inout SeededGenerator) -> Int {
        let ticket = Int.random(in: 0..<(sums.last ?? 1), using: &generator)
        // The first one whose sum is above the ticket.
        var (low, high) = (0, sums.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] > ticket { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
