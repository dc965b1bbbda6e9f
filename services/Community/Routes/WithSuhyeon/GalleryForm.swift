import Apps
import Files
import FoundationEssentials
import Hummingbird
import NIOCore
import ServiceKit

/// The form of a new picture: `multipart/form-data` with a file `image` and a JSON part `createGalleryRequest`, in any
/// order (With Suhyeon contract 1.4). Other parts are ignored.
struct GalleryForm {
    let draft: GalleryDraft
    /// Received; must be kept or discarded.
    let picture: IncomingFile

    private struct Description: Decodable {
        var category: String
        var title: String
        var content: String
    }

    private static let descriptionName = "createGalleryRequest"
    /// Bytes.
    private static let descriptionLimit = 16 * 1024

    /// Reads a form.
    ///
    /// - Throws: `MultipartError`; `Problem`; `CommunityError`; `GalleryError`; `FilesError` for a picture that is too
    ///   large. The picture is discarded then.
    static func read(
        _ request: Request,
        _ context: some RequestContext,
        rules: UploadRules,
        into uploads: Uploads
    ) async throws -> GalleryForm {
        var pictures: [IncomingFile] = []
        do {
            var description: Description?
            let parts = try request.multipart()
            while let part = try await parts.nextPart() {
                switch part.name {
                case "image":
                    guard pictures.isEmpty else { throw MultipartError.duplicatePart(name: part.name) }
                    pictures.append(try await receive(parts.body, rules, into: uploads))
                case descriptionName:
                    guard description == nil else { throw MultipartError.duplicatePart(name: part.name) }
                    guard part.contentType == "application/json" else {
                        throw Problem(.unsupportedMedia, message: "\(descriptionName) must be application/json.")
                    }
                    description = try Request.json(from: Data(try await parts.text(upTo: descriptionLimit).utf8))
                default: continue
                }
            }
            guard let description else { throw Problem(.invalid, message: "\(descriptionName) is required.") }
            let draft = try GalleryDraft(
                category: description.category,
                title: description.title,
                content: description.content,
                requestKey: request.idempotencyKey
            )
            guard let picture = pictures.first else { throw Problem(.invalid, message: "image is required.") }
            return GalleryForm(draft: draft, picture: picture)
        } catch {
            uploads.discard(pictures)
            throw error
        }
    }

    private static func receive(
        _ bytes: MultipartReader<RequestBody>.Body,
        _ rules: UploadRules,
        into uploads: Uploads
    ) async throws -> IncomingFile {
        do {
            return try await uploads.receive(bytes, rules)
        } catch let error as FilesError {
            switch error {
            case .type, .empty: throw GalleryError.notAPicture
            case .noSpace: throw GalleryError.notStored
            default: throw error
            }
        }
    }
}
