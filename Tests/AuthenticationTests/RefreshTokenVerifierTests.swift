import Authentication
import Contracts
import Crypto
import TestKit
import Testing

@Suite struct RefreshTokenVerifierTests {
    private let key = P256.Signing.PrivateKey()

    private struct Claims: Encodable {
        var sub = "42"
        var sid = "s1"
        var app = "seatcatcher"
        var typ = "refresh"
        var gen = 3
        var exp: Int64 = 1_800_000_600
    }

    private func verify(_ claims: Claims = Claims(), key other: P256.Signing.PrivateKey? = nil) throws -> RefreshClaims
    {
        let token = try SignedToken.sign(claims, kid: "k1", key: other ?? key)
        return try RefreshTokenVerifier().verify(token, keys: ["k1": key.publicKey])
    }

    /// The caller checks the expiry, because an expired token has another answer than an invalid one.
    @Test func signedToken_isVerifiedRegardlessOfExpiry() throws {
        let claims = try verify()
        #expect(claims.account == 42 && claims.session == "s1" && claims.app == .seatcatcher)
        #expect(claims.generation == 3 && claims.expiresAt == 1_800_000_600)
        #expect(try verify(Claims(exp: 1)).expiresAt == 1)
    }

    @Test func accessToken_isRefused() {
        #expect(throws: TokenProblem.wrongType) { try verify(Claims(typ: "access")) }
    }

    @Test func foreignSignature_isRefused() {
        #expect(throws: TokenProblem.badSignature) { try verify(key: P256.Signing.PrivateKey()) }
    }

    @Test func implausibleExpiry_isRefused() {
        #expect(throws: TokenProblem.malformed) { try verify(Claims(exp: .max)) }
        #expect(throws: TokenProblem.malformed) { try verify(Claims(exp: -1)) }
    }
}
