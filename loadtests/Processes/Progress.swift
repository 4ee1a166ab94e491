import Foundation

/// What a load test is doing, on standard error.
enum Progress {
    static func say(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
