extension Scenario {
    /// The part-time work app: sign in with Google, register, leave, and come back.
    static let moup = Scenario(
        name: "moup",
        title: "MOUP: sign in with Google, register as a worker, delete the account and think again"
    ) { phone in
        let person: JSON = ["sub": .string("\(UInt64.random(in: 0...UInt64.max))"), "name": "하루"]
        let first = try await signIn(phone, person, expecting: 201)
        await phone.keep("Authorization", "Bearer \(try first.text("accessToken"))")
        try await phone.send(
            "The person chooses a name and a side.",
            .patch,
            "/auth/login/register",
            body: ["nickname": "하루", "role": "ROLE_WORKER"]
        )
        let second = try await phone.send(
            "The access token has run out; the app asks for the next pair.",
            .post,
            "/auth/token/refresh",
            body: ["refreshToken": .string(try first.text("refreshToken"))]
        )
        await phone.keep("Authorization", "Bearer \(try second.text("accessToken"))")
        let me = try await phone.send("The app shows who is signed in.", .get, "/users/profiles")
        try await phone.send("The person deletes the account.", .delete, "/users")
        let third = try await signIn(phone, person, expecting: 200)
        await phone.keep("Authorization", "Bearer \(try third.text("accessToken"))")
        let again = try await phone.send("The account is as it was.", .get, "/users/profiles")
        guard me["userId"] == again["userId"] else { throw StackError("signing in did not bring the account back") }
    }

    private static func signIn(_ phone: Phone, _ person: JSON, expecting status: UInt) async throws -> JSON {
        let google = try await phone.outside(
            "The person allows the sign-in at Google.",
            .post,
            "/_control/google/codes",
            body: person
        )
        return try await phone.send(
            "The app hands Google's code over and gets its own tokens.",
            .post,
            "/auth/login",
            body: [
                "provider": "LOGIN_GOOGLE", "authCode": .string(try google.text("authorization_code")), "username": "",
                "fcmToken": "",
            ],
            expecting: status
        )
    }
}
