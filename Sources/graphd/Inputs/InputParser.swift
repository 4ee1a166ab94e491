import CommandSupport
import SocialGraph
import Text

/// One parser of text or bytes from outside: fed by fuzzing, and measured for its cost.
struct InputParser: Sendable {
    let name: String
    /// Largest number of bytes of an input.
    let limit: Int
    /// The processor time for a byte, relative to that of most parsers. Counts of bounded length read inputs that are
    /// shorter by this factor.
    let costPerByte: Int
    /// Well-formed inputs, which fuzzing changes.
    let corpus: [[UInt8]]
    /// Text before and after the hostile part.
    let frames: [(head: [UInt8], tail: [UInt8])]
    /// Reads an input like the server, and ignores the server's refusals.
    ///
    /// Throws ``InputFault`` if an accepted input breaks a promise, such as being written and read back.
    let read: @Sendable ([UInt8]) throws -> Void

    init(
        _ name: String, limit: Int, costPerByte: Int = 1, corpus: [String],
        frames: [(String, String)] = [("", "")], read: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.name = name
        self.limit = limit
        self.costPerByte = costPerByte
        self.corpus = corpus.map { Array($0.utf8) }
        self.frames = frames.map { (Array($0.0.utf8), Array($0.1.utf8)) }
        self.read = { bytes in
            do {
                try read(bytes)
            } catch let fault as InputFault {
                throw fault
            } catch {
                // Refused, like most inputs.
            }
        }
    }

    /// Returns a parser of text. Bytes that are not UTF-8 are repaired, since the layer before it would have refused
    /// them.
    static func text(
        _ name: String, limit: Int, costPerByte: Int = 1, corpus: [String],
        frames: [(String, String)] = [("", "")], read: @escaping @Sendable (String) throws -> Void
    ) -> InputParser {
        InputParser(name, limit: limit, costPerByte: costPerByte, corpus: corpus, frames: frames) { bytes in
            try read(String(decoding: bytes, as: UTF8.self))
        }
    }

    /// Same as ``text(_:limit:costPerByte:corpus:frames:read:)``, after the bound on combining marks that every text
    /// has passed.
    static func safeText(
        _ name: String, limit: Int, costPerByte: Int = 1, corpus: [String],
        frames: [(String, String)] = [("", "")], read: @escaping @Sendable (String) throws -> Void
    ) -> InputParser {
        InputParser(name, limit: limit, costPerByte: costPerByte, corpus: corpus, frames: frames) { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            if StreamSafeText.holds(text) { try read(text) }
        }
    }

    static let all: [InputParser] =
        requests + fields + queries + files + searches + rules + imports + backups + connections

    /// Returns the parser of a name. Throws ``CommandFailure`` with the existing names.
    static func named(_ name: String) throws -> InputParser {
        guard let parser = all.first(where: { $0.name == name }) else {
            throw CommandFailure("There is no parser \"\(name)\": \(all.map(\.name).joined(separator: ", ")).")
        }
        return parser
    }
}

/// A broken promise of a parser.
struct InputFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    static func require(_ holds: Bool, _ description: @autoclosure () -> String) throws {
        if !holds { throw InputFault(description()) }
    }
}
