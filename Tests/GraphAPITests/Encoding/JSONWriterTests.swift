import Foundation
import GraphAPI
import TestSupport
import Testing

@Suite(.timeLimit(.unit))
struct JSONWriterTests {
    private func text(_ write: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        write(&json)
        return String(decoding: json.bytes, as: UTF8.self)
    }

    @Test func `commas stand between members and entries only`() {
        let written = text { json in
            json.beginObject()
            json.key("a")
            json.beginArray()
            json.beginObject()
            json.endObject()
            json.integer(-7)
            json.beginArray()
            json.endArray()
            json.string("{")
            json.bool(true)
            json.null()
            json.endArray()
            json.key("b")
            json.id(9_007_199_254_740_991)
            json.raw(Array("\"c\":1,\"d\":{}".utf8))
            json.key(escaping: "e\"")
            json.string(nil)
            json.endObject()
        }
        #expect(
            written
                == #"{"a":[{},-7,[],"{",true,null],"b":"9007199254740991","c":1,"d":{},"e\"":null}"#)
    }

    @Test(arguments: [
        (Float(0.1), "0.1"), (-1, "-1"), (1e-5, "1e-05"), (0.33333334, "0.33333334"), (.infinity, "null"),
        (.nan, "null"), (1e20, "1e+20"),
    ])
    func `a float has no more digits than it needs`(_ value: Float, _ expected: String) {
        #expect(text { $0.number(value) } == expected)
    }

    @Test func `every scalar survives a reader that is not ours`() throws {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<500 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 0...40, using: &generator) {
                let limit: UInt32 = Bool.random(using: &generator) ? 0x7F : 0x10FFFF
                if let scalar = Unicode.Scalar(UInt32.random(in: 0...limit, using: &generator)) {
                    scalars.append(scalar)
                }
            }
            let original = String(scalars)
            let written = text { json in
                json.beginArray()
                json.string(original)
                json.endArray()
            }
            let read = try #require(try JSONSerialization.jsonObject(with: Data(written.utf8)) as? [String])
            #expect(read[0].unicodeScalars.elementsEqual(scalars))
        }
    }

    @Test(arguments: [Int64.min, -10, -9, -1, 0, 1, 9, 10, 99, 100, 1234567890, Int64.max])
    func `integers are decimal`(_ value: Int64) {
        #expect(text { $0.integer(value) } == String(value))
        #expect(text { $0.id(value) } == "\"\(value)\"")
    }

    @Test func `the largest unsigned integer does not trap`() {
        #expect(text { $0.integer(UInt64.max) } == "18446744073709551615")
    }
}

extension JSONWriterTests {
    @Test func `members are names and values, and nil is null`() {
        var json = JSONWriter()
        json.beginObject()
        json.member("text", "a\"b")
        json.member("noText", String?.none)
        json.member("flag", true)
        json.member("count", 3)
        json.member("large", UInt64.max)
        json.member("share", 0.5)
        json.member("noShare", Double?.none)
        json.member("words", ["a", "b"])
        json.member("id", id: 42)
        json.member("noID", id: nil)
        json.member("time", time: 0)
        json.member("noTime", time: nil)
        json.member("raw", raw: Array("{}".utf8))
        json.member("list", listing: [1, 2]) { $0.integer($1) }
        json.member(escaping: "na\"me", id: 7)
        json.endObject()
        let expected = #"""
            {"text":"a\"b","noText":null,"flag":true,"count":3,"large":18446744073709551615,"share":0.5,\#
            "noShare":null,"words":["a","b"],"id":"42","noID":null,\#
            "time":"1970-01-01T00:00:00.000Z","noTime":null,"raw":{},\#
            "list":[1,2],"na\"me":"7"}
            """#
        #expect(String(decoding: json.bytes, as: UTF8.self) == expected)
    }
}
