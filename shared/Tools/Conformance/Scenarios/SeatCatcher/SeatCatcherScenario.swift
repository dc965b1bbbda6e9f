import AppClients
import Apps
import Contracts

/// Two passengers of one train: they sign in, ride, exchange a seat, report each other and leave.
struct SeatCatcherScenario {
    let stage: Stage
    /// The number of a car's door.
    static let car = "2429"

    func play() async throws {
        try await stage.part("signing in") { try await refuseSignIns() }
        try await stage.part("health") { try await stage.stranger().ask("GET /health") }
        try await stage.part("two passengers") {
            let (a, b) = (try await passenger("first"), try await passenger("second"))
            try await stage.part("profile") { try await profile(a) }
            try await stage.part("riding status") { try await status(a) }
            try await stage.part("stations and tags") { try await catalogues(a) }
            try await stage.part("paths") { try await paths(a) }
            try await stage.part("seats") { try await SeatCatcherRide(stage: stage, a: a, b: b).play() }
            try await stage.part("reports") { try await reports(a, about: b) }
            try await stage.part("alarms") { try await alarms(a) }
            try await stage.part("leaving") { try await leave(a, b) }
        }
    }

    // MARK: Signing in

    private func refuseSignIns() async throws {
        let stranger = stage.stranger()
        let bad: RequestBody = ["accessToken": "nonsense", "fcmToken": ""]
        try await stranger.refused("POST /user/authenticate/kakao", body: bad, with: 400, 401, when: "bad token")
        try await stranger.refused("POST /user/authenticate/kakao", body: [:], with: 400, when: "empty body")
        try await stranger.refused(
            "POST /user/authenticate/apple",
            body: ["identityToken": "nonsense", "fcmToken": "", "authorizationCode": ""],
            with: 400,
            401,
            when: "bad token"
        )
        let refresh: RequestBody = ["refreshToken": "nonsense"]
        try await stranger.refused("POST /token/refresh", body: refresh, with: 401, 404, when: "bad token")
        try await stranger.refused("GET /token/validate", with: 400, 401, when: "no token")
        let forged = ["Authorization": "Bearer nonsense"]
        try await stranger.refused("GET /token/validate", headers: forged, with: 401, when: "forged token")
    }

    private func passenger(_ name: String) async throws -> Person {
        if let lent = stage.lent(name) { return lent }
        let sandbox = try stage.sandbox(for: "signing in at Kakao")
        let person = stage.stranger(name)
        let id = Int64.random(in: 10_000_000...4_000_000_000)
        let body: RequestBody = ["accessToken": .string(try await sandbox.kakaoToken(id)), "fcmToken": ""]
        person.keep(try await person.ask("POST /user/authenticate/kakao", body: body))
        person.keep(try await person.ask("POST /token/refresh", body: ["refreshToken": .string(person.refreshToken)]))
        let apple = try await sandbox.appleToken("\(id)")
        try await stage.stranger().ask(
            "POST /user/authenticate/apple",
            body: ["identityToken": .string(apple.token), "fcmToken": "", "authorizationCode": .string(apple.code)]
        )
        return person
    }

    // MARK: Account

    private func profile(_ person: Person) async throws {
        try await person.ask("GET /token/validate")
        try await person.ask("GET /user/me")
        let body: RequestBody = [
            "name": "하늘 고래", "profileImageNum": "IMAGE_2", "tags": ["USERTAG_CARRIER"], "hasOnBoarded": true,
            "credit": 0,
        ]
        try await person.ask("PATCH /user/me", body: body)
        try await person.refused(
            "PATCH /user/me",
            body: ["profileImageNum": "IMAGE_9"],
            with: 400,
            when: "unknown image"
        )
        try await person.refused("PATCH /user/me", body: ["name": " "], with: 400, when: "blank name")
        try await person.ask("POST /fcm/token", body: ["token": ""])
    }

    private func status(_ person: Person) async throws {
        if !person.isLent {
            try await person.refused("GET /user/status", with: 404, when: "no status")
        }
        let body: RequestBody = ["trainCode": "2234", "carCode": "2429", "seatSection": "NORMAL_A"]
        try await person.ask("POST /user/status", body: body)
        try await person.ask("GET /user/status")
        try await person.ask("PATCH /user/status", body: ["seatIdRequested": 101])
    }

    private func leave(_ a: Person, _ b: Person) async throws {
        for person in [a, b] where !person.isLent {
            try await person.ask("DELETE /user/me")
            await person.settle(.get, "/user/me") { $0 != 200 }
            try await person.refused("GET /user/me", with: 401, 404, when: "left")
        }
        if a.isLent { stage.results.skip("DELETE /user/me", because: "the accounts of --credentials stay") }
    }

