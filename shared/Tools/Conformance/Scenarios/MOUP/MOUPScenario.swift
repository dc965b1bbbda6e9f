import AppClients
import Apps
import Contracts

/// An owner and a worker: they register, open a workplace and join it, plan and work shifts, and keep routines.
struct MOUPScenario {
    let stage: Stage
    static let missing: Int64 = 999_999_999

    func play() async throws {
        try await stage.part("signing in") { try await refuseSignIns() }
        try await stage.part("health") { try await stage.stranger().ask("GET /health") }
        try await stage.part("owner and worker") {
            let owner = try await member("owner", "사장", "ROLE_OWNER")
            let worker = try await member("worker", "하루", "ROLE_WORKER")
            try await stage.part("profile") { try await profile(worker) }
            try await stage.part("administration") { try await administration(worker) }
            let work = MOUPWorkplaceScenario(stage: stage, owner: owner, worker: worker)
            try await stage.part("workplaces") { try await work.play() }
            try await stage.part("notifications") { try await MOUPAlarms(stage: stage, owner: owner).play() }
            try await stage.part("leaving") { try await leave(owner, worker) }
        }
    }

    // MARK: Signing in

    private func refuseSignIns() async throws {
        let stranger = stage.stranger()
        let login: JSON = ["provider": "LOGIN_GOOGLE", "authCode": "nonsense", "username": "", "fcmToken": ""]
        try await stranger.refused(
            "POST /auth/login",
            body: .json(login),
            with: 401,
            code: "AUTH_401",
            when: "bad code"
        )
        let unknown = login.merging(["provider": "LOGIN_OTHER"])
        try await stranger.refused(
            "POST /auth/login",
            body: .json(unknown),
            with: 422,
            code: "FIELD_422",
            when: "unknown provider"
        )
        let refresh: RequestBody = ["refreshToken": "nonsense"]
        try await stranger.refused(
            "POST /auth/token/refresh",
            body: refresh,
            with: 400,
            code: "AUTH_400",
            when: "bad token"
        )
    }

    private func member(_ name: String, _ nickname: String, _ role: String) async throws -> Person {
        if let lent = stage.lent(name) { return lent }
        let sandbox = try stage.sandbox(for: "signing in at Google")
        let person = stage.stranger(name)
        let subject = "conform-\(UInt64.random(in: 0...UInt64.max))"
        func signIn(_ status: Int, _ check: String) async throws {
            let body: RequestBody = [
                "provider": "LOGIN_GOOGLE", "authCode": .string(try await sandbox.googleCode(subject)), "username": "",
                "fcmToken": "",
            ]
            person.keep(try await person.ask("POST /auth/login", body: body, expecting: status, as: check))
        }
        try await signIn(201, "new user")
        try await signIn(202, "registration unfinished")
        let register = "PATCH /auth/login/register"
        let long: RequestBody = ["nickname": "아홉글자가넘는이름", "role": .string(role)]
        try await person.refused(register, body: long, with: 422, code: "FIELD_422", when: "long nickname")
        let unknown: RequestBody = ["nickname": .string(nickname), "role": "ROLE_OTHER"]
        try await person.refused(register, body: unknown, with: 400, 422, when: "unknown role")
        let body: RequestBody = ["nickname": .string(nickname), "role": .string(role)]
        try await person.ask(register, body: body)
        try await person.refused(register, body: body, with: 409, code: "USER_409", when: "registered already")
        try await signIn(200, "registered user")
        let refresh: RequestBody = ["refreshToken": .string(person.refreshToken)]
        person.keep(try await person.ask("POST /auth/token/refresh", body: refresh))
        return person
    }

    // MARK: Account

    private func profile(_ person: Person) async throws {
        try await person.ask("GET /users/profiles")
        try await person.ask("PATCH /users/nickname", body: ["nickname": "나무"])
        try await person.refused(
            "PATCH /users/nickname",
            body: ["nickname": ""],
            with: 422,
            code: "FIELD_422",
            when: "empty nickname"
        )
        try await person.ask("PATCH /users/fcm-token", body: ["fcmToken": ""])
        let upload = "POST /files/users/profile-images"
        try await person.ask(upload, body: SamplePicture.form("file"))
        try await person.refused(
            upload,
            body: SamplePicture.form("other"),
            with: 400,
            code: "FILE_400",
            when: "no file"
        )
        try await person.ask("GET /users/profiles", as: "with a picture")
    }

    /// Administrators are not among the app's users.
    private func administration(_ person: Person) async throws {
        for call in ["DELETE /admin/users", "DELETE /admin/users/immediate"] {
            try await person.refused(call, with: 403, when: "no administrator")
        }
        let notice: JSON = ["title": "안내", "content": nil]
        try await person.refused(
            "POST /admin/alarms/announcements",
            body: .json(notice),
            with: 403,
            when: "no administrator"
        )
        let personal = notice.merging(["receiverId": 1])
        try await person.refused(
            "POST /admin/alarms/notification",
            body: .json(personal),
            with: 403,
            when: "no administrator"
        )
    }

    private func leave(_ owner: Person, _ worker: Person) async throws {
        guard !owner.isLent, !worker.isLent else {
            for call in ["PATCH /users/logout", "DELETE /users"] {
                stage.results.skip(call, because: "the accounts of --credentials stay")
            }
            return
        }
        try await owner.ask("PATCH /users/logout")
        await owner.settle(.get, "/users/profiles") { $0 != 200 }
        try await owner.refused("GET /users/profiles", with: 401, when: "signed out")
        try await worker.ask("DELETE /users")
        await worker.settle(.get, "/users/profiles") { $0 != 200 }
        try await worker.refused("GET /users/profiles", with: 401, 404, 409, when: "leaving")
    }
}
