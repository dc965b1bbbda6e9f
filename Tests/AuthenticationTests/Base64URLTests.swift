import Authentication
import Testing

@Suite struct Base64URLTests {
    @Test func everyLength_roundTrips() {
        for count in 0..<64 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 200) }
            #expect(Base64URL.decode(Base64URL.encode(bytes).utf8) == bytes)
        }
    }

    @Test(arguments: ["": "", "f": "Zg", "fo": "Zm8", "foo": "Zm9v", "foob": "Zm9vYg", "foobar": "Zm9vYmFy"])
    func encoding_matchesVectorsOfRFC4648(plain: String, text: String) {
        #expect(Base64URL.encode(plain.utf8) == text)
    }

    @Test(arguments: ["Zg==", "Zh", "Zm9vY", "Z m9", "Zm+v", "Zm/v", "Zm8=", "한글"])
    func nonCanonicalText_isNil(text: String) {
        #expect(Base64URL.decode(text.utf8) == nil)
    }
}
