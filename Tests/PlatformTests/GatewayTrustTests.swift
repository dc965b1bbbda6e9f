import Authentication
import Contracts
import Crypto
import FoundationEssentials
import NIOHTTP1
import TestKit
import Testing

@testable import Auth

/// Services accept requests from the gateway only, and the gateway refuses forged tokens and identities.
@Suite(.timeLimit(.minutes(8))) struct GatewayTrustTests {
    private struct Claims: Encodable {
        var sub = "1"
        var sid = "s"
        var app = "seatcatcher"
        var typ = "access"
        var exp = 4_000_000_000
    }

    @Test func service_withoutGatewayIdentity_returns403() async throws {
        try await Platform.test { platform in
            let token = try await platform.signIn(kakao: 1).accessToken
            let identity = InternalIdentity(caller: "gateway", app: .seatcatcher, account: 1, session: "s")
            let forged = identity.signed(with: InternalSecret("a guess"), now: Int64(Date.now.timeIntervalSince1970))
            for headers in [["authorization": "Bearer \(token)"], [InternalIdentity.header: forged]] {
                let answer = try await Wire.send(.GET, "\(platform.authURL)/user/me", headers: headers)
                #expect(answer.status == 403)
            }
        }
    }

    @Test func gateway_ignoresClientsIdentityHeader() async throws {
        try await Platform.test { platform in
            let identity = InternalIdentity(caller: "gateway", app: .seatcatcher, account: 1, session: "s")
            let good = identity.signed(with: .development, now: Int64(Date.now.timeIntervalSince1970))
            let headers = [InternalIdentity.header: good, "X-Madang-Client": "10.0.0.1"]
            let me = try await platform.send(.GET, "/user/me", headers: headers)
            #expect(me.status == 401)
            #expect(try await platform.send(.GET, "/internal/keys", headers: headers).status == 404)
            #expect(try await platform.send(.GET, "/internal/passengers/1", headers: headers).status == 404)
        }
    }

    @Test func forgedTokens_return401() async throws {
        try await Platform.test { platform in
            let good = try await platform.signIn(kakao: 1)
            let parts = good.accessToken.split(separator: ".").map(String.init)
            let stranger = P256.Signing.PrivateKey()
            let payload = Base64URL.encode(try JSONEncoder().encode(Claims()))
            let tokens = [
                "", "x", "\(parts[0]).\(parts[1]).", "\(parts[0]).\(payload).\(parts[2])",
                "\(Base64URL.encode(#"{"alg":"none"}"#.utf8)).\(payload).",
                "\(Base64URL.encode(#"{"alg":"none","typ":"JWT"}"#.utf8)).\(parts[1]).\(parts[2])",
                try SignedToken.sign(Claims(), kid: "../../etc/passwd", key: stranger),
                try SignedToken.sign(Claims(), kid: good.accessTokenKeyID, key: stranger),
                good.refreshToken, good.accessToken + "x", String(repeating: "a", count: 6000),
            ]
            for token in tokens {
                for path in ["/user/me", "/stations", "/stations/1"] {
                    #expect(try await platform.send(.GET, path, token: token).status == 401, "\(token.prefix(60))")
                }
            }
            #expect(try await platform.send(.GET, "/user/me").status == 401)
        }
    }

    @Test func apiDocument_coversAllServices() async throws {
        try await Platform.test(documents: true) { platform in
            var paths: Set<String> = []
            while !paths.isSuperset(of: ["/stations", "/v1/users/join", "/user/me"]) {
                let answer = try await platform.send(.GET, "/openapi.json")
                struct Document: Decodable {
                    struct Anything: Decodable { init(from decoder: any Decoder) {} }
                    var paths: [String: Anything]
                }
                paths = Set((try? answer.value(Document.self))?.paths.keys.map { $0 } ?? [])
                try await Task.sleep(for: .milliseconds(50))
            }
            #expect(paths.contains("/token/refresh"))
        }
    }
}

extension TokenPair {
    /// The `kid` of the access token.
    fileprivate var accessTokenKeyID: String {
        let header = accessToken.split(separator: ".").first.flatMap { Base64URL.decode($0.utf8) } ?? []
        return (try? JSONDecoder().decode([String: String].self, from: Data(header)))?["kid"] ?? ""
    }
}
