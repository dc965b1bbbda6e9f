import Contracts
import FoundationEssentials
import NIOHTTP1
import Postgres
import TestKit
import Testing
import Values

@testable import Gateway
@testable import Workforce

/// Notifications of MOUP, as pushes and in lists (MOUP contract 4, notification kinds; calls 6, 7, 50 to
/// 65).
@Suite(.timeLimit(.minutes(8))) struct MOUPPushJourneyTests {
    /// An entry of a notification list.
    private struct Notice: Decodable {
        var id: Int64
        var title: String
        var content: String
        var senderId: AccountID?
        var readAt: String?
    }

    private static func notices(_ person: MOUPPerson, _ list: String = "notifications") async throws -> [Notice] {
        try await person.send(.GET, "/alarms/\(list)", nil, 200).value([Notice].self)
    }

    /// The last of `count` pushes, which must match the last notice in the list.
    private static func last(_ count: Int, of person: MOUPPerson, on token: String) async throws -> PhonePush {
        let pushes = try await person.platform.pushes(count, to: token)
        #expect(pushes.count == count)
        let (push, notice) = (try #require(pushes.last), try #require(try await notices(person).last))
        #expect(push.title == notice.title && push.body == notice.content)
        #expect(push.data["notificationId"] == String(notice.id))
        return push
    }

    /// The expected push of a workplace.
    private static func push(
        _ title: String,
        _ body: String,
        _ type: String,
        _ data: [String: String],
        to destination: String = "notificationList",
        like push: PhonePush,
        badge: Int
    ) -> PhonePush {
        var all = ["type": type, "destination": destination, "content": body]
        all["notificationId"] = push.data["notificationId"]
        return .notice(title, body, all.merging(data) { $1 }, badge: badge)
    }

    @Test func joinShiftAndReminders_arePushedAndListed() async throws {
        let clock = ManualClock()
        try await Platform.test(workforce: { $0.now = { clock.now } }) { (platform) async throws in
            let owner = try await MOUPPerson(platform, subject: 1, nickname: "사장", role: "ROLE_OWNER", device: "o")
            let worker = try await MOUPPerson(platform, subject: 2, nickname: "하루", role: "ROLE_WORKER", device: "w")
            try await platform.phone("o", isOf: owner.account)
            try await platform.phone("w", isOf: worker.account)
            let (workplace, code) = try await owner.openShop()
            let workers = "/workplaces/\(workplace)/workers"
            let tomorrow = SeoulTime.date(of: clock.now) + 1
            func place(_ id: WorkerID) -> [String: String] { ["workplaceId": "\(workplace)", "workerId": "\(id)"] }

            let first = try await worker.join(code)
            var push = try await Self.last(1, of: owner, on: "o")
            let (title, body) = ("근무지 참가 요청", "하루님이 언덕카페에 참가를 요청했습니다.")
            let type = "WORKPLACE_JOIN_REQUEST"
            #expect(push == (Self.push(title, body, type, place(first), like: push, badge: 1)))
            try await owner.send(.DELETE, "\(workers)/\(first)/accept", nil, 204)
            push = try await Self.last(1, of: worker, on: "w")
            let refusal = "언덕카페에서 참가 요청을 거부했습니다."
            #expect(
                push == (Self.push("근무지 참가 거부", refusal, "INVITE_REJECTED", place(first), like: push, badge: 1))
            )

            let id = try await worker.join(code, payDay: tomorrow.day)
            #expect(try await Self.last(2, of: owner, on: "o").data["workerId"] == "\(id)")
            try await owner.send(.PATCH, "\(workers)/\(id)/accept", nil, 204)
            push = try await Self.last(2, of: worker, on: "w")
            let welcome = "언덕카페의 근무자가 되었습니다."
            #expect(push == (Self.push("근무지 참가 승인", welcome, "INVITE_APPROVED", place(id), like: push, badge: 2)))
            let notice = try #require(try await Self.notices(worker).last)
            #expect(notice.senderId == owner.account && notice.readAt == nil)
            try await worker.send(.PATCH, "/alarms/notifications/read", nil, 200)

            // The owner plans for the worker.
            let day = tomorrow + 1
            let plan = """
                {"workerIdList":[\(id)],"startTime":"\(day)T00:00:00Z","endTime":"\(day)T09:00:00Z","restTimeMinutes":60,
                 "repeatDays":[]}
                """
            struct Planned: Decodable { var successWorkIdList: [Int64] }
            let shifts = try await owner.send(.POST, "/workplaces/\(workplace)/works/batch", plan, 201)
                .value(Planned.self).successWorkIdList
            push = try await Self.last(3, of: worker, on: "w")
            let planned = "언덕카페에 \(day.month.month)월 \(day.day)일 근무가 추가되었습니다."
            var about = place(id).merging(["workId": "\(try #require(shifts.first))"]) { $1 }
            #expect(push == (Self.push("근무 추가", planned, "WORK_ADDED", about, like: push, badge: 1)))

            // The worker plans a day, and gets its reminders: 08:00 the routine, 08:30 the shift of 09:00, 09:00 the
            // pay day.
            let list = #"[{"content":"불 켜기","orderIndex":0}]"#
            let routine = try await worker.number(
                "routineId",
                in: worker.send(
                    .POST,
                    "/routines",
                    #"{"routineName":"오픈","alarmTime":"08:00","routineTaskList":\#(list)}"#,
                    201
                )
            )
            let own = """
                {"routineIdList":[\(routine)],"startTime":"\(tomorrow)T00:00:00Z","endTime":"\(tomorrow)T09:00:00Z",
                 "restTimeMinutes":60,"repeatDays":[]}
                """
            struct Own: Decodable { var workIdList: [Int64] }
            let made = try await worker.send(.POST, "\(workers)/me/works", own, 201)
            about["workId"] = "\(try #require(made.value(Own.self).workIdList.first))"
            try await worker.send(.GET, "\(workers)/me/payslips/\(tomorrow.month)", nil, 200)
            func pass(to minute: Int) {
                clock.advance(by: SeoulTime.instant(tomorrow, minute: minute).timeIntervalSince(clock.now) + 1)
            }
            pass(to: 8 * 60)
            push = try await Self.last(4, of: worker, on: "w")
            let opening = "언덕카페에서 오픈을(를) 시작할 시간입니다."
            let with = about.merging(["routineId": "\(routine)"]) { $1 }
            #expect(
                push
                    == (Self.push(
                        "루틴 알림",
                        opening,
                        "ROUTINE_REMINDER",
                        with,
                        to: "routineDetail",
                        like: push,
                        badge: 2
                    ))
            )
            pass(to: 8 * 60 + 30)
            push = try await Self.last(5, of: worker, on: "w")
            let soon = "09:00에 언덕카페 근무가 시작됩니다."
            #expect(
                push == (Self.push("근무 알림", soon, "WORK_REMINDER", about, to: "workDetail", like: push, badge: 3))
            )
            pass(to: 9 * 60)
            push = try await Self.last(6, of: worker, on: "w")
            let pay = "오늘은 언덕카페의 급여일입니다."
            #expect(
                push == (Self.push("급여일", pay, "PAYDAY_REMINDER", place(id), to: "home", like: push, badge: 4))
            )
            // The owner got none of these.
            #expect(try await platform.pushes(to: "o").count == 2)
        }
    }

    @Test func administrator_announcesToAllOrWritesToOne() async throws {
        try await Platform.test { (platform) async throws in
            let admin = try await MOUPPerson(platform, subject: 1, nickname: "운영", role: "ROLE_OWNER", device: "x")
            let one = try await MOUPPerson(platform, subject: 2, nickname: "하루", role: "ROLE_WORKER", device: "w1")
            let other = try await MOUPPerson(platform, subject: 3, nickname: "나무", role: "ROLE_WORKER")
            try await other.send(.PATCH, "/users/fcm-token", #"{"fcmToken":"w2"}"#, 200)
            for (token, person) in [("x", admin), ("w1", one), ("w2", other)] {
                try await platform.phone(token, isOf: person.account)
            }
            let (everybody, somebody) = ("/admin/alarms/announcements", "/admin/alarms/notification")
            let word = #"{"title":"점검 안내","content":"오늘 밤 2시부터 쉽니다."}"#
            #expect(try await admin.send(.POST, everybody, word).status == 403)
            try await platform.authDatabase.client.execute(
                "UPDATE moup_members SET role = 'ROLE_ADMIN' WHERE account_id = \(admin.account)"
            )
            try await admin.send(.POST, everybody, word, 204)
            for (token, person) in [("x", admin), ("w1", one), ("w2", other)] {
                let push = try #require(try await platform.pushes(1, to: token).first)
                let announcement = try #require(try await Self.notices(person, "announcements").last)
                let data = ["type": "ANNOUNCEMENT", "announcementId": "\(announcement.id)"]
                #expect(push == .notice("점검 안내", "오늘 밤 2시부터 쉽니다.", data, badge: 0))
            }

            func write(_ text: String, to person: MOUPPerson) async throws {
                let body = #"{"receiverId":\#(person.account),"title":"안내","content":"\#(text)"}"#
                try await admin.send(.POST, somebody, body, 204)
            }
            try await write("한 분께만", to: one)
            let push = try await Self.last(2, of: one, on: "w1")
            let id = try #require(push.data["notificationId"])
            #expect(push == .notice("안내", "한 분께만", ["type": "ADMIN_MESSAGE", "notificationId": id], badge: 1))

            // After the sign-out the device gets no push; the list keeps the notices of that time.
            try await one.send(.PATCH, "/users/logout", nil, 200)
            try await platform.phone("w1", isOf: nil)
            try await write("아무도 없어요?", to: one)
            let back = try await MOUPPerson(platform, subject: 2, nickname: "하루", role: "ROLE_WORKER", device: "w1")
            try await platform.phone("w1", isOf: one.account)
            try await write("다시 오셨네요", to: back)
            let last = try await Self.last(3, of: back, on: "w1")
            #expect(last.body == "다시 오셨네요" && last.payload["aps"]?["badge"] == .int(3))
            #expect(try await Self.notices(back).map(\.content) == ["한 분께만", "아무도 없어요?", "다시 오셨네요"])
            #expect(try await platform.pushes(to: "w2").count == 1)
        }
    }
}
