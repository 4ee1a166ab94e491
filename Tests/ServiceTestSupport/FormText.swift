import NIOCore
import TestSupport

/// A multipart/form-data body as clients write it.
package struct FormText: Sendable {
    package struct Part: Equatable, Sendable {
        package var name: String
        package var content: [UInt8]
        package var fileName: String?

        package init(name: String, content: [UInt8], fileName: String? = nil) {
            (self.name, self.content, self.fileName) = (name, content, fileName)
        }
    }

    package var boundary: String
    package var parts: [Part]

    package init(boundary: String = "----graphd boundary", parts: [Part] = []) {
        (self.boundary, self.parts) = (boundary, parts)
    }

    package mutating func add(_ name: String, _ text: String) {
        parts.append(Part(name: name, content: Array(text.utf8)))
    }

    package mutating func add(_ name: String, file: [UInt8], named fileName: String = "a.bin") {
        parts.append(Part(name: name, content: file, fileName: fileName))
    }

    package var contentType: String { "multipart/form-data; boundary=\"\(boundary)\"" }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            let file = part.fileName.map { "; filename=\"\($0)\"\r\nContent-Type: application/octet-stream" } ?? ""
            bytes += "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(part.name)\"\(file)\r\n\r\n".utf8
            bytes += part.content + "\r\n".utf8
        }
        return bytes + "--\(boundary)--\r\n".utf8
    }
}

/// The shortest leading bytes that identify a type of file, followed by filler.
package enum SampleFile {
    package static func mp4(bytes count: Int = 2_000, brand: String = "isom") -> [UInt8] {
        let box: [UInt8] = [0, 0, 0, 24] + "ftyp\(brand)".utf8 + [0, 0, 2, 0] + "isommp42".utf8
        return box + filler(count - box.count)
    }

    /// A JPEG without anything to remove.
    package static func jpeg(bytes count: Int = 500) -> [UInt8] {
        let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
        return head + filler(count - head.count - 2).map { $0 == 0xFF ? 0xFE : $0 } + [0xFF, 0xD9]
    }

    /// A PNG without anything to remove.
    package static func png(bytes count: Int = 500) -> [UInt8] {
        var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        file += [0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 1, 2, 3, 4]
        let end: [UInt8] = [0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
        let length = count - file.count - end.count - 12
        for shift in [24, 16, 8, 0] { file.append(UInt8(truncatingIfNeeded: length >> shift)) }
        file += "IDAT".utf8
        return file + filler(length + 4) + end
    }

    /// Bytes with many line ends and hyphens, which also begin a boundary.
    private static func filler(_ count: Int) -> [UInt8] {
        var generator = SplitMix64(seed: UInt64(count))
        let alphabet: [UInt8] = [13, 10, 45, 45, 0, 255]
        return (0..<max(count, 0)).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &generator)] }
    }
}
