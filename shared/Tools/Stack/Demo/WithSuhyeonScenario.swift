import StackKit

extension Scenario {
    /// The travel companions app: signs in with Kakao, then verifies the phone number by a code in a text message.
    static let withsuhyeon = Scenario(
        name: "withsuhyeon",
        title: "With Suhyeon: sign in with Kakao, prove the phone number, sign up, find a companion, talk"
    ) { phone in
        try await phone.signUp("수현이")
        try await phone.send("The app shows the person's page.", .get, "/api/v1/mypage")
        let post = try await phone.playCompanions()
        try await phone.playTalk(about: post)
        try await phone.send(
            "Somebody's number is blocked.",
            .post,
            "/api/v1/mypage/blocks",
            body: ["phoneNumber": "01087654321"]
        )
        try await phone.send("The list of blocked numbers.", .get, "/api/v1/mypage/blocks")
        try await phone.send("The person leaves.", .delete, "/api/v1/auth/withdraw")
    }
}

/// Sign-up in the travel companions app.
extension Phone {
    /// Signs up with Kakao and a verified phone number, and signs in.
    func signUp(_ nickname: String) async throws {
        let number = "010\(UInt32.random(in: 10_000_000...99_999_999))"
        let kakao = try await outside(
            "The person allows the sign-in at Kakao.",
            .post,
            "/_control/kakao/tokens",
            body: ["id": .integer(.random(in: 10_000_000...4_000_000_000))]
        )
        let social = try await send(
            "The app hands Kakao's token over: nobody is known by it yet.",
            .post,
            "/api/v1/auth/kakao",
            headers: [("Access-Token", try kakao.text("access_token"))]
        )
        guard let pending = social["result"]?["userId"] else { throw StackError("the answer names no userId") }
        try await prove(number)
        try await send(
            "After name, birth year, picture and region the app signs the person up.",
            .patch,
            "/api/v1/auth/signup",
            body: [
                "userId": pending, "phoneNumber": .string(number), "nickname": .string(nickname), "birthYear": 2001,
                "gender": false, "profileImage": "img_purple_suma", "region": "홍대/합정/마포/서대문/은평",
            ]
        )
        let tokens = try await send(
            "And in.",
            .post,
            "/api/v1/auth/signin",
            body: ["phoneNumber": .string(number)]
        )
        keep("Authorization", "Bearer \(try (tokens["result"] ?? .null).text("accessToken"))")
    }

    /// Verifies the phone number with the code of a text message.
    private func prove(_ number: String) async throws {
        try await send(
            "The app has a code sent to the phone.",
            .post,
            "/api/v1/message/send?flow=signup",
            body: ["phoneNumber": .string(number)]
        )
        let messages = try await outside("A text message comes.", .get, "/_control/sms?to=\(number)")
        let text = try (messages["messages"]?[0] ?? .null).text("text")
        guard let code = text.firstMatch(of: /\d{6}/) else { throw StackError("the message has no code: \(text)") }
        try await send(
            "The person types the code.",
            .post,
            "/api/v1/message/verify?flow=signup",
            body: ["phoneNumber": .string(number), "verifyNumber": .string(String(code.output))]
        )
    }
}
