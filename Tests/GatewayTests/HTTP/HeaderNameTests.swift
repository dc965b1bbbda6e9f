import NIOCore
import Testing

@testable import Gateway

struct HeaderNameTests {
    private func name(_ text: String) -> HeaderName {
        HeaderNameTable.shared.name(ByteBuffer(string: text).readableBytesUInt8Span, in: 0..<text.utf8.count)
    }

    @Test(arguments: HeaderName.allCases.filter { $0.spelling.utf8CodeUnitCount > 0 })
    func knownNames_areRecognizedInAnyCase(_ expected: HeaderName) {
        #expect(name("\(expected.spelling)") == expected)
        #expect(name("\(expected.spelling)".uppercased()) == expected)
    }

    @Test(arguments: ["x-madang-identity", "X-Madang-Anything", "x-madang-"])
    func internalHeaders_areRecognizedByPrefix(_ text: String) {
        #expect(name(text) == .internalHeader)
    }

    @Test(arguments: ["X-Forwarded-For", "x-forwarded-proto", "Forwarded", "X-Real-IP", "True-Client-IP"])
    func forwardingHeaders_areRecognized(_ text: String) {
        #expect(name(text) == .forwarded)
    }

    @Test(arguments: ["hos", "hostt", "xmadang-", "content_length", "content-lengt", "a", "x", "transfer-encoding2"])
    func otherNames_areOther(_ text: String) {
        #expect(name(text) == .other)
    }
}
