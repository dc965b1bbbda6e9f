import AppWire
import CivilTime
import Hummingbird
import ServiceHost

/// The daily comparison with PortOne, for operators.
struct ComparisonRoutes {
    let comparison: Comparison

    struct ComparisonResponse: Encodable {
        struct Entry: Encodable {
            var impUID: String
            var kind: String
            var ours: String?
            var theirs: String?
            var isMended: Bool
        }

        /// In Seoul.
        var day: String
        /// Whether it is over.
        var isFinished: Bool
        /// How many payments PortOne had.
        var payments: Int
        var differences: [Entry]

        init(_ result: Comparison.Result) {
            day = result.day.description
            isFinished = result.finishedAt != nil
            payments = result.payments
            differences = result.differences.map { difference, isMended in
                Entry(
                    impUID: difference.impUID,
                    kind: difference.kind.rawValue,
                    ours: difference.ours,
                    theirs: difference.theirs,
                    isMended: isMended
                )
            }
        }
    }

    /// `GET /internal/comparisons/{day}` → 200 with what was found; 404 for a day that was not compared.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let result = try await comparison.result(of: day(context)) else {
            throw Problem(.notFound, message: "This day was not compared.")
        }
        return try .json(ComparisonResponse(result))
    }

    /// `POST /internal/comparisons/{day}` → 200 with what is found now; 409 while another copy compares it.
    func run(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let result = try await comparison.run(day(context), isForced: true) else {
            throw Problem(.conflict, message: "This day is being compared.")
        }
        return try .json(ComparisonResponse(result))
    }

    private func day(_ context: AppRequestContext) throws -> CivilDate {
        guard let day = try CivilDate(context.parameters.require("day")) else {
            throw Problem(.badParameter, message: "day must be a day: yyyy-MM-dd.")
        }
        return day
    }
}
