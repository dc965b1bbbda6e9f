import Contracts
import FoundationEssentials
import NIOHTTP1
import TestKit
import Testing

@testable import Auth

/// A month of work in MOUP, as the clients of a worker and of an owner record it, through the gateway.
@Suite(.timeLimit(.minutes(8))) struct MOUPWorkMonthTests {
    /// Everything on, 20 days of 8 hours in November 2025 (MOUP contract 3F, S08).
    @Test func month_isTheSameForWorkerAndOwner() async throws {
        try await Platform.test { platform in
            let owner = try await MOUPPerson(platform, subject: 1, nickname: "사장", role: "ROLE_OWNER")
            let worker = try await MOUPPerson(platform, subject: 2, nickname: "하루", role: "ROLE_WORKER")
            let (workplace, id) = try await worker.work(for: owner)

            let plan = """
                {"workerIdList":[\(id)],"startTime":"2025-11-03T00:00:00Z","endTime":"2025-11-03T09:00:00Z",
                 "restTimeMinutes":60,"repeatDays":["MONDAY","TUESDAY","WEDNESDAY","THURSDAY","FRIDAY"],
                 "repeatEndDate":"2025-11-28"}
                """
            let planned = try await owner.send(.POST, "/workplaces/\(workplace)/works/batch", plan, 201)
            struct Planned: Decodable { var successWorkIdList: [Int64] }
            #expect(try planned.value(Planned.self).successWorkIdList.count == 20)

            struct Calendar: Decodable {
                var workSummaryInfoList: [Work]
                struct Work: Decodable {
                    var workId: ShiftID
                    var workDate: String
                    var workMinutes: Int
                    var estimatedNetIncome: Int?
                }
            }
            for path in ["/works", "/workplaces/\(workplace)/workers/me/works", "/workplaces/\(workplace)/works"] {
                let answer = try await worker.send(.GET, "\(path)?baseYearMonth=2025-11", nil, 200)
                let works = try answer.value(Calendar.self).workSummaryInfoList
                #expect(works.count == 20)
                #expect(works.first?.workDate == "2025-11-03")
                #expect(works.allSatisfy { $0.workMinutes == 480 })
                #expect(works.compactMap(\.estimatedNetIncome).reduce(0, +) == 1_725_370)
            }

            struct Answer: Decodable {
                var payslip: Slip
            }
            struct Slip: Decodable, Equatable {
                var grossIncome: Int
                var totalDeductions: Int
                var netIncome: Int
                var earnings: [Line]
                var deductions: [Line]
                struct Line: Decodable, Equatable {
                    var amount: Int
                    var law: String
                    var formula: String
                }
            }
            let own = try await worker.send(.GET, "/workplaces/\(workplace)/workers/me/payslips/2025-11", nil, 200)
            let theirs = try await owner.send(.GET, "/workplaces/\(workplace)/workers/\(id)/payslips/2025-11", nil, 200)
            let slip = try own.value(Answer.self).payslip
            #expect(try theirs.value(Answer.self).payslip == slip)
            #expect(slip.grossIncome == 1_925_760)
            #expect(slip.totalDeductions == 200_390)
            #expect(slip.netIncome == 1_725_370)
            #expect(slip.earnings.map(\.amount).reduce(0, +) == slip.grossIncome)
            #expect(slip.deductions.map(\.amount).reduce(0, +) == slip.totalDeductions)
            #expect((slip.earnings + slip.deductions).allSatisfy { !$0.law.isEmpty && !$0.formula.isEmpty })
            // Another owner may not read the payslip.
            let stranger = try await MOUPPerson(platform, subject: 3, nickname: "남", role: "ROLE_OWNER")
            #expect(
                try await stranger.send(.GET, "/workplaces/\(workplace)/workers/\(id)/payslips/2025-11").status == 403
            )
        }
    }

    @Test func shift_isClockedInAndOut() async throws {
        try await Platform.test { platform in
            let owner = try await MOUPPerson(platform, subject: 1, nickname: "사장", role: "ROLE_OWNER")
            let worker = try await MOUPPerson(platform, subject: 2, nickname: "하루", role: "ROLE_WORKER")
            let (workplace, id) = try await worker.work(for: owner)
            let routine = try await worker.number(
                "routineId",
                in: worker.send(
                    .POST,
                    "/routines",
                    #"{"routineName":"오픈","alarmTime":"08:00","routineTaskList":[{"content":"불 켜기","orderIndex":0}]}"#,
                    201
                )
            )
            let start = Date.now.formatted(.iso8601)
            let end = (Date.now + 3600).formatted(.iso8601)
            let body = """
                {"routineIdList":[\(routine)],"startTime":"\(start)","endTime":"\(end)","restTimeMinutes":0,"repeatDays":[]}
                """
            try await worker.send(.POST, "/workplaces/\(workplace)/workers/me/works", body, 201)
            try await worker.send(.POST, "/workplaces/\(workplace)/workers/me/works/start", nil, 204)
            try await worker.send(.POST, "/workplaces/\(workplace)/workers/me/works/start", nil, 409)
            let working = try await worker.send(.GET, "/home", nil, 200)
            #expect(working.body.contains(#""isNowWorking":true"#))
            #expect(working.body.contains(#""todayRoutineCounts":1"#))
            try await worker.send(.PATCH, "/workplaces/\(workplace)/workers/me/works/end", nil, 204)
            try await worker.send(.PATCH, "/workplaces/\(workplace)/workers/me/works/end", nil, 404)
            #expect(try await worker.send(.GET, "/home", nil, 200).body.contains(#""isNowWorking":false"#))
            let seen = try await owner.send(.GET, "/workplaces/\(workplace)/workers/\(id)", nil, 200)
            #expect(!seen.body.contains(#""actualEndTime":null"#))
            #expect(try await owner.send(.GET, "/home", nil, 200).body.contains("하루"))
        }
    }

    @Test func withdrawal_keepsPayslipsAnonymously() async throws {
        try await Platform.test({ $0.moupLeavingTime = 0 }) { platform in
            let owner = try await MOUPPerson(platform, subject: 1, nickname: "사장", role: "ROLE_OWNER")
            let worker = try await MOUPPerson(platform, subject: 2, nickname: "하루", role: "ROLE_WORKER")
            let (workplace, id) = try await worker.work(for: owner)
            let body = """
                {"routineIdList":[],"startTime":"2025-11-05T00:00:00Z","endTime":"2025-11-05T09:00:00Z",
                 "restTimeMinutes":60,"repeatDays":[]}
                """
            try await worker.send(.POST, "/workplaces/\(workplace)/workers/me/works", body, 201)
            try await worker.send(.DELETE, "/users", nil, 200)
            while !(try await owner.send(.GET, "/workplaces/\(workplace)/workers", nil, 200).body.contains("탈퇴한")) {
                try await Task.sleep(for: .milliseconds(20))
            }
            let slip = try await owner.send(.GET, "/workplaces/\(workplace)/workers/\(id)/payslips/2025-11", nil, 200)
            #expect(slip.body.contains(#""grossIncome":80240"#))
            #expect(!slip.body.contains("하루"))
            while !(try await platform.hasLeft(worker.account)) { try await Task.sleep(for: .milliseconds(20)) }
        }
    }
}
