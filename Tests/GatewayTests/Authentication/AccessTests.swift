import Authentication
import Contracts
import Glibc
import Synchronization
import TestKit
import Testing

@testable import Gateway

/// Which requests pass the access check, and the error format of the others.
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

    @Test func bearerScheme_isRequiredExceptForAnlaka() async throws {
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

    /// With Suhyeon contract 1.5.
    @Test func invalidTokens_haveCodesOfWithSuhyeon() async throws {
        try await withGateway { gateway, _ in
            let parts = try TestGateway.key.token(.withsuhyeon).split(separator: ".")
            let unsigned = Base64URL.encode(#"{"alg":"none","kid":"k1"}"#.utf8)
            let tokens = [
                "REQUEST_015": "abc", "REQUEST_016": try TestGateway.key.token(.moup),
                "REQUEST_017": "\(unsigned).\(parts[1]).\(parts[2])",
                "REQUEST_018": "\(parts[0]).\(parts[1]).\(Base64URL.encode([UInt8](repeating: 1, count: 64)))",
            ]
            for (code, token) in tokens {
                let answer = try #require(await gateway.call("/api/v1/home", token: token))
                #expect(answer.status == 401 && answer.body.contains(code), "\(code): \(answer.body)")
                #expect(answer["www-authenticate"] == ["Bearer"])
            }
        }
    }

    @Test func refusedRequest_getsErrorFormatOfApp() async throws {
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
                #expect(missing.status == 401 && missing["www-authenticate"] == ["Bearer"], "\(app)")
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

    @Test func openRoute_forwardsTokenUnverified() async throws {
        try await withGateway { gateway, upstream in
            #expect(try await gateway.call("/token/validate", token: "anything")?.status == 200)
            let request = try #require(upstream.requests.last)
            #expect(request["authorization"] == ["Bearer anything"])
            let value = try #require(request["x-madang-identity"].first)
            let identity = InternalIdentity(sent: value, in: request.start, to: .auth)
            #expect(identity == InternalIdentity(caller: .gateway, app: .seatcatcher))
        }
    }

    @Test func pageRoute_isPublic_andForwardsIdentityOfValidToken() async throws {
        try await withGateway { gateway, upstream in
            let good = try TestGateway.key.token(.anlaka) { $0.sub = "7" }
            let expired = try TestGateway.key.token(.anlaka) { ($0.sub, $0.exp) = ("7", 1) }
            let foreign = try TestGateway.key.token(.culture) { $0.sub = "7" }
            for (token, account) in [(nil, nil), (good, AccountID(7)), (expired, nil), (foreign, nil), ("x", nil)] {
                for key in ["", "SeSACKey: anlaka-dev-key\r\n"] {
                    let answer = try await gateway.call(
                        "/v1/payments/checkout/ABCD123456?imp_uid=imp_1",
                        token: token,
                        headers: key + "Cookie: checkout-ABCD123456=x; refresh_token=y\r\n"
                    )
                    #expect(answer?.status == 200)
                    let request = try #require(upstream.requests.last)
                    // The page's own cookie is forwarded, and no other credential.
                    #expect(request["cookie"] == ["checkout-ABCD123456=x"] && request["authorization"] == [])
                    let value = try #require(request["x-madang-identity"].first)
                    let identity = InternalIdentity(sent: value, in: request.start, to: .payments)
                    #expect(identity?.app == .anlaka && identity?.account == account)
                }
            }
        }
    }

    @Test func unknownKey_isFetchedAgain_andRemovedKeyRejected() async throws {
        let rotated = TestKey("k2")
        let published = Mutex([TestGateway.key.jwk])
        try await withGateway(keys: { JWKS(keys: published.withLock { $0 }) }) { gateway, _ in
            #expect(try await gateway.call("/user/me", token: TestGateway.key.token())?.status == 200)
            #expect(try await gateway.call("/user/me", token: rotated.token())?.status == 401)
            published.withLock { $0.append(rotated.jwk) }
            try await Task.sleep(for: .milliseconds(60))
            #expect(try await gateway.call("/user/me", token: rotated.token())?.status == 200)
            // Tokens of a key that is no longer published are rejected, although they are in the cache.
            published.withLock { $0 = [rotated.jwk] }
            try await Task.sleep(for: .milliseconds(60))
            _ = try await gateway.call("/user/me", token: TestKey("k3").token())
            #expect(try await gateway.call("/user/me", token: TestGateway.key.token())?.status == 401)
        }
    }

    @Test func validToken_authDown_isAccepted() async throws {
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

    @Test func spoofedInternalHeaders_areReplaced() async throws {
        try await withGateway { gateway, upstream in
            let spoofed = InternalIdentity(caller: .gateway, app: .seatcatcher, account: 1, session: "x")
                .signed("GET", "/user/me", to: .auth)
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
