import Contracts
import Files
import Hummingbird
import ServiceHost

extension Routes {
    /// Anlaka (contract 2.3, 2.6, 2.7).
    func anlaka(_ open: RouterGroup<AppRequestContext>) {
        let app = open.signedIn
        let files = FileRoutes(attachments: domain.attachments, app: .anlaka, sharing: .everybody)
        app.post("v1/posts/files", use: files.upload)
        open.get("v1/data/posts/:name", use: files.show)
    }
}
