import TestSupport
import Testing

@testable import ObjectStorage

@Suite(.timeLimit(.unit))
struct AnswerElementTests {
    private func parse(_ text: String) throws -> AnswerElement { try AnswerElement(parsing: Array(text.utf8)) }

    private static func list(_ rest: String) -> String {
        "<?xml version=\"1.0\"?>\n<ListBucketResult xmlns='http://s3'>\(rest)</ListBucketResult>\n"
    }

    @Test func `a list is read`() throws {
        let answer = try parse(
            Self.list(
                """
                <Name>b</Name><!-- one --><Prefix/><IsTruncated>true</IsTruncated>
                <Contents><Key>a&amp;&#x62;&#99;</Key><Size>3</Size></Contents>
                <Contents><Key>d</Key></Contents><NextContinuationToken>t</NextContinuationToken>
                """))
        let page = try ObjectStore.page(answer, after: nil, most: 2)
        #expect(page == ObjectPage(keys: ["a&bc", "d"], next: "t"))
        #expect(throws: ObjectStoreError.self) { try ObjectStore.page(answer, after: "t", most: 2) }
        #expect(throws: ObjectStoreError.self) { try ObjectStore.page(answer, after: nil, most: 1) }
    }

    @Test func `keys are decoded where they are encoded`() throws {
        let answer = try parse(
            Self.list("<EncodingType>url</EncodingType><Contents><Key>a%2Fb+c</Key></Contents>"))
        #expect(try ObjectStore.page(answer, after: nil, most: 1).keys == ["a/b c"])
    }

    @Test(arguments: [
        "", "text", "<a>", "<a></b>", "<a/>more", "<a b></a>", "<a b='c></a>", "<a>&lol;</a>", "<a>&#xD800;</a>",
        "<!DOCTYPE a [<!ENTITY lol 'x'>]><a>&lol;</a>", "<a><![CDATA[x]]></a>", "<a><!--</a>", "< a/>", "<a",
        String(repeating: "<a>", count: 100), "<a>\u{1}</b>",
    ])
    func `anything else is refused`(text: String) {
        #expect(throws: AnswerElement.Malformed.self) { try parse(text) }
    }

    @Test func `an answer of too many elements is refused`() {
        let text = "<a>" + String(repeating: "<b/>", count: AnswerElement.most) + "</a>"
        #expect(throws: AnswerElement.Malformed.self) { try parse(text) }
    }
}
