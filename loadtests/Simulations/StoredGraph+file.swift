import Foundation
import ScaleSimulation

extension StoredGraph {
    /// Reads a csv file of follows with a header, `u1,u2` in each line. Users are numbered in the order of the file.
    init(csv path: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe)
        var (numbers, follows): ([Int: Int], [(follower: Int, followee: Int)]) = ([:], [])
        func number(of name: Int) -> Int {
            if let known = numbers[name] { return known }
            numbers[name] = numbers.count
            return numbers.count - 1
        }
        var (first, value): (Int?, Int?) = (nil, nil)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = (value ?? 0) * 10 + Int(byte - UInt8(ascii: "0"))
            case UInt8(ascii: ","): (first, value) = (value, nil)
            case UInt8(ascii: "\n"):
                if let first, let value { follows.append((number(of: first), number(of: value))) }
                (first, value) = (nil, nil)
            default: continue
            }
        }
        self.init(users: numbers.count, follows: follows)
    }
}
