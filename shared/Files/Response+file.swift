import HTTPTypes
package import Hummingbird

extension Response {
    /// A stored file, whole and streamed: always 200, whatever range or version was asked for, as there is nothing that could
    /// have changed. What a browser is shown, it may neither guess at nor execute.
    ///
    /// - Parameters:
    ///   - name: the last component of its path; letters, digits, `.`, `_` and `-`.
    ///   - sharing: whether caches between phone and gateway may keep it.
    package static func file(
        _ file: any StoredFile,
        type: FileType,
        name: String,
        sharing: FileSharing
    ) -> Response {
        var headers: HTTPFields = [
            .contentType: type.contentType,
            .cacheControl: "\(sharing.rawValue), max-age=31536000, immutable",
            .xContentTypeOptions: "nosniff",
            .contentDisposition: "inline; filename=\"\(name.filter(Self.isPlain))\"",
        ]
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        return Response(
            status: .ok,
            headers: headers,
            body: ResponseBody(contentLength: file.size) { writer in
                var position = 0
                while let chunk = try await file.read(at: position) {
                    position += chunk.readableBytes
                    try await writer.write(chunk)
                }
                try await writer.finish(nil)
            }
        )
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "._-".contains(character))
    }
}

/// Who may keep a copy of an answer.
package enum FileSharing: String, Sendable {
    /// Everybody may have it.
    case everybody = "public"
    /// Only who has asked.
    case caller = "private"
}
