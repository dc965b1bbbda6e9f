import Contracts
import Files
import Hummingbird
import ServiceHost

extension Routes {
    /// Seoul Culture (contract 2 and 5.1).
    func culture(_ open: RouterGroup<AppRequestContext>) {
        let app = open.signedIn
        let files = FileRoutes(attachments: domain.attachments, app: .culture, sharing: .caller)
        app.post("v1/posts/files", use: files.upload)
        app.get("v1/uploads/posts/:name", use: files.show)
        app.post("v1/posts/:postId/reports", use: ReportRoutes(reports: domain.reports, app: .culture).create)
    }
}
