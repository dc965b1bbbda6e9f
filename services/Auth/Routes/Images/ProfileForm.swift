import Contracts
import Files
import Hummingbird
import Multipart
import ServiceHost

/// A form with texts and a picture, as far as they were sent. Parts of other names are passed over.
struct ProfileForm: Sendable {
    private(set) var texts: [String: String] = [:]
    private(set) var image: IncomingFile?

    /// Bytes of a text.
    private static let textLimit = 1024

    /// Reads a form; the picture has come in then, and must be kept or discarded.
    ///
    /// - Parameters:
    ///   - file: the name of the part that is the picture.
    ///   - texts: the names of the parts that are texts.
    /// - Throws: `MultipartError`, `FilesError`; then nothing is left of the picture.
    static func read(
        _ request: Request,
        file: String,
        texts names: Set<String> = [],
        app: App,
        into images: ProfileImages
    ) async throws -> ProfileForm {
        var form = ProfileForm()
        do {
            let parts = try request.multipart()
            while let part = try await parts.nextPart() {
                if part.name == file {
                    guard form.image == nil else { throw MultipartError.duplicatePart(name: file) }
                    form.image = try await images.receive(parts.body, app: app)
                } else if names.contains(part.name) {
                    let text = try await parts.text(upTo: textLimit)
                    guard form.texts.updateValue(text, forKey: part.name) == nil else {
                        throw MultipartError.duplicatePart(name: part.name)
                    }
                }
            }
            return form
        } catch {
            if let image = form.image { images.discard(image) }
            throw error
        }
    }
}
