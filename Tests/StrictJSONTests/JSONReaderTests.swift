import Foundation
import GraphAPI
import TestSupport
import Testing

@testable import StrictJSON

@Suite(.timeLimit(.unit))
struct JSONReaderTests {
    private func read(_ text: String) throws -> JSONValue {
        try JSONReader.read(Array(text.utf8))
    }

    @Test func `values are exact`() throws {
        #expect(try read(" -9223372036854775808 ") == .integer(.min))
        #expect(try read("9223372036854775808") == .double(9_223_372_036_854_775_808))
        #expect(try read("1.5e2") == .double(150))
        #expect(try read(#""\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\""#) == .string("é😀/\u{8}\u{C}\n\r\t\"\\"))
        #expect(
            try read(#"{"a":[1,null,true,false],"b":{}}"#)
                == .object([
                    JSONMember(name: "a", value: .array([.integer(1), .null, .bool(true), .bool(false)])),
                    JSONMember(name: "b", value: .object([])),
                ]))
    }

    @Test(arguments: [
        ("", JSONError.Reason.unexpectedEnd), ("{", .unexpectedEnd), ("[1,", .unexpectedEnd), ("\"a", .unexpectedEnd),
        ("tru", .unexpectedEnd), ("-", .unexpectedEnd), ("{} {}", .trailingBytes), ("[1 2]", .unexpectedByte(0x32)),
        ("[1,]", .unexpectedByte(0x5D)), ("{\"a\":1,}", .unexpectedByte(0x7D)), ("{a:1}", .unexpectedByte(0x61)),
        ("01", .invalidNumber), ("1.", .invalidNumber), ("1e", .invalidNumber), ("-x", .invalidNumber),
        (".5", .unexpectedByte(0x2E)), ("1e999", .numberOutOfRange), ("\"\u{1}\"", .controlCharacter),
        ("\"\u{0}\"", .nulCharacter), ("\"\\u0000\"", .nulCharacter), ("\u{0}", .nulCharacter),
        ("\"\\x\"", .invalidEscape), ("\"\\u12g4\"", .invalidEscape), ("\"\\ud83d\"", .loneSurrogate),
        ("\"\\ude00\"", .loneSurrogate), ("\"\\ud83d\\u0041\"", .loneSurrogate),
        ("{\"a\":1,\"a\":2}", .duplicateName("a")), ("{\"a\":1,\"\\u0061\":2}", .duplicateName("a")),
        (String(repeating: "[", count: 17) + String(repeating: "]", count: 17), .tooDeep),
        (String(repeating: "[", count: 100_000), .tooDeep),
    ])
    func `malformed text is refused with its reason`(_ text: String, _ reason: JSONError.Reason) {
        let error = #expect(throws: JSONError.self) { try read(text) }
        #expect(error?.reason == reason)
    }

    @Test func `what is too much is refused`() {
        func list(_ count: Int, _ entry: String) -> String {
            "[" + repeatElement(entry, count: count).joined(separator: ",") + "]"
        }
        func object(_ count: Int) -> String { "{" + (0..<count).map { "\"n\($0)\":0" }.joined(separator: ",") + "}" }
        func name(_ bytes: Int) -> String { "{\"" + String(repeating: "n", count: bytes) + "\":0}" }
        func marks(_ count: Int) -> String { "{\"f\":\"e" + String(repeating: "\u{300}", count: count) + "\"}" }
        let cases: [(right: String, wrong: String, JSONError.Reason)] = [
            (name(JSONLimits.nameBytes), name(JSONLimits.nameBytes + 1), .nameTooLong),
            (object(JSONLimits.members), object(JSONLimits.members + 1), .tooManyMembers),
            (list(JSONLimits.entries, "0"), list(JSONLimits.entries + 1, "0"), .tooManyEntries),
            (list(7, list(9_000, "0")), list(8, list(9_000, "0")), .tooManyValues),
            (String(repeating: "1", count: 300), String(repeating: "1", count: 513), .numberTooLong),
            (marks(30), marks(31), .tooManyMarks),
        ]
        for (right, wrong, reason) in cases {
            #expect(throws: Never.self) { try read(right) }
            let error = #expect(throws: JSONError.self) { try read(wrong) }
            #expect(error?.reason == reason)
        }
    }

    @Test(arguments: [
        "{\"f\":[{\"inner\":\"%\"}]}", "{\"f\":[\"%\"]}", "{\"%\":1}", "[\"%\"]", "\"%\"",
    ])
    func `marks are refused wherever they stand`(_ frame: String) {
        for mark in ["\u{300}\u{316}", "\\u0300\\u0316", "\u{FE0F}\u{FF9E}"] {
            let marks = String(repeating: mark, count: 16)
            let error = #expect(throws: JSONError.self) { try read(frame.replacing("%", with: marks)) }
            #expect(error?.reason == .tooManyMarks)
            #expect(error?.field == (frame.contains("inner") ? "inner" : frame.hasPrefix("{\"f") ? "f" : nil))
        }
    }

