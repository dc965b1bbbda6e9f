import Contracts
import Files
import Hummingbird
import ServiceKit

/// Downloads of profile pictures by the paths that the apps receive (Anlaka contract 2.7, Culture contract 2, call 25,
/// MOUP contract 1.4, call 9).
struct ImageRoutes {
    let images: ProfileImages
    let app: App
    let sharing: FileSharing

    /// `GET …/{name}` → 200 with the whole picture; the app's "not found" error for an unknown one.
    func show(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (upload, file) = try await images.open(context.parameters.require("name"), app: app)
        return .file(file, type: upload.type, name: upload.name, sharing: sharing)
    }
}
