import Apps
import Contracts
import FoundationEssentials
import Hummingbird
import ServiceKit

/// Reviews of reported content, for operators.
struct ReportReviewRoutes {
    let reviews: ReportReviews

    /// `GET /internal/reports` → 200 with the hidden content that waits for a decision, longest first.
    func list(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let items = try await reviews.waiting().map { item in
            ReportsAPI.Item(
                kind: item.kind.name,
                id: item.id,
                author: item.author,
                text: item.text,
                hiddenAt: item.hiddenAt.formatted(.iso8601),
                reports: item.reports.map { .init(account: $0.account, reason: $0.reason, counts: $0.counts) }
            )
        }
        return try .json(ReportsAPI.Waiting(items: items))
    }

    /// `POST /internal/reports/{kind}/{id}/{restore|confirm}` `{ignoresReporters}` → 204; 404 when nothing waits under
    /// this id.
    func decide(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let kind = context.parameters.get("kind").flatMap({ ReportSubject.Kind(name: $0) }),
            let id: ReportedContentID = context.id("id"),
            let decision = context.parameters.get("decision").flatMap({ ReportReviews.Decision(rawValue: $0) })
        else {
            throw Problem(
                .badParameter,
                message: "The path must be /internal/reports/{kind}/{id}/restore or …/confirm."
            )
        }
        let body = try await request.json(ReportsAPI.Decision.self, context)
        let isDone = try await reviews.decide(decision, on: kind, id, ignoresReporters: body.ignoresReporters)
        guard isDone else { throw Problem(.notFound, message: "Nothing hidden waits for a decision there.") }
        return .empty(.noContent)
    }
}
