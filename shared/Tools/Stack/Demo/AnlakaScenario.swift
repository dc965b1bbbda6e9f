import StackKit

extension Scenario {
    /// The real-estate app: signs up with an e-mail address, shows the map, refreshes tokens explicitly and silently.
    static let anlaka = Scenario(
        name: "anlaka",
        title:
            "Anlaka: join with an e-mail address, look at the map, like what is near, reserve, talk with a neighbour",
        headers: [("SeSACKey", AppKey.anlaka)]
    ) { phone in
        let email = "phone-\(UInt32.random(in: 0...UInt32.max))@example.com"
        let account: [String: JSON] = ["email": .string(email), "password": "anlaka2025!"]
        try await phone.send(
            "The app asks whether the address is free.",
            .post,
            "/v1/users/validation/email",
            body: ["email": .string(email)]
        )
        try await phone.send(
            "The person joins.",
            .post,
            "/v1/users/join",
            body: .object(account.merging(["nick": "새싹"]) { $1 })
        )
        let login = try await phone.send("The app signs in.", .post, "/v1/users/login", body: .object(account))
        let fresh = try await phone.send(
            "Before the access token runs out, it asks for the next pair.",
            .get,
            "/v1/auth/refresh",
            headers: [
                ("Authorization", try login.text("accessToken")), ("RefreshToken", try login.text("refreshToken")),
            ]
        )
        guard try fresh.text("refreshToken") != login.text("refreshToken") else {
            throw StackError("the refresh answered with the refresh token that it was given")
        }
        try await phone.renew(
            "Its access token is gone, and all of its screens ask at once. The gateway refreshes for them, once.",
            "/v1/users/me/profile",
            times: 50,
            token: try fresh.text("refreshToken")
        )
        await phone.keep("Authorization", try fresh.text("accessToken"))
        try await phone.playMap()
        try await phone.playPayment()
        let neighbour = try await phone.playNeighbourhood()
        try await phone.playChat(with: neighbour)
    }
}
