import AppClients
import Apps
import Contracts
import FoundationEssentials
import Postgres
import TestKit
import Testing
import Values

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

    private static func notices(
        _ client: MOUPClient,
        _ call: KeyPath<MOUP, Operation> = \.listNotifications
    ) async throws -> [Notice] {
        try await client.send(call).expect().value([Notice].self)
    }

    /// The last of `count` pushes, which must match the last notice in the list.
    private static func last(
        _ count: Int,
        of client: MOUPClient,
        on token: String,
        _ platform: Platform
    ) async throws -> ReceivedPush {
        let pushes = try await platform.pushes(count, to: token)
        #expect(pushes.count == count)
        let (push, notice) = (try #require(pushes.last), try #require(try await notices(client).last))
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
        like push: ReceivedPush,
        badge: Int
    ) -> ReceivedPush {
        var all = ["type": type, "destination": destination, "content": body]
        all["notificationId"] = push.data["notificationId"]
        return .notice(title, body, all.merging(data) { $1 }, badge: badge)
    }

    @Test func joinShiftAndReminders_arePushedAndListed() async throws {
        let clock = ManualClock()
        try await Platform.test(workforce: { $0.now = { clock.now } }) { (platform) async throws in
            let owner = try await MOUPClient(platform, subject: 1, nickname: "사장", role: "ROLE_OWNER", device: "o")
            let worker = try await MOUPClient(platform, subject: 2, nickname: "하루", role: "ROLE_WORKER", device: "w")
            try await platform.device("o", belongsTo: owner.account)
            try await platform.device("w", belongsTo: worker.account)
            let workplace = try await owner.openWorkplace()
            let code = try await owner.inviteCode(workplace)
            let tomorrow = SeoulTime.date(of: clock.now) + 1
            func place(_ id: WorkerID) -> [String: String] { ["workplaceId": "\(workplace)", "workerId": "\(id)"] }

            let first = try await worker.join(code)
            var push = try await Self.last(1, of: owner, on: "o", platform)
            let (title, body) = ("근무지 참가 요청", "하루님이 언덕카페에 참가를 요청했습니다.")
            let type = "WORKPLACE_JOIN_REQUEST"
            #expect(push == (Self.push(title, body, type, place(first), like: push, badge: 1)))
            try await owner.send(\.rejectWorker, workplace, first).expect(204)
            push = try await Self.last(1, of: worker, on: "w", platform)
            let refusal = "언덕카페에서 참가 요청을 거부했습니다."
            #expect(
                push == (Self.push("근무지 참가 거부", refusal, "INVITE_REJECTED", place(first), like: push, badge: 1))
            )

            let id = try await worker.join(code, payDay: tomorrow.day)
            #expect(try await Self.last(2, of: owner, on: "o", platform).data["workerId"] == "\(id)")
            try await owner.send(\.acceptWorker, workplace, id).expect(204)
            push = try await Self.last(2, of: worker, on: "w", platform)
            let welcome = "언덕카페의 근무자가 되었습니다."
            #expect(push == (Self.push("근무지 참가 승인", welcome, "INVITE_APPROVED", place(id), like: push, badge: 2)))
            let notice = try #require(try await Self.notices(worker).last)
            #expect(notice.senderId == owner.account && notice.readAt == nil)
            try await worker.send(\.markNotificationsRead).expect()

            // The owner plans for the worker.
            let day = tomorrow + 1
            let plan: RequestBody = [
                "workerIdList": [.integer(id.rawValue)], "startTime": "\(day)T00:00:00Z", "endTime": "\(day)T09:00:00Z",
                "restTimeMinutes": 60, "repeatDays": [],
            ]
            let planned = try await owner.send(\.createShiftsForWorkers, workplace, body: plan).json(201)
            push = try await Self.last(3, of: worker, on: "w", platform)
            let addition = "언덕카페에 \(day.month.month)월 \(day.day)일 근무가 추가되었습니다."
            var about = place(id).merging(["workId": "\(try #require(planned["successWorkIdList"]?[0]?.integer))"]) {
                $1
            }
            #expect(push == (Self.push("근무 추가", addition, "WORK_ADDED", about, like: push, badge: 1)))

            // The worker plans a day, and gets its reminders: 08:00 the routine, 08:30 the shift of 09:00, 09:00 the
            // pay day.
            let opening: RequestBody = [
                "routineName": "오픈", "alarmTime": "08:00", "routineTaskList": [["content": "불 켜기", "orderIndex": 0]],
            ]
            let routine = try await worker.send(\.createRoutine, body: opening).json(201).number("routineId")
            let own: RequestBody = [
                "routineIdList": [.integer(routine)], "startTime": "\(tomorrow)T00:00:00Z",
                "endTime": "\(tomorrow)T09:00:00Z", "restTimeMinutes": 60, "repeatDays": [],
            ]
            let made = try await worker.send(\.createShifts, workplace, body: own).json(201)
            about["workId"] = "\(try #require(made["workIdList"]?[0]?.integer))"
            try await worker.send(\.getOwnPayslip, workplace, tomorrow.month).expect()
            func pass(to minute: Int) {
                clock.advance(by: SeoulTime.instant(tomorrow, minute: minute).timeIntervalSince(clock.now) + 1)
            }
            pass(to: 8 * 60)
            push = try await Self.last(4, of: worker, on: "w", platform)
            let reminder = "언덕카페에서 오픈을(를) 시작할 시간입니다."
            let with = about.merging(["routineId": "\(routine)"]) { $1 }
            #expect(
                push
                    == (Self.push(
                        "루틴 알림",
                        reminder,
                        "ROUTINE_REMINDER",
                        with,
                        to: "routineDetail",
                        like: push,
                        badge: 2
                    ))
            )
            pass(to: 8 * 60 + 30)
            push = try await Self.last(5, of: worker, on: "w", platform)
            let soon = "09:00에 언덕카페 근무가 시작됩니다."
            #expect(
                push == (Self.push("근무 알림", soon, "WORK_REMINDER", about, to: "workDetail", like: push, badge: 3))
            )
            pass(to: 9 * 60)
            push = try await Self.last(6, of: worker, on: "w", platform)
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
            let admin = try await MOUPClient(platform, subject: 1, nickname: "운영", role: "ROLE_OWNER", device: "x")
            let one = try await MOUPClient(platform, subject: 2, nickname: "하루", role: "ROLE_WORKER", device: "w1")
            let other = try await MOUPClient(platform, subject: 3, nickname: "나무", role: "ROLE_WORKER")
            try await other.send(\.registerPushToken, body: ["fcmToken": "w2"]).expect()
            for (token, client) in [("x", admin), ("w1", one), ("w2", other)] {
                try await platform.device(token, belongsTo: client.account)
            }
            let announcement: RequestBody = ["title": "점검 안내", "content": "오늘 밤 2시부터 쉽니다."]
            #expect(try await admin.send(\.createAnnouncement, body: announcement).status == 403)
            try await platform.authDatabase.client.execute(
                "UPDATE moup_members SET role = 'ROLE_ADMIN' WHERE account_id = \(admin.account)"
            )
            try await admin.send(\.createAnnouncement, body: announcement).expect(204)
            for (token, client) in [("x", admin), ("w1", one), ("w2", other)] {
                let push = try #require(try await platform.pushes(1, to: token).first)
                let notice = try #require(try await Self.notices(client, \.listAnnouncements).last)
                let data = ["type": "ANNOUNCEMENT", "announcementId": "\(notice.id)"]
                #expect(push == .notice("점검 안내", "오늘 밤 2시부터 쉽니다.", data, badge: 0))
            }

            func write(_ text: String, to client: MOUPClient) async throws {
                let body: RequestBody = [
                    "receiverId": .integer(client.account.rawValue), "title": "안내", "content": "\(text)",
                ]
                try await admin.send(\.createNotification, body: body).expect(204)
            }
            try await write("한 분께만", to: one)
            let push = try await Self.last(2, of: one, on: "w1", platform)
            let id = try #require(push.data["notificationId"])
            #expect(push == .notice("안내", "한 분께만", ["type": "ADMIN_MESSAGE", "notificationId": id], badge: 1))

            // After the sign-out the device gets no push; the list keeps the notices of that time.
            try await one.send(\.signOut).expect()
            try await platform.device("w1", belongsTo: nil)
            try await write("아무도 없어요?", to: one)
            let back = try await MOUPClient(platform, subject: 2, nickname: "하루", role: "ROLE_WORKER", device: "w1")
            try await platform.device("w1", belongsTo: one.account)
            try await write("다시 오셨네요", to: back)
            let last = try await Self.last(3, of: back, on: "w1", platform)
            #expect(last.body == "다시 오셨네요" && last.payload["aps"]?["badge"] == 3)
            #expect(try await Self.notices(back).map(\.content) == ["한 분께만", "아무도 없어요?", "다시 오셨네요"])
            #expect(try await platform.pushes(to: "w2").count == 1)
        }
    }
}
