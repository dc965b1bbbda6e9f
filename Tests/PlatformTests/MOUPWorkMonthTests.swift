import AppClients
import Apps
import Contracts
import FoundationEssentials
import TestKit
import Testing

@testable import Auth

/// A month of work in MOUP, as the clients of a worker and of an owner record it, through the gateway.
@Suite(.timeLimit(.minutes(8))) struct MOUPWorkMonthTests {
    /// Everything on, 20 days of 8 hours in November 2025 (MOUP contract 3F, S08).
    @Test func month_isTheSameForWorkerAndOwner() async throws {
        try await Platform.test { platform in
            let owner = try await MOUPClient(platform, subject: 1, nickname: "사장", role: "ROLE_OWNER")
            let worker = try await MOUPClient(platform, subject: 2, nickname: "하루", role: "ROLE_WORKER")
            let (workplace, id) = try await worker.work(for: owner)

            let planned = try await owner.planMonth(of: id, at: workplace)
            #expect(planned["successWorkIdList"]?.elements.count == 20)

            struct Calendar: Decodable {
                var workSummaryInfoList: [Work]
                struct Work: Decodable {
                    var workId: ShiftID
                    var workDate: String
                    var workMinutes: Int
                    var estimatedNetIncome: Int?
                }
            }
            for answer in [
                try await worker.send(\.listOwnShifts, query: "baseYearMonth=2025-11"),
                try await worker.send(\.listOwnShiftsAtWorkplace, workplace, query: "baseYearMonth=2025-11"),
                try await worker.send(\.listWorkplaceShifts, workplace, query: "baseYearMonth=2025-11"),
            ] {
                let works = try answer.expect().value(Calendar.self).workSummaryInfoList
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
            let own = try await worker.send(\.getOwnPayslip, workplace, "2025-11").expect()
            let theirs = try await owner.send(\.getWorkerPayslip, workplace, id, "2025-11").expect()
            let slip = try own.value(Answer.self).payslip
            #expect(try theirs.value(Answer.self).payslip == slip)
            #expect(slip.grossIncome == 1_925_760)
            #expect(slip.totalDeductions == 200_390)
            #expect(slip.netIncome == 1_725_370)
            #expect(slip.earnings.map(\.amount).reduce(0, +) == slip.grossIncome)
            #expect(slip.deductions.map(\.amount).reduce(0, +) == slip.totalDeductions)
            #expect((slip.earnings + slip.deductions).allSatisfy { !$0.law.isEmpty && !$0.formula.isEmpty })
            // Another owner may not read the payslip.
            let stranger = try await MOUPClient(platform, subject: 3, nickname: "남", role: "ROLE_OWNER")
            #expect(try await stranger.send(\.getWorkerPayslip, workplace, id, "2025-11").status == 403)
        }
    }

    @Test func shift_isClockedInAndOut() async throws {
        try await Platform.test { platform in
            let owner = try await MOUPClient(platform, subject: 1, nickname: "사장", role: "ROLE_OWNER")
            let worker = try await MOUPClient(platform, subject: 2, nickname: "하루", role: "ROLE_WORKER")
            let (workplace, id) = try await worker.work(for: owner)
            let opening: RequestBody = [
                "routineName": "오픈", "alarmTime": "08:00", "routineTaskList": [["content": "불 켜기", "orderIndex": 0]],
            ]
            let routine = try await worker.send(\.createRoutine, body: opening).json(201).number("routineId")
            let start = Date.now.formatted(.iso8601)
            let end = (Date.now + 3600).formatted(.iso8601)
            let body: RequestBody = [
                "routineIdList": [.integer(routine)], "startTime": "\(start)", "endTime": "\(end)",
                "restTimeMinutes": 0,
                "repeatDays": [],
            ]
            try await worker.send(\.createShifts, workplace, body: body).expect(201)
            try await worker.send(\.clockIn, workplace).expect(204)
            try await worker.send(\.clockIn, workplace).expect(409)
            let working = try await worker.send(\.getHome).expect()
            #expect(working.body.contains(#""isNowWorking":true"#))
            #expect(working.body.contains(#""todayRoutineCounts":1"#))
            try await worker.send(\.clockOut, workplace).expect(204)
            try await worker.send(\.clockOut, workplace).expect(404)
            #expect(try await worker.send(\.getHome).expect().body.contains(#""isNowWorking":false"#))
            let seen = try await owner.send(\.getWorker, workplace, id).expect()
            #expect(!seen.body.contains(#""actualEndTime":null"#))
            #expect(try await owner.send(\.getHome).expect().body.contains("하루"))
        }
    }

    @Test func withdrawal_keepsPayslipsAnonymously() async throws {
        try await Platform.test({ $0.moupLeavingTime = 0 }) { platform in
            let owner = try await MOUPClient(platform, subject: 1, nickname: "사장", role: "ROLE_OWNER")
            let worker = try await MOUPClient(platform, subject: 2, nickname: "하루", role: "ROLE_WORKER")
            let (workplace, id) = try await worker.work(for: owner)
            let body: RequestBody = [
                "routineIdList": [], "startTime": "2025-11-05T00:00:00Z", "endTime": "2025-11-05T09:00:00Z",
                "restTimeMinutes": 60, "repeatDays": [],
            ]
            try await worker.send(\.createShifts, workplace, body: body).expect(201)
            try await worker.send(\.withdraw).expect()
            try await eventually {
                try await owner.send(\.listWorkers, workplace).expect().body.contains("탈퇴한")
            }
            let slip = try await owner.send(\.getWorkerPayslip, workplace, id, "2025-11").expect()
            #expect(slip.body.contains(#""grossIncome":80240"#))
            #expect(!slip.body.contains("하루"))
            try await eventually { try await platform.hasLeft(worker.account) }
        }
    }
}
