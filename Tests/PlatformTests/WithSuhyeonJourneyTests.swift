import AppClients
import Apps
import Testing

/// With Suhyeon's account calls as its client makes them, through the gateway.
@Suite(.timeLimit(.minutes(8))) struct WithSuhyeonJourneyTests {
    private static let number = "01012345678"
    private static let phone: RequestBody = ["phoneNumber": .string(number)]

    private func kakao(_ platform: Platform, headers: [String: String] = [:]) async throws -> JSON {
        let client = WithSuhyeonClient(platform.gateway)
        return try await client.signIn(kakao: platform.sandboxClient.kakaoToken(1), headers: headers)
    }

    /// Verifies the phone number, and signs up.
    private func signUp(_ platform: Platform, userID: Int64) async throws -> WithSuhyeonClient {
        let client = WithSuhyeonClient(platform.gateway)
        try await client.sendCode(Self.number)
        try await client.verify(Self.number, code: platform.sandboxClient.verificationCode(Self.number))
        let form = WithSuhyeonClient.Form(number: Self.number, nickname: "수현", image: "img_blue_suma", region: "강릉")
        try await client.signUp(form, userID: userID)
        return client
    }

    @Test func member_signsUpUsesMyPageAndWithdraws() async throws {
        try await Platform.test { platform in
            // The start page may still send a stale token.
            let begun = try await kakao(platform, headers: ["Authorization": "Bearer stale"])
            #expect(begun["isUser"] == false)
            #expect((begun["accessToken"] ?? .null) == .null)
            let client = try await signUp(platform, userID: begun.number("userId"))
            try await client.signIn(Self.number)

            let me = try await client.send(\.getProfile)
            #expect(me.status == 200)
            #expect(me.body.contains("img_blue_suma"))
            #expect(try await client.send(\.updateRegion, body: ["region": "춘천/인제/철원/화천/양구"]).status == 200)
            #expect(try await client.send(\.getRegion).body.contains("춘천"))
            #expect(try await client.send(\.blockPhoneNumber, body: ["phoneNumber": "01099999999"]).status == 200)
            #expect(try await client.send(\.listBlockedPhoneNumbers).body.contains("01099999999"))
            #expect(try await client.send(\.unblockPhoneNumber, query: "number=01099999999").status == 204)
            #expect(try await client.send(\.getPhoneNumber).body.contains(Self.number))

            let ticket = try await client.send(\.createSocketTicket).result().number("userId")
            let known = try await kakao(platform)
            #expect(known["isUser"] == true)
            #expect(try known.number("userId") != ticket)

            #expect(try await client.send(\.withdraw).status == 200)
            #expect(try await kakao(platform)["isUser"] == false)
        }
    }

    @Test func signOut_revokesToken() async throws {
        try await Platform.test { platform in
            let client = try await signUp(platform, userID: kakao(platform).number("userId"))
            client.connection.tokens = ClientTokens(
                accessToken: try await kakao(platform).text("accessToken"),
                refreshToken: ""
            )
            #expect(try await client.send(\.signOut).status == 200)
            let late = try await refusal { try await client.send(\.getProfile) }
            #expect(late.status == 401)
            #expect(late.body.contains("errorCode"))
        }
    }

    @Test func signIn_withUnverifiedNumber_isRefused() async throws {
        try await Platform.test { platform in
            let client = try await signUp(platform, userID: kakao(platform).number("userId"))
            _ = try await client.send(\.signIn, body: Self.phone)
            let thief = try await client.send(\.signIn, body: Self.phone)
            #expect(thief.status == 400)
            #expect(thief.body.contains("USER_002"))
            let guess: RequestBody = ["phoneNumber": .string(Self.number), "verifyNumber": "111111"]
            #expect(try await client.send(\.verifyPhone, query: "flow=signin", body: guess).status == 400)
            try await platform.fault("sms", count: 1)
            let down = try await client.send(\.sendVerificationCode, query: "flow=signin", body: Self.phone)
            #expect(down.status == 503)
            #expect(down.body.contains("RESPONSE_002"))
        }
    }

    @Test func withSuhyeonEnums_areServedWithoutToken() async throws {
        try await Platform.test { (platform) async throws in
            let client = WithSuhyeonClient(platform.gateway)
            let regions = try await client.send(\.listRegions)
            #expect(regions.status == 200 && regions.body.contains("전국 전체"))
            let picture = try await client.send(\.getCategoryImage, "beach.png")
            #expect(picture.status == 200 && picture.header("content-type") == "image/png")
            #expect(try await client.send(\.getGalleryImage, "\(String(repeating: "0", count: 32)).jpg").status == 410)
            #expect(try await client.send(\.listGalleryPictures).status == 401)
        }
    }
}
