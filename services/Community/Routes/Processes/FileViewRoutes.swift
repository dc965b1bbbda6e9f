import AppWire
import Contracts
import Files
import Hummingbird
import ServiceHost
import Uploads

/// Files for other services, which make them theirs.
struct FileViewRoutes {
    let attachments: Attachments

    /// `GET /internal/files/{name}?account=` → 200 with the bytes; 404 for what is not the account's, or gone.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let account = try request.intQuery("account") else {
            throw Problem(.badParameter, message: "account is required.")
        }
        guard let (upload, file) = try await attachments.open(context.parameters.require("name"), in: .anlaka),
            upload.account == account
        else { throw Problem(.notFound, message: "There is no such file of this account.") }
        return .file(file, type: upload.type, name: upload.name, sharing: .caller, to: request)
    }
}
