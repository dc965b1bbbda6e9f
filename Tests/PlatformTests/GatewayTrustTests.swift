import AppClients
import Apps
import Authentication
import Contracts
import Crypto
import FoundationEssentials
import TestKit
import Testing

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
            let token = try await platform.signIn(kakao: 1).token
            let identity = InternalIdentity(caller: .gateway, app: .seatcatcher, account: 1, session: "s")
            let chat = InternalKeys.development(.chat).key(to: .auth)
            let forged = identity.signed("GET", "/user/me", with: chat, now: Int64(Date.now.timeIntervalSince1970))
            for headers in [["Authorization": "Bearer \(token)"], [InternalIdentity.header: forged]] {
                try await HTTPTransport(platform.authURL).send(.get, "/user/me", headers: headers).expect(403)
            }
        }
    }

    @Test func gateway_ignoresClientsIdentityHeader() async throws {
        try await Platform.test { (platform) async throws in
            let phone = InternalIdentity(caller: .gateway, app: .seatcatcher, account: 1, session: "s")
            let gateway = InternalIdentity(caller: .gateway)
            for (path, value, status) in [
                ("/user/me", phone.signed("GET", "/user/me", to: .auth), 401),
                ("/internal/keys", gateway.signed("GET", "/internal/keys", to: .auth), 404),
                ("/internal/passengers/1", gateway.signed("GET", "/internal/passengers/1", to: .seats), 404),
            ] {
                let headers = [InternalIdentity.header: value, "X-Madang-Client": "10.0.0.1"]
                #expect(try await platform.send(.get, path, headers: headers).status == status)
            }
        }
    }

    @Test func forgedTokens_return401() async throws {
        try await Platform.test { platform in
            let good = try await platform.signIn(kakao: 1)
            let parts = good.token.split(separator: ".").map(String.init)
            let stranger = P256.Signing.PrivateKey()
            let payload = Base64URL.encode(try JSONEncoder().encode(Claims()))
            let tokens = [
                "", "x", "\(parts[0]).\(parts[1]).", "\(parts[0]).\(payload).\(parts[2])",
                "\(Base64URL.encode(#"{"alg":"none"}"#.utf8)).\(payload).",
                "\(Base64URL.encode(#"{"alg":"none","typ":"JWT"}"#.utf8)).\(parts[1]).\(parts[2])",
                try SignedToken.sign(Claims(), kid: "../../etc/passwd", key: stranger),
                try SignedToken.sign(Claims(), kid: keyID(of: good.token), key: stranger),
                good.refreshToken, good.token + "x", String(repeating: "a", count: 6000),
            ]
            for token in tokens {
                for path in ["/user/me", "/stations", "/stations/1"] {
                    let headers = ["Authorization": "Bearer \(token)"]
                    #expect(try await good.send(.get, path, headers: headers).status == 401, "\(token.prefix(60))")
                }
            }
            #expect(try await platform.send(.get, "/user/me").status == 401)
        }
    }

    @Test func apiDocument_coversAllServices() async throws {
        try await Platform.test(documents: true) { platform in
            var paths: Set<String> = []
            try await eventually {
                paths = JSON(parsing: try await platform.send(.get, "/openapi.json").bytes)?["paths"]?.keys ?? []
                return paths.isSuperset(of: ["/stations", "/v1/users/join", "/user/me"])
            }
            #expect(paths.contains("/token/refresh"))
        }
    }

    /// The `kid` of an access token.
    private func keyID(of token: String) -> String {
        let header = token.split(separator: ".").first.flatMap { Base64URL.decode($0.utf8) } ?? []
        return JSON(parsing: header)?["kid"]?.string ?? ""
    }
}
