import CommandSupport
import SocialGraph
import Text

/// Pairs that an operator gives to an import: in a file of two columns, or on the command line.
enum NameTable {
    /// Reads pairs from a file. `heading` is the accepted first row that is not a pair. Throws ``CommandFailure``.
    static func read(path: String, heading: (String, String)) throws -> [String: String] {
        var reader = CSVReader(file: try InputFile(path: path))
        var table: [String: String] = [:]
        var isFirst = true
        while let record = try reader.next() {
            defer { isFirst = false }
            guard case .success(let fields) = record.fields, fields.count == 2, !fields[0].isEmpty, !fields[1].isEmpty
            else {
                throw CommandFailure("\(path), line \(record.line): expected \(heading.0),\(heading.1) on each line.")
            }
            if isFirst, (fields[0], fields[1]) == heading { continue }
            guard table.updateValue(fields[1], forKey: fields[0]) == nil else {
                throw CommandFailure(
                    "\(path), line \(record.line): \"\(fields[0].echoed)\" occurs twice, and may occur only once.")
            }
        }
        return table
    }

    /// Parses `1=Film,2=Autos`, or else reads the file at that path. Throws ``CommandFailure``.
    static func categories(_ text: String) throws -> [String: String] {
        guard text.contains("=") else { return try read(path: text, heading: ("id", "name")) }
        var table: [String: String] = [:]
        for pair in text.split(separator: ",") {
            let parts = pair.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, table.updateValue(String(parts[1]), forKey: String(parts[0])) == nil else {
                throw CommandFailure(
                    "\"\(String(pair).echoed)\": --category-names must be id=name,id=name, with each id once.")
            }
        }
        return table
    }
}
