import Authentication
import Contracts
import Crypto
import FoundationEssentials
import JWTKit
import TestKit
import Testing

@Suite struct AccessTokenVerifierTests {
    private let key = P256.Signing.PrivateKey()
    private let now: Int64 = 1_800_000_000
    private var keys: [String: P256.Signing.PublicKey] { ["k1": key.publicKey] }

    private struct Claims: Codable {
        var sub = "42"
        var sid = "s1"
        var app = "seatcatcher"
        var typ = "access"
        var exp: Double = 1_800_000_600
    }

    private func verify(_ token: String) -> Result<AccessClaims, TokenProblem> {
        Result { () throws(TokenProblem) in try AccessTokenVerifier().verify(token, keys: keys, now: now) }
    }

    private func token(
        header: String = #"{"alg":"ES256","kid":"k1","typ":"JWT"}"#,
        payload: String? = nil,
        claims: Claims = Claims()
    ) throws -> String {
        let payload = try payload ?? String(decoding: JSONEncoder().encode(claims), as: UTF8.self)
        let signed = "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(payload.utf8))"
        let signature = try key.signature(for: Array(signed.utf8)).rawRepresentation
        return "\(signed).\(Base64URL.encode(signature))"
    }

    @Test func signedToken_isVerified() throws {
        let token = try SignedToken.sign(Claims(), kid: "k1", key: key)
        let expected = AccessClaims(account: 42, session: "s1", app: .seatcatcher, expiresAt: 1_800_000_600)
        #expect(verify(token) == .success(expected))
    }

    @Test func token_isInteroperableWithJWTKit() async throws {
        let signer = JWTKeyCollection()
        await signer.add(ecdsa: try ES256PrivateKey(pem: key.pemRepresentation), kid: "k1")
        let token = try await signer.sign(Payload(), kid: "k1")
        #expect(try verify(token).get().account == 42)

        let reader = JWTKeyCollection()
        await reader.add(ecdsa: try ES256PublicKey(pem: key.publicKey.pemRepresentation), kid: "k1")
        let read = try await reader.verify(SignedToken.sign(Claims(), kid: "k1", key: key), as: Payload.self)
        #expect(read.sub == "42")
    }

    @Test(arguments: [
        #"{"alg":"none","kid":"k1"}"#, #"{"alg":"None","kid":"k1"}"#, #"{"alg":"HS256","kid":"k1","typ":"JWT"}"#,
        #"{"alg":"ES384","kid":"k1"}"#, #"{"alg":"RS256","kid":"k1"}"#, #"{"alg":"es256","kid":"k1"}"#,
        #"{"kid":"k1"}"#,
        #"{"alg":"ES256","kid":"k1","typ":"JWE"}"#, #"{"alg":"ES256","kid":"k1","jku":"https://evil.example/keys"}"#,
        #"{"alg":"ES256","kid":"k1","x5u":"https://evil.example/cert"}"#, #"{"alg":"ES256","kid":"k1","b64":"false"}"#,
    ])
    func unsupportedAlgorithmOrHeader_isRefused(header: String) throws {
        #expect(verify(try token(header: header)) == .failure(.unsupported))
    }

    @Test(arguments: [
        #"{"alg":"ES256","kid":"k1","crit":["exp"]}"#, #"{"alg":"ES256","kid":"k1","jwk":{"kty":"EC"}}"#,
        #"{"alg":"ES256","kid":["k1"]}"#, #"{"alg":"ES256","kid":null}"#, #"{"alg":"ES256"}"#,
        #"{"alg":"ES256","kid":""}"#,
        "[]", "null", "\"ES256\"", "", "{",
    ])
    func malformedHeader_isRefused(header: String) throws {
        #expect(verify(try token(header: header)) == .failure(.malformed))
    }

    @Test(arguments: ["k2", "../../k1", "k1' OR '1'='1", "k1\u{0}"])
    func unknownKeyID_isReported(kid: String) throws {
        let header = String(decoding: try JSONEncoder().encode(["alg": "ES256", "kid": kid]), as: UTF8.self)
        #expect(verify(try token(header: header)) == .failure(.unknownKey(kid)))
    }

    @Test func hmacWithPublicKey_isRefused() throws {
        let header = Base64URL.encode(#"{"alg":"HS256","kid":"k1","typ":"JWT"}"#.utf8)
        let signed = "\(header).\(Base64URL.encode(try JSONEncoder().encode(Claims())))"
        let secret = SymmetricKey(data: Array(key.publicKey.pemRepresentation.utf8))
        let code = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: secret)
        #expect(verify("\(signed).\(Base64URL.encode(code))") == .failure(.unsupported))
    }

    @Test func foreignSignature_isRefused() throws {
        let token = try SignedToken.sign(Claims(), kid: "k1", key: P256.Signing.PrivateKey())
        #expect(verify(token) == .failure(.badSignature))
    }

    @Test func changedClaims_areRefused() throws {
        let parts = try token().split(separator: ".")
        var claims = Claims()
        claims.sub = "43"
        let forged = Base64URL.encode(try JSONEncoder().encode(claims))
        #expect(verify("\(parts[0]).\(forged).\(parts[2])") == .failure(.badSignature))
    }

