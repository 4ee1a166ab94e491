import CommandSupport
import Foundation
import Glibc

/// A file, or standard input, that is read from beginning to end.
final class InputFile {
    /// Total number of bytes; nil for a pipe.
    let size: Int?
    private(set) var bytesRead = 0
    private let descriptor: Int32

    /// Opens a file; `-` is standard input.
    convenience init(path: String) throws {
        if path == "-" {
            self.init(descriptor: dup(STDIN_FILENO))
            return
        }
        let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            throw CommandFailure("\(path) cannot be opened: \(reason). Name a readable file, or - .")
        }
        var isDirectory: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), isDirectory.boolValue {
            Glibc.close(descriptor)
            throw CommandFailure("\(path) is a directory. Name a file, or - for standard input.")
        }
        self.init(descriptor: descriptor)
    }

    /// Takes ownership of the descriptor.
    private init(descriptor: Int32) {
        self.descriptor = descriptor
        // Only a regular file has a seekable end.
        let start = lseek(descriptor, 0, SEEK_CUR)
        let end = lseek(descriptor, 0, SEEK_END)
        size = start >= 0 && end >= start ? end - start : nil
        if start >= 0 { lseek(descriptor, start, SEEK_SET) }
    }

    deinit { Glibc.close(descriptor) }

    /// Reads into `buffer` and returns the number of bytes, 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        while true {
            let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 {
                bytesRead += count
                return count
            }
            guard errno == EINTR else {
                throw CommandFailure("The input cannot be read: \(String(cString: strerror(errno))).")
            }
        }
    }

    func rewind() throws {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw CommandFailure("The input cannot be read twice: \(String(cString: strerror(errno))).")
        }
        bytesRead = 0
    }

    /// Returns this file or, if it cannot be read twice, a temporary copy that nobody else can open and that ends with
    /// the process.
    func readableTwice() throws -> InputFile {
        guard size == nil else { return self }
        var template = Array((NSTemporaryDirectory() + "/graphd-import-XXXXXX").utf8CString)
        let copy = mkstemp(&template)
        guard copy >= 0 else {
            throw CommandFailure("A temporary file cannot be created: \(String(cString: strerror(errno))). Set TMPDIR.")
        }
        unlink(template)
        do {
            try spool(to: copy)
        } catch {
            Glibc.close(copy)
            throw error
        }
        let file = InputFile(descriptor: copy)
        try file.rewind()
        return file
    }

    private func spool(to copy: Int32) throws {
        try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
            while true {
                var rest = UnsafeRawBufferPointer(rebasing: buffer[..<(try read(into: buffer))])
                if rest.isEmpty { return }
                while !rest.isEmpty {
                    let written = Glibc.write(copy, rest.baseAddress, rest.count)
                    guard written > 0 || errno == EINTR else {
                        throw CommandFailure(
                            "The temporary file cannot be written: \(String(cString: strerror(errno))).")
                    }
                    rest = UnsafeRawBufferPointer(rebasing: rest[max(written, 0)...])
                }
            }
        }
    }
}
