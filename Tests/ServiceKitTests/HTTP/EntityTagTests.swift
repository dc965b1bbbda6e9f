import NIOCore
import Testing

@testable import ServiceKit

struct EntityTagTests {
    private let tag = EntityTag(of: ByteBuffer(string: "content"))

    @Test func tag_isOfTheContent() {
        #expect(tag == EntityTag(of: ByteBuffer(string: "content")))
        #expect(tag != EntityTag(of: ByteBuffer(string: "other")))
        #expect(tag.text.hasPrefix("\"") && tag.text.hasSuffix("\"") && tag.text.count == 26)
    }

    @Test func comparison_isWeak() {
        for list in [tag.text, "W/\(tag.text)", "\"a\", \(tag.text)", "\"a\" ,\tW/\(tag.text) ,\"b\"", "*"] {
            #expect(tag.isNamed(by: Substring(list)), "\(list)")
        }
        for list in ["", "\"a\"", "W/\"a\", \"b\"", String(tag.text.dropFirst().dropLast()), "w/\(tag.text)", "**"] {
            #expect(!tag.isNamed(by: Substring(list)), "\(list)")
        }
    }
}
