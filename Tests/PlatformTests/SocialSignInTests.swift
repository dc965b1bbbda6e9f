import AppClients
import Apps
import Contracts
import Testing

/// Sign-ins with a provider, through the gateway.
@Suite(.timeLimit(.minutes(8))) struct SocialSignInTests {
    @Test func anlakaMember_signsInWithKakaoAndApple() async throws {
        try await Platform.test { platform in
            let client = platform.anlaka
            let kakao = try await platform.sandboxClient.kakaoToken(1, email: "haru@example.com")
            let body: RequestBody = ["oauthToken": "\(kakao)"]
            let signedIn = try await client.send(\.signInWithKakao, body: body)
            #expect(signedIn.status == 200)
            client.connection.tokens = try signedIn.value()
            let me = try await client.send(\.getOwnProfile)
            #expect(me.status == 200)
            #expect(me.body.contains("haru@example.com"))
            #expect(try await platform.send(.post, "/v1/users/login/kakao", body: body).status == 420)

            func signIn(apple token: String) async throws -> Int {
                let body: RequestBody = ["idToken": "\(token)", "nick": "아무개"]
                return try await platform.anlaka.send(\.signInWithApple, body: body).status
            }
            let apple = try await platform.sandboxClient.appleToken("1", email: "haru@example.com")
            #expect(try await signIn(apple: apple.token) == 409)
            #expect(try await signIn(apple: platform.sandboxClient.appleToken("1").token) == 200)
        }
    }

    @Test func seededPersons_signInAtProviders() async throws {
        try await Platform.test { platform in
            for app in [App.seatcatcher, .moup, .withsuhyeon] {
                for person in SeededPerson.all(of: app) {
                    let headers = person.headers.merging(["Content-Type": "application/json"]) { $1 }
                    let answer = try await platform.send(
                        person.signIn.method,
                        person.signIn.path,
                        headers: headers,
                        body: .text(person.body)
                    )
                    #expect([200, 201].contains(answer.status), "\(app) \(person.name): \(answer.body)")
                }
            }
        }
    }

    @Test func identityToken_fromOtherUserAgent_returns401() async throws {
        try await Platform.test { platform in
            let apple = try await platform.sandboxClient.appleToken("1")
            let body: RequestBody = [
                "identityToken": "\(apple.token)", "fcmToken": "", "authorizationCode": "\(apple.code)",
                "nonce": "unknown to Apple",
            ]
            func signIn(_ agent: String) async throws -> Int {
                let client = SeatCatcherClient(platform.gateway)
                return try await client.send(\.signInWithApple, headers: ["User-Agent": agent], body: body).status
            }
            #expect(try await signIn("SeatCatcher/1") == 201)
            #expect(try await signIn("SeatCatcher/1") == 201)
            #expect(try await signIn("curl/8") == 401)
        }
    }
}
