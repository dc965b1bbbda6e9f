import StackKit

extension Scenario {
    /// The cultural events app: signs up, signs in, and refreshes without a change of the refresh token.
    static let culture = Scenario(
        name: "culture",
        title: "Seoul Culture: join, sign in, refresh with the one refresh token, like an event, write a review, give",
        headers: [("SeSACKey", AppKey.culture)]
    ) { phone in
        let login = try await phone.joinCulture("The person", "나들이")
        let refresh = ("Refresh", try login.text("refreshToken"))
        for story in ["The access token has run out; the app asks for another.", "And again, with the same token."] {
            let fresh = try await phone.send(story, .get, "/v1/auth/refresh", headers: [refresh])
            await phone.keep("Authorization", try fresh.text("accessToken"))
        }
        try await phone.send("The app shows the person's profile.", .get, "/v1/users/me/profile")
        let listed = try await phone.send("Where am I signed in?", .get, "/v1/users/me/sessions")
        guard listed["sessions"]?.elements.count == 1 else { throw StackError("there should be one session") }
        try await phone.playReviews(of: try login.text("user_id"))
        try await phone.playGift()
    }
}
