import Apps
import Contracts
import Hummingbird
import ServiceKit
import Values

/// The console's calls about workers and their pay.
struct OperatorRoutes {
    let pay: PayLookup

    /// `GET /internal/operators/workers?account=ACCOUNT` → 200, maybe with none.
    func memberships(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try .json(await pay.memberships(of: AccountID(rawValue: request.number("account"))))
    }

    /// `GET /internal/operators/payslips?account=ACCOUNT&workplace=WORKPLACE&month=yyyy-MM` → 200; 404 without a
    /// membership.
    func payslip(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let month = request.query("month").flatMap(CivilMonth.init(text:)) else {
            throw Problem(.badParameter, message: "month must be a month: yyyy-MM.")
        }
        let account = AccountID(rawValue: try request.number("account"))
        let workplace = WorkplaceID(rawValue: try request.number("workplace"))
        return try .json(await pay.payslip(of: account, at: workplace, in: month))
    }
}

extension Request {
    /// A number that must be given.
    fileprivate func number(_ name: String) throws -> Int64 {
        guard let number = try intQuery(name) else { throw Problem(.badParameter, message: "\(name) must be given.") }
        return number
    }
}
