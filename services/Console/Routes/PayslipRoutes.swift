import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import ServiceKit
import Values

/// The page about a membership's pay of a month.
struct PayslipRoutes {
    let domain: ConsoleDomain

    /// `GET /console/money/payslip?account=…&workplace=…&month=yyyy-MM`: the payslip; the account's memberships without a
    /// workplace.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        await Visit.answer(request, domain.operators) { visit in
            let title = visit.language("Payslip", "급여명세서")
            let text = request.text("account")
            guard let account = AccountID(text) else {
                let page = MembershipsPage(query: text, memberships: nil, month: Self.present, language: visit.language)
                return visit.layout.response(title, "money", page.html)
            }
            guard let workplace = WorkplaceID(request.text("workplace")) else {
                let found = try await visit.answered { try await domain.pay.memberships(of: account) }
                let page = MembershipsPage(
                    query: text,
                    memberships: found,
                    month: Self.present,
                    language: visit.language
                )
                let silence = found == nil ? HTML.silence(of: .workforce, visit.language) : ""
                return visit.layout.response(title, "money", "\(silence)\(page.html)")
            }
            guard let month = Self.month(request.text("month")) else {
                throw Problem(.invalid, message: visit.language("Give a month: 2026-11.", "월을 2026-11처럼 적으세요."))
            }
            let found = try await visit.answered {
                try await domain.pay.payslip(of: account, at: workplace, in: month.description)
            }
            guard let found else {
                return visit.layout.response(title, "money", HTML.silence(of: .workforce, visit.language))
            }
            guard let payslip = found else {
                throw Problem(
                    .notFound,
                    message: visit.language("The account never worked there.", "그 근무지에서 일한 적이 없습니다.")
                )
            }
            let page = PayslipPage(payslip: payslip, account: account, month: month, language: visit.language)
            return visit.layout.response("\(title) \(month)", "money", page.html)
        }
    }

    private static var present: String { SeoulTime.date(of: .now).month.description }

    /// A month of this century; the present one for an empty text.
    private static func month(_ text: String) -> CivilMonth? {
        guard !text.isEmpty else { return SeoulTime.date(of: .now).month }
        return CivilDate("\(text)-01").map(\.month).flatMap { (2000...2099).contains($0.year) ? $0 : nil }
    }
}
