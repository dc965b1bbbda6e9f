import Apps
import Files
import Hummingbird
import ServiceKit

/// Pictures of listings (Anlaka contract 2.6, call 39, and 2.7).
struct PictureRoutes {
    let pictures: Pictures

    struct FilesResponse: Encodable {
        /// Paths, in the order of the uploaded pictures.
        var files: [String]
    }

    /// `POST /v1/estates/files`, a form with up to five parts `files` → 200 with paths, which a new listing can refer
    /// to within a day. 400 when a file is not a picture or is too large; no file is stored then.
    func upload(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let form = try await UploadForm.read(
            request,
            file: "files",
            upTo: Pictures.formLimit,
            rules: Pictures.rules,
            into: pictures.uploads
        )
        guard !form.files.isEmpty else {
            throw Problem(.malformed, message: "One to \(Pictures.formLimit) file parts named files are required.")
        }
        return try .json(FilesResponse(files: await pictures.keep(form.files, by: context.account)))
    }

    /// `GET /v1/data/estates/{name}` → 200 with the picture; 404 when it does not exist.
    func show(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        guard let (upload, file) = try await pictures.open(context.parameters.require("name")) else {
            throw Problem(.notFound, message: "There is no such picture.")
        }
        return .file(file, type: upload.type, name: upload.name, sharing: .shared)
    }
}
