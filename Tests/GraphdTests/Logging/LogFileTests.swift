import Foundation
import Glibc
import TestSupport
import Testing

@testable import graphd

@Suite(.timeLimit(.unit))
struct LogFileTests {
    private func withDirectory(_ body: (String) throws -> Void) throws {
        let path = temporaryPath("log")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(path)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func `lines go to the new file once it is opened anew`() throws {
        try withDirectory { directory in
            let path = directory + "/graphd.log"
            try Data("before\n".utf8).write(to: URL(fileURLWithPath: path))
            let log = try LogFile(path: path)
            log.write(line: Array("first\n".utf8))
            try FileManager.default.moveItem(atPath: path, toPath: path + ".1")
            log.write(line: Array("second\n".utf8))
            try log.reopen()
            log.write(line: Array("third\n".utf8))
            #expect(try text(path + ".1") == "before\nfirst\nsecond\n")
            #expect(try text(path) == "third\n")
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o137 } == 0)
        }
    }

    @Test func `a path that cannot be opened leaves the former file in use`() throws {
        try withDirectory { directory in
            let folder = directory + "/folder"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let log = try LogFile(path: folder + "/graphd.log")
            try FileManager.default.moveItem(atPath: folder, toPath: directory + "/moved")
            let failure = #expect(throws: LogFile.Unusable.self) { try log.reopen() }
            #expect(failure?.description.contains("No such file or directory") == true)
            log.write(line: Array("kept\n".utf8))
            #expect(try text(directory + "/moved/graphd.log") == "kept\n")
        }
    }

    @Test func `a named pipe or a directory is refused at once`() throws {
        try withDirectory { directory in
            #expect(throws: LogFile.Unusable.self) { _ = try LogFile(path: directory) }
            let pipe = directory + "/pipe"
            try #require(mkfifo(pipe, 0o600) == 0)
            #expect(throws: LogFile.Unusable.self) { _ = try LogFile(path: pipe) }
            #expect(throws: LogFile.Unusable.self) { _ = try LogFile(path: "/dev/null") }
        }
    }
}
