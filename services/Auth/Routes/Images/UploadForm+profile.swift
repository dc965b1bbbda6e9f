import Contracts
import Files
import Hummingbird

extension UploadForm {
    /// Reads a profile form: texts and a picture, all optional.
    ///
    /// - Parameters:
    ///   - picture: the name of the part with the picture.
    ///   - texts: the names of the text parts.
    /// - Throws: `MultipartError`, `FilesError`; the picture is then discarded.
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

    /// The uploaded picture; the caller must keep or discard it.
    var image: IncomingFile? { files.first }
}
