import Foundation

/// The number of samples of each stack, outermost frame first.
struct FoldedStacks {
    private(set) var counts: [[String]: Int] = [:]

    var total: Int { counts.values.reduce(0, +) }

    /// - Parameter script: the output of `perf script -F comm,ip,sym`: for each sample a line with the thread's name,
    ///   then
    ///   a line `address symbol` for each frame, innermost first, then an empty line.
    init(perfScript script: String) {
        var thread: String?
        var frames: [String] = []
        func close(_ counts: inout [[String]: Int]) {
            if let thread { counts[[thread] + frames.reversed(), default: 0] += 1 }
            (thread, frames) = (nil, [])
        }
        for line in script.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.trimmingCharacters(in: .whitespaces)
            if text.isEmpty {
                close(&counts)
            } else if thread == nil {
                thread = text
            } else {
                frames.append(Self.symbol(text))
            }
        }
        close(&counts)
    }

    /// Replaces mangled Swift names with readable ones. Names with the same meaning become one.
    mutating func demangle() throws {
        let names = Array(Set(counts.keys.joined())).sorted()
        let directory = try Scratch.directory("names")
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let file = directory + "/names"
        try names.joined(separator: "\n").write(toFile: file, atomically: false, encoding: .utf8)
        let swift = try Program.run(Program.find("sh"), ["-c", "command -v swift"])
            .trimmingCharacters(in: .whitespacesAndNewlines)
        let output = try Program.run(
            Program.find("sh"), ["-c", "exec \"$0\" demangle --simplified < \"$1\"", swift, file])
        let readable = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard readable.count >= names.count else { return }
        let byName = Dictionary(uniqueKeysWithValues: zip(names, readable))
        counts = Dictionary(
            counts.map { stack, count in
                let frames = stack.map { byName[$0] ?? $0 }.filter { name in
                    !Self.noise.contains { name.hasPrefix($0) }
                }
                return (frames, count)
            }, uniquingKeysWith: +)
    }

    /// Frames that the compiler inserts between two functions of ours.
    private static let noise = ["partial apply for ", "thunk for ", "reabstraction thunk "]

    /// Returns the symbol without its address and, after a plus sign, the offset.
    private static func symbol(_ line: String) -> String {
        let name = line.split(separator: " ", maxSplits: 1).dropFirst().first.map(String.init) ?? "[unknown]"
        return name.split(separator: "+", maxSplits: 1).first.map(String.init) ?? name
    }
}
