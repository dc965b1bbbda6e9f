import Testing

@testable import Gateway

struct ByteSetTests {
    private static let alphanumeric = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    private func members(_ set: ByteSet) -> Set<UInt8> { Set((UInt8.min...UInt8.max).filter(set.contains)) }

    @Test func byteSets_matchGrammars() {
        let visible = (UInt8(0x21)...0x7e)
        #expect(members(.token) == Set((Self.alphanumeric + "!#$%&'*+-.^_`|~").utf8))
        #expect(members(.unreserved) == Set((Self.alphanumeric + "-._~").utf8))
        #expect(members(.segment) == Set((Self.alphanumeric + "-._~!$&'()*+,;=:@").utf8))
        #expect(members(.query) == Set(visible).subtracting("#%".utf8))
        #expect(members(.hostName) == Set((Self.alphanumeric + "-._").utf8))
        #expect(members(.address) == Set("0123456789abcdefABCDEF:.".utf8))
        #expect(members(.fieldValue) == Set(visible).union(" \t".utf8))
    }
}
