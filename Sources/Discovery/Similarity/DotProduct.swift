/// Dot products, the hot loops of similarity, written so that the compiler vectorises them: eight 16-bit products,
/// added up in pairs, are one instruction of every x86-64 (`pmaddwd`).
package enum DotProduct {
    /// Returns the sum of `count` products of at most 2,047 × 127 each. The sum fits for every accepted dimension.
    package static func of(_ query: UnsafePointer<Int16>, _ code: UnsafePointer<Int16>, _ count: Int) -> Int32 {
        var sum = SIMD4<Int32>.zero
        var index = 0
        while index + 8 <= count {
            let products = eight(query, index) &* eight(code, index)
            sum &+= products.evenHalf &+ products.oddHalf
            index += 8
        }
        var rest: Int32 = 0
        while index < count {
            rest &+= Int32(query[index]) &* Int32(code[index])
            index += 1
        }
        return sum.wrappedSum() &+ rest
    }

    /// Returns the same sum for a code stored in bytes.
    package static func of(_ query: UnsafePointer<Int16>, _ code: UnsafePointer<Int8>, _ count: Int) -> Int32 {
        var sum = SIMD4<Int32>.zero
        var index = 0
        while index + 8 <= count {
            let products = eight(query, index) &* eight(code, index)
            sum &+= products.evenHalf &+ products.oddHalf
            index += 8
        }
        var rest: Int32 = 0
        while index < count {
            rest &+= Int32(query[index]) &* Int32(code[index])
            index += 1
        }
        return sum.wrappedSum() &+ rest
    }

    private static func eight(_ numbers: UnsafePointer<Int16>, _ index: Int) -> SIMD8<Int32> {
        SIMD8(truncatingIfNeeded: UnsafeRawPointer(numbers + index).loadUnaligned(as: SIMD8<Int16>.self))
    }

    private static func eight(_ numbers: UnsafePointer<Int8>, _ index: Int) -> SIMD8<Int32> {
        SIMD8(truncatingIfNeeded: UnsafeRawPointer(numbers + index).loadUnaligned(as: SIMD8<Int8>.self))
    }

    /// Returns the product of two vectors of the same dimension. The order of addition is fixed: equal vectors have
    /// equal products.
    package static func of(_ first: [Float], _ second: [Float]) -> Float {
        first.withUnsafeBufferPointer { first in second.withUnsafeBufferPointer { of($0, first) } }
    }

    package static func of(_ first: UnsafeBufferPointer<Float>, _ second: UnsafeBufferPointer<Float>) -> Float {
        typealias Lanes = SIMD8<Float>
        let count = min(first.count, second.count)
        let (left, right) = (UnsafeRawBufferPointer(first), UnsafeRawBufferPointer(second))
        var (even, odd) = (Lanes.zero, Lanes.zero)
        let (width, stride) = (MemoryLayout<Lanes>.size, MemoryLayout<Float>.stride)
        var offset = 0
        while offset + 2 * width <= count * stride {
            even +=
                left.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
                * right.loadUnaligned(fromByteOffset: offset, as: Lanes.self)
            odd +=
                left.loadUnaligned(fromByteOffset: offset + width, as: Lanes.self)
                * right.loadUnaligned(fromByteOffset: offset + width, as: Lanes.self)
            offset += 2 * width
        }
        var sum = (even + odd).sum()
        for index in offset / stride..<count { sum += first[index] * second[index] }
        return sum
    }
}
