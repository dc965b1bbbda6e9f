import AppClients
import Apps
import Contracts

/// Two neighbours: they join, put listings and posts on the map, reserve, pay and talk.
struct AnlakaScenario {
    let stage: Stage
    static let unknown = "aaaaaaaaaaaaaaaaaaaaaaaa"
    static let place = "longitude=127.0467&latitude=37.6531"

    func play() async throws {
        try await stage.part("signing in") { try await signIns() }
        try await stage.part("two neighbours") {
            let person = try await stage.member("first", nick: "하루", isSignedIn: true)
            let neighbour = try await stage.member("second", nick: "나무", isSignedIn: true)
            for member in [person, neighbour] { try await member.identify() }
            try await stage.part("refresh") { try await refresh(person) }
            try await stage.part("profiles") { try await profiles(person, neighbour) }
            try await stage.part("estates") {
                try await AnlakaEstates(stage: stage, person: person, neighbour: neighbour).play()
            }
            try await stage.part("posts") {
                try await AnlakaPosts(stage: stage, person: person, neighbour: neighbour).play()
            }
            try await stage.part("chat") {
                try await AnlakaChat(stage: stage, person: person, neighbour: neighbour).play()
            }
            try await stage.part("event page") { try await attendance(person) }
            try await stage.part("pushes") { try await pushes(person, neighbour) }
            try await stage.part("signing out") { try await signOut(neighbour) }
        }
    }

    // MARK: Signing in

    private func signIns() async throws {
        let stranger = stage.stranger()
        try await stranger.ask("GET /v1/common")
        let free = "conform-\(UInt32.random(in: 0...UInt32.max))@example.com"
        try await stranger.ask("POST /v1/users/validation/email", body: ["email": .string(free)])
        try await stranger.refused(
            "POST /v1/users/validation/email",
            body: ["email": "x"],
            with: 400,
            when: "no address"
        )
        try await stranger.refused("POST /v1/users/join", body: [:], with: 400, when: "empty body")
        for (provider, field) in [("kakao", "oauthToken"), ("apple", "idToken")] {
            let call = "POST /v1/users/login/\(provider)"
            try await stranger.refused(call, body: .json(.object([field: "nonsense"])), with: 401, when: "bad token")
            try await stranger.refused(call, body: .json(.object([field: ""])), with: 400, when: "empty token")
        }
        try await stage.part("signing in at Kakao and Apple") {
            let sandbox = try stage.sandbox(for: "signing in at Kakao")
            let kakao = try await sandbox.kakaoToken(.random(in: 10_000_000...4_000_000_000), email: free)
            try await stranger.ask("POST /v1/users/login/kakao", body: ["oauthToken": .string(kakao)])
            let apple = try await sandbox.appleToken("conform-\(UInt32.random(in: 0...UInt32.max))")
            try await stranger.ask(
                "POST /v1/users/login/apple",
                body: ["idToken": .string(apple.token), "nick": "아무개"]
            )
        }
    }

    private func refresh(_ person: Person) async throws {
        let call = "GET /v1/auth/refresh"
        person.keep(try await person.ask(call, headers: ["RefreshToken": person.refreshToken]))
        try await stage.stranger().refused(call, headers: ["RefreshToken": "nonsense"], with: 401, when: "bad token")
        try await stage.stranger().refused(call, with: 400, 401, when: "no token")
    }

    private func signOut(_ person: Person) async throws {
        let call = "POST /v1/users/logout"
        guard !person.isLent else { return stage.results.skip(call, because: "the accounts of --credentials stay") }
        try await person.ask(call)
        await person.settle(.get, "/v1/users/me/profile") { $0 != 200 }
        try await person.refused("GET /v1/users/me/profile", with: 401, when: "signed out")
    }

    // MARK: Profiles

    private func profiles(_ person: Person, _ neighbour: Person) async throws {
        try await person.ask("GET /v1/users/me/profile")
        let image = try await person.ask("POST /v1/users/profile/image", body: SamplePicture.form("profile"))
        try await person.refused(
            "POST /v1/users/profile/image",
            body: SamplePicture.form("other"),
            with: 400,
            when: "no file"
        )
        let change: JSON = ["introduction": "안녕하세요", "phoneNum": "010", "profileImage": image["profileImage"] ?? .null]
        try await person.ask("PUT /v1/users/me/profile", body: .json(change))
        let foreign: RequestBody = ["profileImage": "/data/profiles/none.jpg"]
        try await person.refused("PUT /v1/users/me/profile", body: foreign, with: 400, when: "foreign picture")
        if let path = image["profileImage"]?.string?.stripping("/data/") {
            try await person.ask("GET /v1/data/{path}", path, as: "profile picture")
        }
        try await person.refused("GET /v1/data/{path}", "profiles/none.jpg", with: 404, when: "unknown name")
        // As the app prints its optionals.
        let quirk = "id=Optional(%22\(neighbour.id)%22)"
        try await person.ask("GET /v1/users/{user_id}/profile", neighbour.id, query: quirk)
        try await person.refused("GET /v1/users/{user_id}/profile", Self.unknown, with: 404, when: "unknown id")
        try await person.ask("GET /v1/users/search", query: "nick=Optional(%22나무%22)")
        try await person.refused("GET /v1/users/search", with: 400, when: "no nick")
        try await person.ask("PUT /v1/users/deviceToken", body: ["deviceToken": ""])
        try await person.refused("PUT /v1/users/deviceToken", body: ["deviceToken": 1], with: 400, when: "no text")
    }

    private func attendance(_ person: Person) async throws {
        try await person.ask("GET /event-application")
        let page = try await person.send(.get, "/event-application")
        for name in ["click_attendance_button", "complete_attendance", "requestAttendance"] {
            stage.compare(
                "GET /event-application",
                page.body.contains(name),
                expected: name,
                came: "a page without, status \(page.status)",
                as: "handlers"
            )
        }
        let call = "POST /event-application/attendance"
        try await person.ask(call, body: [:])
        let again = try await person.ask(call, body: [:], as: "again")
        stage.compare(call, again["already"] == true, expected: "already: true", came: again.description, as: "again")
    }

    private func pushes(_ person: Person, _ neighbour: Person) async throws {
        let push: JSON = ["title": "제목", "body": "내용"]
        let one = push.merging(["user_id": .string(neighbour.id)])
        try await person.ask("POST /v1/notifications/push", body: .json(one))
        let group = push.merging(["user_ids": [.string(neighbour.id)]])
        try await person.ask("POST /v1/notifications/push/group", body: .json(group))
        try await person.refused("POST /v1/notifications/push", body: [:], with: 400, when: "empty body")
        try await person.refused("POST /v1/notifications/push/group", body: [:], with: 400, when: "empty body")
    }
}
