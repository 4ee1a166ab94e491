import Glibc

/// The names in an open directory.
package enum DirectoryNames {
    /// Returns the names in a directory; empty if there is none.
    ///
    /// - Throws: ``FileFailure``.
    static func read(_ path: String) throws -> [String] {
        guard let stream = opendir(path) else {
            if errno == ENOENT { return [] }
            throw FileFailure("opendir")
        }
        return read(closing: stream)
    }

    /// Reads the names but "." and "..", and closes the directory.
    package static func read(closing stream: OpaquePointer) -> [String] {
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
