/// The compression of strings in dumps: literal runs, and copies of earlier output (Marc Lehmann's LibLZF).
enum LZF {
    /// Returns nil unless `data` decompresses to exactly `size` bytes.
    static func decompress(_ data: UnsafeRawBufferPointer, size: Int) -> [UInt8]? {
        guard size <= 1 << 20 else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(size)
        var bytes = ByteReader(data)
        while let control = bytes.next() {
            guard control >= 32 else {
                guard let run = bytes.take(Int(control) + 1) else { return nil }
                output.append(contentsOf: run)
                continue
            }
            var count = Int(control >> 5) + 2
            if control >> 5 == 7 {
                guard let more = bytes.next() else { return nil }
                count += Int(more)
            }
            guard let low = bytes.next() else { return nil }
            let start = output.count - (Int(control & 0x1F) << 8 | Int(low)) - 1
            guard start >= 0, output.count + count <= size else { return nil }
            // The copy may overlap what it writes.
            for index in start..<start + count { output.append(output[index]) }
        }
        return output.count == size ? output : nil
    }
}
