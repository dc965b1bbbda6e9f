import Contracts
import Hummingbird
import ServiceKit

/// Reports of companion posts and pictures in With Suhyeon.
struct CompanionReportRoutes {
    let reports: Reports

    /// `POST /api/v1/posts/{postId}/reports` `{reason}` → 200; idempotent. 400 for the caller's own post, 410
    /// `POST_006` for an unknown post.
    func post(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let reason = try await request.json(ReportRoutes.NewReport.self, context).reason
        let post: CompanionPostID = try context.companionID("postId")
        try await reports.report(ReportSubject(post), because: reason, by: context.account)
        return try .withSuhyeon()
    }

    /// `POST /api/v1/galleries/{galleryId}/reports` `{reason}` → 200; idempotent. 400 for the caller's own picture, 410
    /// `GALLERY_005` for an unknown picture.
    func picture(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let reason = try await request.json(ReportRoutes.NewReport.self, context).reason
        let item: GalleryItemID = try context.companionID("galleryId")
        try await reports.report(ReportSubject(item), because: reason, by: context.account)
        return try .withSuhyeon()
    }
}
