import Contracts
import Files
import Hummingbird
import Uploads

extension UploadForm {
    /// A form of a profile: texts and a picture, as far as they were sent.
    ///
    /// - Parameters:
    ///   - picture: the name of the part that is the picture.
    ///   - texts: the names of the parts that are texts.
    /// - Throws: `MultipartError`, `FilesError`; then nothing is left of the picture.
    static func profile(
        _ request: Request,
        picture: String,
        texts: Set<String> = [],
        app: App,
        into images: ProfileImages
    ) async throws -> UploadForm {
        guard let rules = images.rules(app) else { throw FilesError.type(nil) }
        return try await read(request, file: picture, texts: texts, rules: rules, into: images.uploads)
    }

    /// It has come in, and must be kept or discarded.
    var image: IncomingFile? { files.first }
}
