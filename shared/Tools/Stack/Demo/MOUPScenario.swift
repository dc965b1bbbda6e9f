import StackKit

extension Scenario {
    /// The part-time work app: signs in with Google, registers, plays a month of work, withdraws, and restores the
    /// account.
    static let moup = Scenario(
        name: "moup",
        title: "MOUP: a worker and an owner, a month of work and both payslips, an account deleted and brought back"
    ) { phone in
        let person = somebody("하루")
        let first = try await join(phone, person, "하루", as: "ROLE_WORKER")
        let second = try await phone.send(
            "The access token has run out; the app asks for the next pair.",
            .post,
            "/auth/token/refresh",
            body: ["refreshToken": .string(try first.text("refreshToken"))]
        )
        await phone.keep("Authorization", "Bearer \(try second.text("accessToken"))")
        let me = try await phone.send("The app shows who is signed in.", .get, "/users/profiles")
        let owner = await phone.another("owner")
        _ = try await join(owner, somebody("사장"), "사장", as: "ROLE_OWNER")
        try await workMonth(worker: phone, owner: owner)
        try await phone.send("The worker deletes the account.", .delete, "/users")
        let third = try await signIn(phone, person, expecting: 200)
        await phone.keep("Authorization", "Bearer \(try third.text("accessToken"))")
        let again = try await phone.send("The account is as it was.", .get, "/users/profiles")
        guard me["userId"] == again["userId"] else { throw StackError("signing in did not bring the account back") }
    }

    private static func somebody(_ name: String) -> JSON {
        ["sub": .string("\(UInt64.random(in: 0...UInt64.max))"), "name": .string(name)]
    }

    /// Signs in for the first time, and registers.
    ///
    /// - Returns: The response to the sign-in.
    private static func join(_ phone: Phone, _ person: JSON, _ name: String, as role: String) async throws -> JSON {
        let tokens = try await signIn(phone, person, expecting: 201)
        await phone.keep("Authorization", "Bearer \(try tokens.text("accessToken"))")
        try await phone.send(
            "The person chooses a name and a side.",
            .patch,
            "/auth/login/register",
            body: ["nickname": .string(name), "role": .string(role)]
        )
        return tokens
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
