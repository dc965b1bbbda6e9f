extension Scenario {
    /// The subway app: sign in with Kakao, read the profile, look for a station.
    static let seatcatcher = Scenario(
        name: "seatcatcher",
        title: "SeatCatcher: sign in with Kakao, find a station of line 2"
    ) { phone in
        let kakao = try await phone.outside(
            "The person allows the sign-in at Kakao.",
            .post,
            "/_control/kakao/tokens",
            body: ["id": 4_200_001, "nickname": "강남가는길", "email": "gangnam@example.com"]
        )
        let tokens = try await phone.send(
            "The app hands Kakao's token over and gets its own.",
            .post,
            "/user/authenticate/kakao",
            body: ["accessToken": .string(try kakao.text("access_token")), "fcmToken": ""],
            expecting: 201
        )
        await phone.keep("Authorization", "Bearer \(try tokens.text("accessToken"))")
        try await phone.send("It shows who is signed in.", .get, "/user/me")
        let stations = try await phone.send(
            "The person types 강남 into the station search.",
            .get,
            "/stations?keyword=강남&line=2&order=up"
        )
        guard stations[0]?["name"]?.string?.contains("강남") == true else {
            throw StackError("the search for 강남 found no station of that name")
        }
    }
}
