import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import ServiceKit
import Values

/// The daily reconciliation with PortOne, for operators.
struct ReconciliationRoutes {
    let comparison: Reconciliation

    /// `GET /internal/comparisons/{day}` → 200 with the result; 404 for a day that was not compared.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let result = try await comparison.result(of: day(context)) else {
            throw Problem(.notFound, message: "This day was not compared.")
        }
        return try .json(OperatorsAPI.Comparison(result))
    }

    /// `POST /internal/comparisons/{day}` → 200 with the result of a new run; 409 while another replica runs it.
    func run(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let result = try await comparison.run(day(context), isForced: true) else {
            throw Problem(.conflict, message: "This day is being compared.")
        }
        return try .json(OperatorsAPI.Comparison(result))
    }

    private func day(_ context: AppRequestContext) throws -> CivilDate {
        guard let day = try CivilDate(context.parameters.require("day")) else {
            throw Problem(.badParameter, message: "day must be a day: yyyy-MM-dd.")
        }
        return day
    }
}

extension OperatorsAPI.Comparison {
    init(_ result: Reconciliation.Result) {
        self.init(
            day: result.day.description,
            isFinished: result.finishedAt != nil,
            startedAt: result.startedAt.timeIntervalSince1970,
            finishedAt: result.finishedAt?.timeIntervalSince1970,
            payments: result.payments,
            differences: result.differences.map { difference, isMended in
                OperatorsAPI.Difference(
                    impUID: difference.impUID,
                    kind: difference.kind.rawValue,
                    ours: difference.ours,
                    theirs: difference.theirs,
                    isMended: isMended
                )
            }
        )
    }
}
