import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import NIOCore
import Payroll
import ServiceKit
import Values

/// Payslips of current and former workers.
struct PayslipRoutes {
    let payslips: Payslips

    /// The response without the payslip, which is inserted as stored.
    struct Envelope: Encodable {
        var workplaceId: WorkplaceID
        var workplaceName: String
        var workerId: WorkerID
        var nickname: String
        var shifts: [PaidShiftBody]
    }

    struct PaidShiftBody: Encodable {
        var workId: ShiftID
        var workDate: WireDate
        var startTime: Instant
        @Nullable var endTime: Instant?
        var workMinutes: Int
        var nightTimeMinutes: Int
        var restTimeMinutes: Int
        var hourlyRate: Int
        var grossIncome: Int
        /// The shift's share of the month's net pay.
        var estimatedNetIncome: Int
    }

    struct ListResponse: Encodable {
        var payslipInfoList: [Summary]
        /// The cursor of the next page; null on the last page.
        @Nullable var nextCursor: String?

        struct Summary: Encodable {
            var workplaceId: WorkplaceID
            var workplaceName: String
            var workerId: WorkerID
            /// `yyyy-MM`.
            var month: String
            var grossIncome: Int
            var netIncome: Int
        }
    }

    /// `GET /workplaces/{workplaceId}/workers/me/payslips/{yyyy-MM}` → 200.
    func own(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let workplace = try context.pathID("workplaceId", as: WorkplaceID.self)
        return try answer(
            try await payslips.own(of: context.account, at: workplace, in: try context.pathMonth("month"))
        )
    }

    /// `GET /workplaces/{workplaceId}/workers/{workerId}/payslips/{yyyy-MM}` → 200, for the owner.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let workplace = try context.pathID("workplaceId", as: WorkplaceID.self)
        let worker = try context.pathID("workerId", as: WorkerID.self)
        let month = try context.pathMonth("month")
        return try answer(
            try await payslips.issued(to: worker, at: workplace, in: month, by: context.account)
        )
    }

    /// `GET /payslips?size=&cursor=` → 200, newest first.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let size = try request.intQuery("size") ?? 20
        guard (1...100).contains(size) else { throw Problem(.badParameter, message: "size must be from 1 to 100.") }
        let page = try await payslips.list(of: context.account, before: try cursor(request), limit: Int(size))
        let last = page.isLast ? nil : page.items.last
        return try .json(
            ListResponse(
                payslipInfoList: page.items.map(Self.summary),
                nextCursor: last.map { "\($0.month).\($0.worker)" }
            )
        )
    }

    private static func summary(_ month: PaidMonth) -> ListResponse.Summary {
        ListResponse.Summary(
            workplaceId: month.workplace,
            workplaceName: month.workplaceName,
            workerId: month.worker,
            month: month.month.description,
            grossIncome: month.gross,
            netIncome: month.net
        )
    }

    private func cursor(_ request: Request) throws -> PaidMonth.Cursor? {
        guard let text = request.query("cursor"), !text.isEmpty else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let month = CivilMonth(text: String(parts[0])), let worker = WorkerID(parts[1]) else {
            throw Problem(.badParameter, message: "cursor must be what a page has returned.")
        }
        return PaidMonth.Cursor(month: month, worker: worker)
    }

    private func answer(_ issued: IssuedPayslip) throws -> Response {
        let envelope = Envelope(
            workplaceId: issued.place.workplace,
            workplaceName: issued.place.workplaceName,
            workerId: issued.place.worker,
            nickname: issued.place.nickname,
            shifts: issued.shifts.map(PaidShiftBody.init)
        )
        let text = try StoredPayslip.text(of: envelope)
        return Response(
            status: .ok,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "\(text.dropLast()),\"payslip\":\(issued.text)}"))
        )
    }
}

extension PayslipRoutes.PaidShiftBody {
    fileprivate init(_ shift: PaidShift) {
        self.init(
            workId: shift.id,
            workDate: WireDate(shift.date),
            startTime: Instant(shift.startsAt),
            endTime: shift.endsAt.map(Instant.init),
            workMinutes: shift.netMinutes,
            nightTimeMinutes: shift.nightMinutes,
            restTimeMinutes: shift.restMinutes,
            hourlyRate: shift.hourlyRate,
            grossIncome: shift.gross,
            estimatedNetIncome: shift.net
        )
    }
}

extension RequestContext {
    /// A month in the path: `yyyy-MM`.
    ///
    /// - Throws: `Problem` (`ARGUMENT_400`).
    fileprivate func pathMonth(_ name: String) throws -> CivilMonth {
        guard let month = parameters.get(name).flatMap(CivilMonth.init(text:)) else {
            throw Problem(.badParameter, message: "\(name) must be a month: yyyy-MM.")
        }
        return month
    }
}
