import Apps
import Contracts
import Files
import Hummingbird
import ServiceKit

/// Files of posts (Anlaka contract 2.6, call 39, and 2.7; Culture contract 2, calls 9 and 25).
struct FileRoutes {
    let attachments: Attachments
    let app: App
    let sharing: FileSharing

    struct FilesResponse: Encodable {
        /// Paths, in the order of the uploaded files.
        var files: [String]
    }

    /// `POST /v1/posts/files`, a form with up to five parts `files` → 200 with paths, which a post can refer to within
    /// a day. 400 when a file has another type or is too large; no file is stored then.
    func upload(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let form = try await UploadForm.read(
            request,
            file: "files",
            upTo: Attachments.formLimit,
            rules: Attachments.rules(of: app),
            into: attachments.uploads
        )
        guard !form.files.isEmpty else {
            throw Problem(.malformed, message: "One to \(Attachments.formLimit) file parts named files are required.")
        }
        return try .json(FilesResponse(files: await attachments.keep(form.files, in: app, by: context.account)))
    }

    /// `GET …/{name}` → 200 with the file, 206 with a range of it; the app's "not found" when it does not exist.
    func show(_ request: Request, _ context: some RequestContext) async throws -> Response {
        guard let (upload, file) = try await attachments.open(context.parameters.require("name"), in: app) else {
            throw Problem(.notFound, message: "There is no such file.")
        }
        return .file(file, type: upload.type, name: upload.name, sharing: sharing, to: request)
    }
}
