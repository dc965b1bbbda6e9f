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

    /// `POST /internal/comparisons/{day}?limit=500` → 200 with the first part of a new run, or of one that was interrupted;
    /// without a limit with the whole, for callers that know no parts. 409 while another replica runs it. `&after=CURSOR` →
    /// 200 with the next part; 404 for an unknown cursor, also of a run that another replica has taken.
    func run(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let (day, stated) = (try day(context), try request.intQuery("limit"))
        if let stated, !(1...Self.most).contains(stated) {
            throw Problem(.badParameter, message: "limit must be from 1 to \(Self.most).")
        }
        let limit = stated.map { Int($0) } ?? .max
        guard let cursor = request.query("after") else {
            guard let part = try await comparison.firstPart(of: day, atMost: limit) else {
                throw Problem(.conflict, message: "This day is being compared.")
            }
            return try .json(OperatorsAPI.Comparison(part))
        }
        guard let run = ReconciliationRun(cursor, of: day),
            let part = try await comparison.part(after: run, atMost: limit)
        else { throw Problem(.notFound, message: "There is no such comparison, or it goes on elsewhere.") }
        return try .json(OperatorsAPI.Comparison(part))
    }

    /// The largest number of payments of a part.
    private static let most: Int64 = 1_000

    private func day(_ context: AppRequestContext) throws -> CivilDate {
        guard let day = try CivilDate(context.parameters.require("day")) else {
            throw Problem(.badParameter, message: "day must be a day: yyyy-MM-dd.")
        }
        return day
    }
}

extension OperatorsAPI.Comparison {
    init(_ part: Reconciliation.Part) {
        self.init(part.result)
        next = part.next?.cursor
    }

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
