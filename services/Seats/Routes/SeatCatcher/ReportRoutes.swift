import Contracts
import Hummingbird
import ServiceKit

/// Reports (SeatCatcher contract 1.6, calls 33 to 38; 6, W4). The caller is the reporter.
struct ReportRoutes {
    let reports: Reports

    struct CreateRequest: Decodable {
        var reportUserId: AccountID?
        var reportedUserId: AccountID
        var reason: String
    }

    struct UpdateRequest: Decodable {
        var reportUserId: AccountID?
        var reportedUserId: AccountID?
        var reason: String?
    }

    struct ReportResponse: Encodable {
        var id: ReportID
        var reportUserId: AccountID
        var reportUserName: String
        var reportedUserId: AccountID?
        var reportedUserName: String?
        var reason: String

        init(_ report: Report) {
            self.id = report.id
            self.reportUserId = report.reporter.account
            self.reportUserName = report.reporter.name
            self.reportedUserId = report.reported?.account
            self.reportedUserName = report.reported?.name
            self.reason = report.reason
        }

        enum CodingKeys: String, CodingKey {
            case id, reportUserId, reportUserName, reportedUserId, reportedUserName, reason
        }

        /// Encodes `null` for a withdrawn user.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(reportUserId, forKey: .reportUserId)
            try container.encode(reportUserName, forKey: .reportUserName)
            try container.encode(reportedUserId, forKey: .reportedUserId)
            try container.encode(reportedUserName, forKey: .reportedUserName)
            try container.encode(reason, forKey: .reason)
        }
    }

    /// `GET /reports` → 403: only administrators may list all reports, and administrators do not sign in here.
    func list(_ request: Request, _ context: SignedInContext) async throws -> Response {
        throw PassengerError.reportForbidden
    }

    /// `GET /reports/me` → 200.
    func mine(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .json(await reports.reports(by: context.account).map(ReportResponse.init))
    }

    /// `GET /reports/{reportId}` → 200; 403 for another user's, 404.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try .json(ReportResponse(try await reports.report(id: context.pathID("reportId"), by: context.account)))
    }

    /// `POST /reports` → 200 with a text.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(CreateRequest.self, context)
        try requireSelf(body.reportUserId, context)
        let new = try NewReport(reporter: context.account, reported: body.reportedUserId, reason: body.reason)
        try await reports.make(new)
        return .text("Reported.")
    }

    /// `PATCH /reports/{reportId}` → 200 with the changed report; null and absent fields are unchanged.
    func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id: ReportID = try context.pathID("reportId")
        let body = try await request.json(UpdateRequest.self, context)
        try requireSelf(body.reportUserId, context)
        let change = try ReportChange(reporter: context.account, reported: body.reportedUserId, reason: body.reason)
        return try .json(ReportResponse(try await reports.update(id: id, by: context.account, change)))
    }

    /// `DELETE /reports/{reportId}` → 200 with a text.
    func delete(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await reports.delete(id: context.pathID("reportId"), by: context.account)
        return .text("Deleted.")
    }

    /// Rejects a reporter other than the caller.
    private func requireSelf(_ reporter: AccountID?, _ context: SignedInContext) throws {
        if let reporter, reporter != context.account { throw PassengerError.reportForbidden }
    }
}
