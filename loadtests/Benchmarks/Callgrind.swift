import Foundation

/// Counts instructions and calls with valgrind, which executes a program on a simulated processor.
enum Callgrind {
    /// Returns the command line before a program that is to be counted in batches. The profiles are `callgrind.1`,
    /// `callgrind.2` … in `directory`, one for each batch.
    static func command(profilesIn directory: String) -> [String] {
        [
            "/usr/bin/valgrind", "--tool=callgrind", "--quiet", "--zero-before=*batchBegins*",
            "--dump-before=*batchEnds*", "--compress-strings=no", "--callgrind-out-file=\(directory)/callgrind",
        ]
    }

    /// Returns the figures of the batches of `operation`.
    static func figures(of operation: Operation, profilesIn directory: String) throws -> Figures {
        let batches = try (1...operation.batches).map { batch -> Figures in
            let path = "\(directory)/callgrind.\(batch)"
            let profile = try CallgrindProfile(String(contentsOfFile: path, encoding: .utf8))
            return [.instructions: Double(profile.instructions), .allocations: Double(profile.allocations)]
        }
        return operation.median(ofBatches: batches)
    }
}

/// The relevant part of a profile in callgrind's format, written without compression of names.
struct CallgrindProfile {
    let instructions: Int
    let allocations: Int

    /// Few of them call another under its name, so little is counted twice.
    private static let allocators: Set<Substring> = [
        "malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign",
    ]

    init(_ text: String) throws {
        var instructions: Int?
        var allocations = 0
        var callsAllocator = false
        for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
            switch line.first {
            case UInt8(ascii: "c"):
                if let name = line.value(of: "cfn=") {
                    callsAllocator = Self.allocators.contains(name)
                } else if callsAllocator, let calls = line.value(of: "calls=") {
                    allocations += calls.split(separator: " ").first.flatMap { Int($0) } ?? 0
                }
            case UInt8(ascii: "t"):
                if let total = line.value(of: "totals: ") { instructions = Int(total) }
            default: break
            }
        }
        guard let instructions, instructions > 0 else { throw BenchmarkError("a profile has no totals") }
        self.instructions = instructions
        self.allocations = allocations
    }
}

extension Substring.UTF8View {
    fileprivate func value(of key: StaticString) -> Substring? {
        let isKey = key.withUTF8Buffer { starts(with: $0) }
        return isKey ? Substring(dropFirst(key.utf8CodeUnitCount)) : nil
    }
}
