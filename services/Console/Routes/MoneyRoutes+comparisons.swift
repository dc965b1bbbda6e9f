import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import ServiceKit
import Values

/// Comparisons of all payments with PortOne.
extension MoneyRoutes {
    /// `GET /console/money/differences?day=yyyy-MM-dd`: the newest comparisons, or that of a day.
    func differences(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let day = CivilDate(request.text("day"))
            let comparisons = try await visit.answered {
                guard let day else { return try await money.comparisons() }
                return try await money.comparison(of: day.description).map { [$0] } ?? []
            }
            let page = DifferencesPage(
                comparisons: comparisons ?? [],
                isOfOneDay: day != nil,
                today: SeoulTime.date(of: .now).description,
                visitor: visit.visitor,
                language: visit.language
            )
            let title = visit.language("Differences from PortOne", "포트원과의 차이")
            let isMissing = day != nil && comparisons?.isEmpty == true
            return visit.layout.response(
                title,
                "money",
                comparisons == nil ? HTML.silence(of: .payments, visit.language) : page.html,
                status: isMissing ? .notFound : .ok
            )
        }
    }

    /// `POST /console/money/compare`: compares a day again.
    func compare(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators, needing: .act) { visit in
            let (fields, reason) = try await visit.act(request, context)
            guard let day = CivilDate(fields["day"] ?? ""), day <= SeoulTime.date(of: .now) else {
                throw Problem(.invalid, message: visit.language("Give a day up to today.", "오늘까지의 날짜를 적으세요."))
            }
            let subject = day.description
            try await visit.record("compare with PortOne", on: subject, because: reason, in: domain.operators) {
                switch try await visit.answered({ try await money.compare(day.description) }) {
                case .some(let result?): return "\(result.differences.count) differences"
                case .some(.none):
                    throw Problem(.conflict, message: visit.language("This day is being compared.", "이 날은 비교하는 중입니다."))
                case .none: return "payments has not answered"
                }
            }
            return .seeOther("money/differences")
        }
    }
}
