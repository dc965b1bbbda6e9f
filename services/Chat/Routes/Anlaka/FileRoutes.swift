import Apps
import Contracts
import Files
import Hummingbird
import ServiceKit

/// Files of messages (Anlaka contract 2.4, call 32, and 2.7).
struct FileRoutes {
    let rooms: Rooms
    let attachments: Attachments

    struct FilesResponse: Encodable {
        /// Paths, in the order of the uploaded files.
        var files: [String]
    }

    /// `POST /v1/chats/{room_id}/files`, a form with up to five parts `files` → 200 with paths, which a message can
    /// refer to within a day. 400 when a file has another type or is too large; no file is stored then.
    func upload(_ request: Request, _ context: SignedInContext) async throws -> Response {
        _ = try await rooms.room(context.roomID("roomId"), in: .anlaka, of: context.account)
        let form = try await UploadForm.read(
            request,
            file: "files",
            upTo: MessageDraft.fileLimit,
            rules: Attachments.rules,
            into: attachments.uploads
        )
        guard !form.files.isEmpty else {
            throw Problem(
                .malformed,
                message: "One to \(MessageDraft.fileLimit) file parts named files are required."
            )
        }
        return try .json(FilesResponse(files: await attachments.keep(form.files, by: context.account)))
    }

    /// `GET /v1/data/chats/{name}` → 200 with the file, for the members of the room; 403 for other users, 404 when it
    /// does not exist.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        do {
            let name = try context.parameters.require("name")
            guard let (upload, file) = try await attachments.open(name, for: context.account) else {
                throw Problem(.notFound, message: "There is no such file.")
            }
            return .file(file, type: upload.type, name: upload.name, sharing: .caller)
        } catch ChatError.notAMember {
            throw Problem(.forbidden, message: "This file is others'.")
        }
    }
}
