import Foundation

/// The committed limits on the cost of operations.
struct Thresholds: Codable {
    /// The toolchain of the measured program: instructions and allocations are those of this compiler and these
    /// libraries.
    let toolchain: String
    let operations: [String: Figures]

    init(toolchain: String, operations: [String: Figures]) {
        self.toolchain = toolchain
        self.operations = operations.mapValues { figures in
            Figures(
                uniqueKeysWithValues: figures.map { measure, count in
                    // Computed with the number of steps in 1, which is whole: 0.01 is not a double.
                    let steps = (1 / measure.step).rounded()
                    return (measure, (count * steps).rounded() / steps)
                })
        }
    }

    init(path: String) throws {
        self = try JSONDecoder().decode(Thresholds.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try (encoder.encode(self) + Data("\n".utf8)).write(to: URL(fileURLWithPath: path))
    }
}
