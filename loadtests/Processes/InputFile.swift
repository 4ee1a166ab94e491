import Foundation

/// Files of real data, which often come compressed.
enum InputFile {
    /// Copies `path`, uncompressed, into `directory`.
    static func plain(_ path: String, in directory: String, as name: String) throws -> String {
        let plain = directory + "/" + name
        let program = path.hasSuffix(".gz") ? "gzip -dc" : "cat"
        try Program.run(Program.find("sh"), ["-c", "exec \(program) \"$0\" > \"$1\"", path, plain])
        return plain
    }
}
