import Foundation

/// A graph of follows, generated from a seed or made from a file of real ones.
enum GraphSource: Sendable, Equatable {
    /// Followees are drawn in proportion to rank^-0.8, so that followers have a power law's tail (Chung and Lu, 2002).
    case powerLaw(users: Int, followees: Int, seed: UInt64)
    /// A csv file `follower,followee` of numbers, with a header; may be gzipped.
    case follows(String)
    /// The follows of such a graph among its first `users`, in the order in which the file names them.
    case part(String, users: Int)
    /// `copies` of such a graph in one: copy c of u follows copy (c + h(u, v)) mod k of v. Degrees stay the same.
    case lift(String, copies: Int)
    /// Pairs `a b` of friends, who follow each other; may be gzipped.
    case friendships(String)
    /// One account that everybody follows, and no other follows.
    case celebrity(followers: Int)

    /// Writes the follows as a file for `graphd import`, whose users are named `u` and their number.
    func write(to path: String, scratch: String) throws {
        var file = try EdgeFile(path)
        switch self {
        case .powerLaw(let users, let followees, let seed):
            try Self.powerLaw(users: users, followees: followees, seed: seed, to: &file)
        case .follows(let source):
            try Self.read(source, separator: ",", scratch) { try file.add($0, $1) }
        case .part(let source, let users):
            var known: Set<Int> = []
            func isIn(_ user: Int) -> Bool {
                if known.count < users { known.insert(user) }
                return known.contains(user)
            }
            try Self.read(source, separator: ",", scratch) { follower, followee in
                if isIn(follower), isIn(followee) { try file.add(follower, followee) }
            }
        case .lift(let source, let copies):
            try Self.read(source, separator: ",", scratch) { follower, followee in
                let turn = Int(Self.mix(UInt64(follower) << 32 ^ UInt64(followee)) % UInt64(copies))
                for copy in 0..<copies {
                    try file.add(follower * copies + copy, followee * copies + (copy + turn) % copies)
                }
            }
        case .friendships(let source):
            try Self.read(source, separator: " ", scratch) {
                try file.add($0, $1)
                try file.add($1, $0)
            }
        case .celebrity(let followers):
            for follower in 1...followers { try file.add(follower, 0) }
        }
        try file.close()
    }

    private static func powerLaw(users: Int, followees: Int, seed: UInt64, to file: inout EdgeFile) throws {
        var generator = SeededGenerator(seed: seed)
        let draw = WeightedDraw(weights: (1...users).map { Int(1e6 * pow(Double($0), -0.8)) + 1 })
        for user in 0..<users {
            var chosen: Set<Int> = [user]
            let count = min(Int.random(in: 1...(2 * followees - 1), using: &generator), users - 1)
            while chosen.count <= count { chosen.insert(draw.draw(using: &generator)) }
            for followee in chosen.sorted() where followee != user { try file.add(user, followee) }
        }
    }

    /// Reads each pair of numbers. Lines without a pair are left out.
    private static func read(
        _ source: String, separator: Character, _ scratch: String, _ pair: (Int, Int) throws -> Void
    ) throws {
        let plain = try InputFile.plain(source, in: scratch, as: "graph-source.txt")
        defer { try? FileManager.default.removeItem(atPath: plain) }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: plain), options: .mappedIfSafe)
        let boundary = separator.asciiValue
        var (first, value): (Int?, Int?) = (nil, nil)
        func endLine() throws {
            if let first, let value, first != value { try pair(first, value) }
            (first, value) = (nil, nil)
        }
        for byte in bytes {
            switch byte {
            case 0x30...0x39: value = (value ?? 0) * 10 + Int(byte - 0x30)
            case 0x0A: try endLine()
            case boundary where first == nil: (first, value) = (value, nil)
            default: continue
            }
        }
        try endLine()
    }

    /// SplitMix64's finaliser.
    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A file of follows that is being written.
private struct EdgeFile {
    private let handle: FileHandle
    private var buffer: [UInt8] = Array("follower,followee\n".utf8)

    init(_ path: String) throws {
        try Data().write(to: URL(fileURLWithPath: path))
        handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    }

    mutating func add(_ follower: Int, _ followee: Int) throws {
        buffer.append(contentsOf: "u\(follower),u\(followee)\n".utf8)
        if buffer.count > 1 << 20 { try flush() }
    }

    mutating func close() throws {
        try flush()
        try handle.close()
    }

    private mutating func flush() throws {
        try handle.write(contentsOf: buffer)
        buffer.removeAll(keepingCapacity: true)
    }
}
