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
                next: day == nil ? nil : request.text("after", limit: Self.longestCursor),
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

    private static let longestCursor = 200

    /// `POST /console/money/compare`: compares a day again, for some seconds; with `after`, goes on with its comparison.
    func compare(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators, needing: .act) { visit in
            let (fields, reason) = try await visit.act(request, context)
            guard let day = CivilDate(fields["day"] ?? ""), day <= SeoulTime.date(of: .now) else {
                throw Problem(.invalid, message: visit.language("Give a day up to today.", "오늘까지의 날짜를 적으세요."))
            }
            let (subject, cursor) = (day.description, fields["after"].flatMap { $0.isEmpty ? nil : $0 })
            guard cursor.map({ $0.wholeMatch(of: /[A-Za-z0-9._-]{1,200}/) != nil }) ?? true else {
                throw Problem(.invalid, message: visit.language("Compare from the beginning.", "처음부터 다시 대사하세요."))
            }
            var next: String?
            try await visit.record("compare with PortOne", on: subject, because: reason, in: domain.operators) {
                switch try await visit.answered({ try await money.compare(subject, after: cursor) }) {
                case .some(let result?):
                    next = result.next
                    guard result.isFinished else { return "not finished, \(result.payments) payments so far" }
                    return "\(result.differences.count) differences"
                case .some(.none):
                    throw Problem(.conflict, message: visit.language("This day is being compared.", "이 날은 비교하는 중입니다."))
                case .none: return "payments has not answered"
                }
            }
            return .seeOther("money/differences" + (next.map { "?day=\(subject)&after=\($0)" } ?? ""))
        }
    }
}
