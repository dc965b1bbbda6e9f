import Apps
package import Hummingbird
import ServiceKit

/// A parsed form with files and texts. Parts of other names are ignored.
package struct UploadForm: Sendable {
    package private(set) var texts: [String: String] = [:]
    /// The files in the order in which they were sent. Each must be kept or discarded.
    package private(set) var files: [IncomingFile] = []

    /// The maximum size of a text, in bytes.
    private static let textLimit = 1024

    /// Reads a form.
    ///
    /// - Parameters:
    ///   - file: The name of the file parts.
    ///   - count: The maximum number of files.
    ///   - names: The names of the text parts.
    /// - Throws: `MultipartError`, `FilesError`, `Problem` for too many files; all received files are then discarded.
    package static func read(
        _ request: Request,
        file: String,
        upTo count: Int = 1,
        texts names: Set<String> = [],
        rules: UploadRules,
        into uploads: Uploads
    ) async throws -> UploadForm {
        var form = UploadForm()
        do {
            let parts = try request.multipart()
            while let part = try await parts.nextPart() {
                if part.name == file {
                    guard form.files.count < count else { throw tooMany(file, count) }
                    form.files.append(try await uploads.receive(parts.body, rules))
                } else if names.contains(part.name) {
                    let text = try await parts.text(upTo: textLimit)
                    guard form.texts.updateValue(text, forKey: part.name) == nil else {
                        throw MultipartError.duplicatePart(name: part.name)
                    }
                }
            }
            return form
        } catch {
            uploads.discard(form.files)
            throw error
        }
    }

    private static func tooMany(_ name: String, _ count: Int) -> any Error {
        guard count > 1 else { return MultipartError.duplicatePart(name: name) }
        return Problem(.malformed, message: "There may be at most \(count) parts named \(name).")
    }
}
