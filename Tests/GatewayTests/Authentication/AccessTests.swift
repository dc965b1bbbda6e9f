import Authentication
import Contracts
import Crypto
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Gateway

/// Who gets through, and in whose words the others are refused.
@Suite(.timeLimit(.minutes(1)))
struct AccessTests {
    private func withGateway(
        keys: @escaping @Sendable () async throws -> JWKS = { JWKS(keys: [TestGateway.key.jwk]) },
        _ test: (TestGateway, TestUpstream) async throws -> Void
    ) async throws {
        let upstream = try await TestUpstream.answering()
        let services = Dictionary(uniqueKeysWithValues: ServiceName.allCases.map { ($0, [upstream]) })
        try await TestGateway.run(services, keys: keys) { try await test($0, upstream) }
    }

    private static func compact(_ header: String, _ payload: String, _ signature: [UInt8]) -> String {
        "\(Base64URL.encode(header.utf8)).\(Base64URL.encode(payload.utf8)).\(Base64URL.encode(signature))"
    }

    /// Tokens that nobody may get in with.
    private static func forgeries() throws -> [(name: String, token: String)] {
        let key = TestGateway.key
        let good = try key.token()
        let parts = good.split(separator: ".").map(String.init)
        let payload = String(decoding: Base64URL.decode(Array(parts[1].utf8)) ?? [], as: UTF8.self)
        let none = "\(Base64URL.encode(#"{"alg":"none"}"#.utf8)).\(parts[1])."

        let header = #"{"alg":"HS256","kid":"k1","typ":"JWT"}"#
        let signed = "\(Base64URL.encode(header.utf8)).\(parts[1])"
        let secrets: [[UInt8]] = [
            Array(key.key.publicKey.pemRepresentation.utf8), Array(key.key.publicKey.x963Representation),
            Array(key.key.publicKey.rawRepresentation),
        ]
        let hmacs = secrets.map { secret in
            let code = HMAC<SHA256>.authenticationCode(for: Array(signed.utf8), using: SymmetricKey(data: secret))
            return ("HS256 with the public key", "\(signed).\(Base64URL.encode(code))")
        }

        let stranger = P256.Signing.PrivateKey()
        let jwk = #"{"alg":"ES256","kid":"k1","jwk":{"kty":"EC","crv":"P-256","x":"","y":""}}"#
        let embedded = "\(Base64URL.encode(jwk.utf8)).\(parts[1])"
        let signature = try Array(stranger.signature(for: Array(embedded.utf8)).rawRepresentation)
        return hmacs + [
            ("alg none", none),
            ("alg none with a signature", none + parts[2]),
            ("a key of its own", "\(embedded).\(Base64URL.encode(signature))"),
            ("a foreign key under our kid", try TestKey("k1").token()),
            ("a kid that is a path", try TestKey("../../k1").token()),
            ("a kid that is SQL", try TestKey("k1' OR '1'='1").token()),
            ("an empty kid", try TestKey("").token()),
            (
                "a changed payload",
                "\(parts[0]).\(Base64URL.encode(payload.replacing("42", with: "43").utf8)).\(parts[2])"
            ),
            ("an empty signature", "\(parts[0]).\(parts[1])."),
            ("a zero signature", compact(#"{"alg":"ES256","kid":"k1"}"#, payload, Array(repeating: 0, count: 64))),
            ("two parts", "\(parts[0]).\(parts[1])"),
            ("four parts", good + ".x"),
            ("padding", good + "="),
            ("a refresh token", try key.token { $0.typ = "refresh" }),
            ("no account", try key.token { $0.sub = "" }),
            ("a negative account", try key.token { $0.sub = "-1" }),
            ("no app", try key.token { $0.app = "" }),
            ("another app", try key.token(.moup)),
            ("another app, expired", try key.token(.moup) { $0.exp = 1 }),
            ("no token", ""), ("rubbish", "x"), ("a long one", String(repeating: "a", count: 5000)),
        ]
    }

    @Test func noForgeryReachesAService() async throws {
        try await withGateway { gateway, upstream in
            for (name, token) in try Self.forgeries() {
                let answer = try #require(await gateway.call("/user/me", token: token))
                #expect(answer.status == 401, "\(name)")
                #expect(answer.body.contains(#""code":"INVALID_TOKEN""#), "\(name)")
            }
            #expect(upstream.requests.isEmpty)
            #expect(try await gateway.call("/user/me", token: TestGateway.key.token())?.status == 200)
        }
    }

    @Test func theSchemeIsNeededWhereTheAppSendsOne() async throws {
        try await withGateway { gateway, _ in
            let token = try TestGateway.key.token()
            for (value, status) in [
                (token, 401), ("Basic \(token)", 401), ("Bearer\(token)", 401), ("Bearer", 401), ("Bearer ", 401),
                ("bearer \(token)", 200), ("Bearer  \(token)", 200),
            ] {
                let answer = try await gateway.call("/user/me", headers: "Authorization: \(value)\r\n")
                #expect(answer?.status == status, "\(value.prefix(12))")
            }
            let estate = try TestGateway.key.token(.anlaka)
            for value in [estate, "Bearer \(estate)"] {
                let answer = try await gateway.call(
                    "/v1/estates/1",
                    headers: "SeSACKey: anlaka-dev-key\r\nAuthorization: \(value)\r\n"
                )
                #expect(answer?.status == 200)
            }
        }
    }

    @Test func everyAppIsRefusedInItsOwnWords() async throws {
        try await withGateway { gateway, _ in
            let anlaka = "SeSACKey: anlaka-dev-key\r\n", culture = "SesacKey: culture-dev-key\r\n"
            let cases: [(path: String, headers: String, app: App, expired: Int, body: String)] = [
                ("/user/me", "", .seatcatcher, 401, #""error":"#), ("/home", "", .moup, 401, ""),
                ("/api/v1/home", "", .withsuhyeon, 401, #""errorCode":"REQUEST_005""#),
                ("/v1/estates/1", anlaka, .anlaka, 419, #"{"message":"#),
                ("/v1/posts", culture, .culture, 419, #"{"message":"#),
            ]
            for (path, headers, app, expired, body) in cases {
                let missing = try #require(await gateway.call(path, headers: headers))
                #expect(missing.status == 401, "\(app)")
                #expect(missing.body.contains(body) || body.isEmpty && missing.body.isEmpty, "\(app)")
                let token = try TestGateway.key.token(app) { $0.exp = Int64(time(nil)) - 31 }
                let late = try #require(await gateway.call(path, token: token, headers: headers))
                #expect(late.status == expired, "\(app)")
                let inLeeway = try TestGateway.key.token(app) { $0.exp = Int64(time(nil)) - 20 }
                #expect(try await gateway.call(path, token: inLeeway, headers: headers)?.status == 200, "\(app)")
            }
            #expect(try await gateway.call("/v1/posts")?.status == 420)
            #expect(try await gateway.call("/v1/posts", headers: "SeSACKey: guess\r\n")?.status == 420)
            #expect(try await gateway.call("/v1/nothing", headers: anlaka)?.status == 444)
            #expect(try await gateway.call("/v1/posts", method: "PATCH", headers: anlaka)?.status == 444)
            #expect(try await gateway.call("/nothing")?.status == 404)
            #expect(try await gateway.call("/api/v1/nothing")?.body.contains("REQUEST_009") == true)
            let method = try #require(await gateway.call("/stations", method: "DELETE"))
            #expect(method.status == 405)
            #expect(method["allow"] == ["GET"])
        }
    }

    @Test func openRoutesAreForEverybodyAndTheirTokenIsTheServicesBusiness() async throws {
        try await withGateway { gateway, upstream in
            #expect(try await gateway.call("/token/validate", token: "anything")?.status == 200)
            let request = try #require(upstream.requests.last)
            #expect(request["authorization"] == ["Bearer anything"])
            let value = try #require(request["x-madang-identity"].first)
            let identity = InternalIdentity(value, secret: .development, now: Int64(time(nil)))
            #expect(identity == InternalIdentity(caller: "gateway", app: .seatcatcher))
        }
    }

    @Test func anUnknownKeyIsAskedForOnce() async throws {
        let rotated = TestKey("k2")
        let published = Mutex([TestGateway.key.jwk])
        try await withGateway(keys: { JWKS(keys: published.withLock { $0 }) }) { gateway, _ in
            #expect(try await gateway.call("/user/me", token: TestGateway.key.token())?.status == 200)
            #expect(try await gateway.call("/user/me", token: rotated.token())?.status == 401)
            published.withLock { $0.append(rotated.jwk) }
            try await Task.sleep(for: .milliseconds(60))
            #expect(try await gateway.call("/user/me", token: rotated.token())?.status == 200)
            // A key that was taken back ends what it signed, although it is in the cache.
            published.withLock { $0 = [rotated.jwk] }
            try await Task.sleep(for: .milliseconds(60))
            _ = try await gateway.call("/user/me", token: TestKey("k3").token())
            #expect(try await gateway.call("/user/me", token: TestGateway.key.token())?.status == 401)
        }
    }

    @Test func authBeingDownLogsNobodyOut() async throws {
        struct Down: Error {}
        let isDown = Mutex(false)
        let keys: @Sendable () async throws -> JWKS = {
            if isDown.withLock({ $0 }) { throw Down() }
            return JWKS(keys: [TestGateway.key.jwk])
        }
        try await withGateway(keys: keys) { gateway, upstream in
            #expect(try await gateway.call("/user/me", token: TestGateway.key.token())?.status == 200)
            isDown.withLock { $0 = true }
            try await Task.sleep(for: .milliseconds(60))
            #expect(try await gateway.call("/user/me", token: TestGateway.key.token { $0.jti = "new" })?.status == 200)
            let answer = try #require(await gateway.call("/user/me", token: TestKey("k9").token()))
            #expect(answer.status == 503)
            #expect(answer["retry-after"] == ["1"])
        }
    }

    @Test func spoofedInternalHeadersNeverArrive() async throws {
        try await withGateway { gateway, upstream in
            let spoofed = InternalIdentity(caller: "gateway", app: .seatcatcher, account: 1, session: "x")
                .signed(with: .development, now: Int64(time(nil)))
            _ = try await gateway.call(
                "/user/me",
                token: TestGateway.key.token(),
                headers: "x-MADANG-identity: \(spoofed)\r\nX-Madang-Client: 9.9.9.9\r\nX-Request-Id: mine\r\n"
            )
            let request = try #require(upstream.requests.last)
            #expect(request["x-madang-identity"].count == 1)
            #expect(request["x-madang-identity"].first?.contains(".42.s1.") == true)
            #expect(request["x-madang-client"] == ["127.0.0.1"])
            #expect(request["x-request-id"].first != "mine")
        }
    }
}
