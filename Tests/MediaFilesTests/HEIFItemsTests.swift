import TestSupport
import Testing

@testable import MediaFiles

/// Locations of items that would cost more work than the file has bytes.
@Suite(.timeLimit(.unit))
struct HEIFItemsTests {
    private static func box(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        SamplePicture.big(contents.count + 8, 4) + Array(type.utf8) + contents
    }

    /// The contents of a box `meta` with the attached items 1 to `attached`, and 600 bytes of data. `places`: contents
    /// of its box `iloc`.
    private static func meta(attached: Int, places: [UInt8]) -> ArraySlice<UInt8> {
        var infos = SamplePicture.big(0, 4) + SamplePicture.big(attached, 2)
        for id in 0..<attached {
            var info = SamplePicture.big(0x0200_0000, 4) + SamplePicture.big(id + 1, 2)
            info += [0, 0]
            info += Array("mime".utf8)
            infos += box("infe", info)
        }
        var contents: [UInt8] = [0, 0, 0, 0]
        contents += box("iinf", infos)
        contents += box("iloc", places)
        contents += box("idat", [UInt8](repeating: 1, count: 600))
        return contents[...]
    }

    /// A box `meta` with an attached item for each of `extents`, which are positions in its data.
    private static func meta(_ extents: [Range<Int>]) -> ArraySlice<UInt8> {
        var places: [UInt8] = [1, 0, 0, 0, 0x22, 0]
        places += SamplePicture.big(extents.count, 2)
        for (index, extent) in extents.enumerated() {
            places += SamplePicture.big(index + 1, 2)
            places += [0, 1, 0, 0, 0, 1]
            places += SamplePicture.big(extent.lowerBound, 2)
            places += SamplePicture.big(extent.count, 2)
        }
        return meta(attached: extents.count, places: places)
    }

    @Test func `an item with many extents that take no bytes is refused`() {
        var places: [UInt8] = [0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
        for _ in 0..<0xFFFF { places += [0, 9, 0, 0, 0xFF, 0xFF] }
        let contents = Self.meta(attached: 0, places: places)
        #expect(throws: HEIFItems.impossible) { _ = try HEIFItems(contents) }
    }

    @Test func `an item that is not attached may have one extent that takes no bytes`() throws {
        let items = try HEIFItems(Self.meta(attached: 0, places: [0, 0, 0, 0, 0, 0, 0, 1, 0, 9, 0, 0, 0, 1]))
        #expect(items.inside.isEmpty && items.outside.isEmpty)
    }

    @Test(arguments: [
        [0..<600, 0..<600], [300..<600, 0..<301], [0..<600, 10..<11], Array(repeating: 0..<600, count: 5_000),
    ])
    func `extents that overlap inside the description are refused`(_ extents: [Range<Int>]) {
        #expect(throws: HEIFItems.impossible) { _ = try HEIFItems(Self.meta(extents)) }
    }

    @Test func `extents that touch inside the description are taken in order`() throws {
        let items = try HEIFItems(Self.meta([300..<600, 0..<100, 100..<300]))
        #expect(items.inside.map(\.length) == [100, 200, 300])
    }
}