    @Test func `names are compared as bytes`() throws {
        // One letter in two spellings gives two names. A field has exactly one spelling of its name.
        let value = try read("{\"\u{E9}\":1,\"e\u{301}\":2}")
        #expect(
            value
                == .object([
                    JSONMember(name: "\u{E9}", value: .integer(1)), JSONMember(name: "e\u{301}", value: .integer(2)),
                ]))
    }

    @Test func `sixteen levels are accepted`() throws {
        _ = try read(String(repeating: "[", count: 16) + String(repeating: "]", count: 16))
    }

    @Test(arguments: [[0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22]] as [[UInt8]])
    func `invalid UTF-8 is refused`(_ bytes: [UInt8]) {
        let error = #expect(throws: JSONError.self) { try JSONReader.read(bytes) }
        #expect(error?.reason == .invalidUTF8)
    }

    @Test func `every double is read back exactly`() throws {
        var generator = SplitMix64(seed: 7)
        for _ in 0..<5000 {
            let value = Double(bitPattern: UInt64.random(in: .min ... .max, using: &generator))
            guard value.isFinite else { continue }
            let read = try read("\(value)")
            #expect(read == .double(value) || read == .integer(Int64(exactly: value) ?? 0))
        }
    }

    @Test func `random and mutated texts are read as Foundation reads them`() {
        var generator = SplitMix64(seed: 42)
        var accepted = 0
        var refused = 0
        for round in 0..<6000 {
            var text = RandomJSON.text(using: &generator)
            if round % 3 != 0 {
                RandomJSON.mutate(&text, using: &generator)
            }
            let foundation = try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed)
            do {
                let value = try JSONReader.read(text)
                accepted += 1
                guard let foundation else {
                    Issue.record("only we accept \(String(decoding: text, as: UTF8.self))")
                    continue
                }
                #expect(RandomJSON.agree(value, foundation), "\(String(decoding: text, as: UTF8.self))")
            } catch let error as JSONError {
                refused += 1
                if !RandomJSON.isStricterHere(error.reason) {
                    #expect(foundation == nil, "only we refuse \(String(decoding: text, as: UTF8.self)): \(error)")
                }
            } catch {
                Issue.record(error)
            }
        }
        #expect(accepted > 1000 && refused > 1000, "the fuzzing must reach both sides")
    }
}

/// Random JSON texts, and a comparison with Foundation's parser.
enum RandomJSON {
    static func text(using generator: inout SplitMix64) -> [UInt8] {
        Array(value(depth: 0, using: &generator).utf8)
    }

    static func mutate(_ text: inout [UInt8], using generator: inout SplitMix64) {
        let alphabet = Array("{}[]\",:\\u0129eE+-.tfn d\u{1F}\u{E9}".utf8) + [0xFF, 0xC0]
        for _ in 0..<Int.random(in: 1...3, using: &generator) where !text.isEmpty {
            let index = text.indices.randomElement(using: &generator) ?? 0
            let byte = alphabet.randomElement(using: &generator) ?? 0x20
            switch Int.random(in: 0...3, using: &generator) {
            case 0: text[index] = byte
            case 1: text.insert(byte, at: index)
            case 2: text.remove(at: index)
            default: text.removeLast(Int.random(in: 0...min(3, text.count), using: &generator))
            }
        }
    }

    static func isStricterHere(_ reason: JSONError.Reason) -> Bool {
        switch reason {
        case .duplicateName, .tooDeep, .nulCharacter, .loneSurrogate, .numberOutOfRange, .tooManyMarks: true
        default: false
        }
    }

    static func agree(_ ours: JSONValue, _ theirs: Any) -> Bool {
        switch (ours, theirs) {
        case (.null, is NSNull): true
        case (.string(let text), let other as String): text == other
        case (.array(let values), let others as [Any]):
            values.count == others.count && zip(values, others).allSatisfy { agree($0, $1) }
        case (.object(let members), let others as [String: Any]):
            members.count == others.count
                && members.allSatisfy { member in others[member.name].map { agree(member.value, $0) } ?? false }
        case (.bool(let flag), let other as NSNumber): flag == other.boolValue
        case (.integer(let value), let other as NSNumber): value == other.int64Value
        case (.double(let value), let other as NSNumber):
            // Foundation parses through a decimal number and may be off by some units in the last place.
            abs(value - other.doubleValue) <= 4 * value.ulp
        default: false
        }
    }

    private static func value(depth: Int, using generator: inout SplitMix64) -> String {
        let blank = [" ", "", "\n", "\t", "\r"].randomElement(using: &generator) ?? ""
        switch Int.random(in: 0...(depth < 5 ? 8 : 5), using: &generator) {
        case 0: return blank + "null"
        case 1: return blank + (Bool.random(using: &generator) ? "true" : "false")
        case 2: return blank + String(Int64.random(in: .min ... .max, using: &generator))
        case 3: return blank + "\(Double.random(in: -1e6...1e6, using: &generator))"
        case 4, 5: return blank + string(using: &generator)
        case 6, 7:
            let members = (0..<Int.random(in: 0...4, using: &generator)).map { index in
                let name = Bool.random(using: &generator) ? "\"k\(index)\"" : string(using: &generator)
                return name + blank + ":" + value(depth: depth + 1, using: &generator)
            }
            return "{" + members.joined(separator: blank + ",") + blank + "}"
        default:
            let count = Int.random(in: 0...4, using: &generator)
            let entries = (0..<count).map { _ in value(depth: depth + 1, using: &generator) }
            return "[" + entries.joined(separator: ",") + blank + "]"
        }
    }

    private static func string(using generator: inout SplitMix64) -> String {
        let pieces = [
            "a", "é", "😀", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\ud83d\\ude00", "\\u2028", " ", "{", "]", "x",
            "7", "\u{7F}", "\\b", "\\f", "\\r", "\\t",
        ]
        let count = Int.random(in: 0...8, using: &generator)
        return "\"" + (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined() + "\""
    }
}
