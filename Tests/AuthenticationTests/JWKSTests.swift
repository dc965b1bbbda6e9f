import Authentication
import Crypto
import FoundationEssentials
import Testing

@Suite struct JWKSTests {
    @Test func key_roundTrips() throws {
        let key = P256.Signing.PrivateKey().publicKey
        let json = try JSONEncoder().encode(JWKS(keys: [JWKS.Key(kid: "a", key: key)]))
        let read = try JSONDecoder().decode(JWKS.self, from: json)
        #expect(read.publicKeys["a"]?.rawRepresentation == key.rawRepresentation)
    }

    @Test func unusableKeys_areSkipped() throws {
        let json = """
            {"keys":[{"kty":"RSA","kid":"r","n":"AQAB","e":"AQAB"},{"kty":"EC","crv":"P-384","kid":"b","x":"AA","y":"AA"},
            {"kty":"EC","crv":"P-256","kid":"c","x":"AA","y":"AA"},{"kty":"EC","crv":"P-256","use":"enc","kid":"d"},{"kty":"oct"}]}
            """
        #expect(try JSONDecoder().decode(JWKS.self, from: Data(json.utf8)).publicKeys.isEmpty)
    }
}
