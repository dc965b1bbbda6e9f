import Contracts
import Hummingbird
import ServiceKit

/// Reports of posts, in the apps with a `SeSACKey`.
struct ReportRoutes {
    let reports: Reports
    let app: App

    struct NewReport: Decodable {
        var reason: String
    }

    /// `POST /v1/posts/{post_id}/reports` `{reason}` → 200, empty; idempotent. 400 for the caller's own post, the app's
    /// "not found" for an unknown post.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let reason = try await request.json(NewReport.self, context).reason
        let post = try context.postID()
        try await reports.report(.post(post, in: app), because: reason, by: context.account)
        return .empty(.ok)
    }
}
