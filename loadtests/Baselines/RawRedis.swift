import Foundation

/// A minimal connection to Redis: it sends bytes, and receives answers of one line or one text.
struct RawRedis {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(socket path: String) throws {
        descriptor = Foundation.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < capacity else { throw Program.Failure(description: "\(path) is too long a path") }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard connected == 0 else { throw Program.Failure(description: "\(path) cannot be connected to") }
    }

    func close() { Foundation.close(descriptor) }

    static func command(_ words: [String]) -> [UInt8] {
        var bytes = Array("*\(words.count)\r\n".utf8)
        for word in words {
            bytes.append(contentsOf: "$\(word.utf8.count)\r\n".utf8)
            bytes.append(contentsOf: word.utf8)
            bytes.append(contentsOf: [0x0D, 0x0A])
        }
        return bytes
    }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        try bytes.withUnsafeBytes { bytes in
            while sent < bytes.count {
                let count = write(descriptor, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
                guard count > 0 else { throw Program.Failure(description: "Redis takes no more") }
                sent += count
            }
        }
    }

    /// Waits for so many answers of one line. Throws the first error among them.
    mutating func receive(_ count: Int) throws {
        for _ in 0..<count { _ = try line() }
    }

    /// Receives an answer that is a text.
    mutating func text() throws -> String {
        _ = try line()
        return try line()
    }

    private mutating func line() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let line = String(decoding: buffer[..<(end - 1)], as: UTF8.self)
                buffer.removeSubrange(...end)
                guard !line.hasPrefix("-") else { throw Program.Failure(description: "Redis: \(line)") }
                return line
            }
            var part = [UInt8](repeating: 0, count: 4_096)
            let count = read(descriptor, &part, part.count)
            guard count > 0 else { throw Program.Failure(description: "Redis has closed the connection") }
            buffer.append(contentsOf: part[..<count])
        }
    }
}