    @Test func malformedSignature_isRefused() throws {
        let parts = try token().split(separator: ".")
        let signed = "\(parts[0]).\(parts[1])"
        let der = try key.signature(for: Array(signed.utf8)).derRepresentation
        #expect(verify("\(signed).\(Base64URL.encode(der))") == .failure(.malformed))
        #expect(verify("\(signed).\(Base64URL.encode([UInt8](repeating: 0, count: 64)))") == .failure(.badSignature))
        #expect(verify("\(signed).") == .failure(.malformed))
        #expect(verify("\(signed).\(parts[2])=") == .failure(.malformed))
    }

    @Test(arguments: ["", ".", "..", "a.b", "a.b.c.d", "Bearer a.b.c", "eyJ.eyJ.x y"])
    func malformedToken_isRefused(token: String) {
        #expect(verify(token) == .failure(.malformed))
    }

    @Test func oversizedToken_isRefused() throws {
        #expect(verify(String(repeating: "a", count: 65_536)) == .failure(.malformed))
        #expect(verify(try token() + String(repeating: "A", count: 4096)) == .failure(.malformed))
    }

    @Test(arguments: ["refresh", "identity", ""])
    func otherTokenType_isRefused(type: String) throws {
        var claims = Claims()
        claims.typ = type
        #expect(verify(try token(claims: claims)) == .failure(.wrongType))
    }

    @Test(arguments: ["0", "-1", "abc", "9223372036854775808", ""])
    func invalidSubject_isRefused(subject: String) throws {
        var claims = Claims()
        claims.sub = subject
        #expect(verify(try token(claims: claims)) == .failure(.wrongType))
    }

    @Test(arguments: [
        "", "a.b", "a b", "s1\r\nX-Madang-Identity: x", "세션", "s1/", String(repeating: "a", count: 65),
    ])
    func sessionThatIsNoPlainWord_isRefused(session: String) throws {
        var claims = Claims()
        claims.sid = session
        #expect(verify(try token(claims: claims)) == .failure(.wrongType))
    }

    private static func payload(_ more: String) -> String {
        #"{"sub":"42","sid":"s1","app":"seatcatcher","typ":"access","exp":1800000600\#(more)}"#
    }

    @Test(arguments: [
        (#","nbf":1800000031"#, TokenProblem.notYetValid), (#","nbf":"soon""#, .wrongType), (",", .malformed),
        (#","aud":"moup""#, .wrongType), (#","aud":[]"#, .wrongType), (#","aud":1"#, .wrongType),
        (",\"x\":\"\u{1}\"", .malformed), (#","exp":1900000000"#, .malformed),
    ])
    func tokenForOthersOrLater_isRefused(claims: String, problem: TokenProblem) throws {
        #expect(verify(try token(payload: Self.payload(claims))) == .failure(problem))
    }

    @Test(arguments: ["", #","nbf":1800000030"#, #","aud":"seatcatcher""#, #","aud":["moup","seatcatcher"]"#])
    func tokenForThisAppAndTime_isVerified(claims: String) throws {
        #expect(try verify(token(payload: Self.payload(claims))).get().account == 42)
    }

    @Test func unknownApp_isRefused() throws {
        var claims = Claims()
        claims.app = "postgres"
        #expect(verify(try token(claims: claims)) == .failure(.wrongType))
    }

    @Test func expiry_hasThirtySecondsLeeway() throws {
        var claims = Claims()
        claims.exp = Double(now - 29)
        #expect(try verify(token(claims: claims)).get().expiresAt == now - 29)
        claims.exp = Double(now - 30)
        #expect(verify(try token(claims: claims)) == .failure(.expired))
    }

    @Test(arguments: [
        #"{"sub":"42","sid":"s","app":"moup","typ":"access"}"#,
        #"{"sub":"42","sid":"s","app":"moup","typ":"access","exp":"1800000600"}"#,
        #"{"sub":"42","sid":"s","app":"moup","typ":"access","exp":null}"#,
        #"{"sub":42,"sid":"s","app":"moup","typ":"access","exp":1800000600}"#, "[]",
    ])
    func mistypedClaims_areRefused(payload: String) throws {
        #expect(verify(try token(payload: payload)) == .failure(.wrongType))
    }

    @Test(arguments: ["1e400", "1e300", "-5", "0", "1800000600.5"])
    func implausibleExpiry_isRefused(exp: String) throws {
        let payload = #"{"sub":"42","sid":"s","app":"moup","typ":"access","exp":\#(exp)}"#
        switch verify(try token(payload: payload)) {
        case .success: Issue.record("accepted exp \(exp)")
        case .failure(let problem): #expect(problem == .malformed || problem == .wrongType)
        }
    }
}

private struct Payload: JWTPayload {
    var sub = "42"
    var sid = "s1"
    var app = "seatcatcher"
    var typ = "access"
    var exp: Double = 1_800_000_600

    func verify(using algorithm: some JWTAlgorithm) throws {}
}
