import Apps
import Contracts
import Files
import Hummingbird
import ServiceKit

/// Files for other services, which store their own copies.
struct FileViewRoutes {
    let attachments: Attachments

    /// `GET /internal/files/{name}?account=` → 200 with the file; 404 when it belongs to another account or does not
    /// exist.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let account = try request.intQuery("account").map(AccountID.init(rawValue:)) else {
            throw Problem(.badParameter, message: "account is required.")
        }
        guard let (upload, file) = try await attachments.open(context.parameters.require("name"), in: .anlaka),
            upload.account == account
        else { throw Problem(.notFound, message: "There is no such file of this account.") }
        return .file(file, type: upload.type, name: upload.name, sharing: .caller, to: request)
    }
}
