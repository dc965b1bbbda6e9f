import AppClients

/// The sign-up: a provider's token, a code by text message, the form, and the sign-in with the phone number.
struct WithSuhyeonSignUp {
    let stage: Stage
    private static let auth = "/api/v1/auth"

    func member(_ name: String) async throws -> Person {
        if let lent = stage.lent(name) { return lent }
        let sandbox = try stage.sandbox(for: "signing in at Kakao")
        let person = stage.stranger(name)
        let kakao = try await sandbox.kakaoToken(.random(in: 10_000_000...4_000_000_000))
        let pending =
            try await person.ask("POST \(Self.auth)/kakao", headers: ["Access-Token": kakao])["result"] ?? .null
        let number = try await verified(sandbox)
        let form = Self.form(number)
        let body = form.merging(["userId": .integer(try pending.number("userId"))])
        let unknown = body.merging(["profileImage": "img_none"])
        try await person.refused(
            "PATCH \(Self.auth)/signup",
            body: .json(unknown),
            with: 400,
            code: "CONSTANT_002",
            when: "unknown image"
        )
        let moon = body.merging(["region": "달"])
        try await person.refused(
            "PATCH \(Self.auth)/signup",
            body: .json(moon),
            with: 400,
            code: "POST_003",
            when: "unknown region"
        )
        try await person.ask("PATCH \(Self.auth)/signup", body: .json(body))
        try await signIn(person, number)
        try await stage.part("other ways of signing up") { try await others(sandbox, kakao) }
        return person
    }

    private func signIn(_ person: Person, _ number: String) async throws {
        let body: RequestBody = ["phoneNumber": .string(number)]
        let tokens = try await person.ask("POST \(Self.auth)/signin", body: body)["result"] ?? .null
        person.keep(tokens)
    }

    /// A phone number whose owner has typed the code.
    ///
    /// - Parameter person: Who is signed in and asks; nil for a stranger.
    private func verified(_ sandbox: SandboxClient, by person: Person? = nil) async throws -> String {
        let number = "010\(UInt32.random(in: 10_000_000...99_999_999))"
        let stranger = person ?? stage.stranger()
        let (send, verify) = ("POST /api/v1/message/send", "POST /api/v1/message/verify")
        func body(_ code: String) -> RequestBody { ["phoneNumber": .string(number), "verifyNumber": .string(code)] }
        try await stranger.refused(
            verify,
            query: "flow=signup",
            body: body("123456"),
            with: 400,
            code: "REDIS_002",
            when: "no code was sent"
        )
        try await stranger.ask(send, query: "flow=signup", body: ["phoneNumber": .string(number)])
        let code = try await sandbox.verificationCode(number)
        let wrong = code == "123456" ? "654321" : "123456"
        try await stranger.refused(
            verify,
            query: "flow=signup",
            body: body(wrong),
            with: 400,
            code: "REDIS_001",
            when: "wrong code"
        )
        try await stranger.ask(verify, query: "flow=signup", body: body(code))
        return number
    }

    /// The sign-up without a provider, Apple's, and what Kakao's token answers for a user who has signed up.
    private func others(_ sandbox: SandboxClient, _ kakao: String) async throws {
        let stranger = stage.stranger()
        try await stranger.ask("POST \(Self.auth)/kakao", headers: ["Access-Token": kakao], as: "a known user")
        let apple = try await sandbox.appleToken("conform-\(UInt32.random(in: 0...UInt32.max))")
        try await stranger.ask("POST \(Self.auth)/apple", query: "code=\(apple.code)")
        let number = try await verified(sandbox)
        try await stranger.ask("POST \(Self.auth)/signup", body: .json(Self.form(number)))
        let again: RequestBody = .json(Self.form(number))
        try await stranger.refused("POST \(Self.auth)/signup", body: again, with: 409, 400, when: "phone in use")
        // A signed-in user may take another verified number.
        let other = stage.stranger()
        try await signIn(other, number)
        let next = try await verified(sandbox, by: other)
        try await other.ask("PATCH /api/v1/mypage/phone-number", body: ["phoneNumber": .string(next)])
    }

    private static func form(_ number: String) -> JSON {
        [
            "phoneNumber": .string(number), "nickname": "수현이", "birthYear": 2001, "gender": false,
            "profileImage": "img_purple_suma", "region": .string(WithSuhyeonScenario.region),
        ]
    }
}