    // MARK: Catalogues and paths

    private func catalogues(_ person: Person) async throws {
        let found = try await person.ask("GET /stations", query: "keyword=강남&line=2&order=up")
        try await person.ask("GET /stations", query: "keyword=없는역", expecting: 204, as: "no match")
        try await person.ask("GET /stations/{stationId}", (found[0] ?? .null).number("id"))
        try await person.refused("GET /stations/{stationId}", 999_999_999, with: 404, when: "unknown id")
        try await person.refused("GET /stations", query: "line=99", with: 400, when: "unknown line")
        let tags = try await person.ask("GET /tags")
        try await person.ask("GET /tags/{id}", (tags[0] ?? .null).number("id"))
        try await person.refused("GET /tags/{id}", 999, with: 404, when: "unknown id")
    }

    private func paths(_ person: Person) async throws {
        let (start, end) = try await person.stops()
        let body: RequestBody = ["startStationId": .integer(start), "endStationId": .integer(end)]
        try await person.ask("POST /path-histories/", body: body)
        try await person.refused("POST /path-histories/", body: [:], with: 400, when: "empty body")
        let list = try await person.ask("GET /path-histories/", query: "size=10")
        let id = try (list["pathHistoryInfoList"]?[0] ?? .null).number("id")
        try await person.ask("GET /path-histories/{path_id}", id)
        try await person.ask("PATCH /path-histories/{path_id}", id, body: [:])
        try await person.ask("DELETE /path-histories/{path_id}", id)
        for method in ["GET", "DELETE"] {
            try await person.refused("\(method) /path-histories/{path_id}", id, with: 403, 404, when: "unknown id")
        }
    }

    private func alarms(_ person: Person) async throws {
        try await person.ask("GET /alarms/")
        let list = try await person.ask("GET /alarms/me", query: "size=10")
        for method in ["GET", "DELETE"] {
            try await person.refused("\(method) /alarms/{alarmId}", 999_999_999, with: 403, 404, when: "unknown id")
        }
        guard let id = list["userAlarmItemList"]?[0]?["id"]?.integer else { return }
        try await person.ask("GET /alarms/{alarmId}", id)
        try await person.ask("DELETE /alarms/{alarmId}", id)
    }

    private func reports(_ person: Person, about other: Person) async throws {
        let own = try await person.look("/user/me").number("userId")
        let theirs = try await other.look("/user/me").number("userId")
        let body: RequestBody = [
            "reportUserId": .integer(own), "reportedUserId": .integer(theirs), "reason": "자리를 비켜주지 않음",
        ]
        try await person.ask("POST /reports/", body: body)
        let empty: RequestBody = ["reportedUserId": .integer(theirs), "reason": ""]
        try await person.refused("POST /reports/", body: empty, with: 400, when: "no reason")
        let unknown: RequestBody = [
            "reportUserId": .integer(own), "reportedUserId": 999_999_999_999, "reason": "x",
        ]
        try await person.refused("POST /reports/", body: unknown, with: 404, when: "unknown user")
        // All reports are for administrators, whom the app does not have.
        try await person.refused("GET /reports/", with: 403, when: "no administrator")
        let list = try await person.ask("GET /reports/me")
        guard let id = list[0]?["id"]?.integer else {
            let reason = "the list of reports has no ids, by which one could be asked for"
            for method in ["GET", "PATCH", "DELETE"] {
                stage.results.skip("\(method) /reports/{report_id}", because: reason)
            }
            return
        }
        try await person.ask("GET /reports/{report_id}", id)
        try await person.ask("PATCH /reports/{report_id}", id, body: ["reason": "다른 이유"])
        try await person.ask("DELETE /reports/{report_id}", id)
        try await person.refused("GET /reports/{report_id}", id, with: 404, when: "unknown id")
    }
}

extension Person {
    var refreshToken: String { connection.tokens?.refreshToken ?? "" }

    /// Stores the tokens of a sign-in.
    func keep(_ tokens: JSON) {
        guard let access = tokens["accessToken"]?.string, let refresh = tokens["refreshToken"]?.string else { return }
        connection.tokens = ClientTokens(accessToken: access, refreshToken: refresh)
    }

    /// Two stations of line 2.
    func stops() async throws -> (start: Int64, end: Int64) {
        func stop(_ name: String) async throws -> Int64 {
            try await (look("/stations?keyword=\(name)&line=2&order=up")[0] ?? .null).number("id")
        }
        return (try await stop("강남"), try await stop("방배"))
    }
}
