import HTTPTypes
package import Hummingbird

extension Response {
    /// A stored file, streamed: 200 with the whole, whatever version was asked for, as there is nothing that could have
    /// changed; to a request for a part of it 206 or 416 (RFC 9110 §14). What a browser is shown, it may neither guess at nor
    /// execute.
    ///
    /// - Parameters:
    ///   - name: the last component of its path; letters, digits, `.`, `_` and `-`.
    ///   - sharing: whether caches between phone and gateway may keep it.
    ///   - request: whose `Range` counts; none where the whole is all that is served.
    package static func file(
        _ file: any StoredFile,
        type: FileType,
        name: String,
        sharing: FileSharing,
        to request: Request? = nil
    ) -> Response {
        var headers: HTTPFields = [
            .contentType: type.contentType,
            .cacheControl: "\(sharing.rawValue), max-age=31536000, immutable",
            .xContentTypeOptions: "nosniff",
            .contentDisposition: "inline; filename=\"\(name.filter(Self.isPlain))\"",
        ]
        headers[.contentSecurityPolicy] = "default-src 'none'; sandbox"
        if request != nil { headers[.acceptRanges] = "bytes" }
        // There is nothing that `If-Range` could be compared with.
        switch ByteRange(request?.headers[.ifRange] == nil ? request?.headers[.range] : nil, size: file.size) {
        case .whole:
            return part(0..<file.size, of: file, .ok, headers)
        case .part(let range):
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
            return part(range, of: file, .partialContent, headers)
        case .unsatisfiable:
            return Response(
                status: .rangeNotSatisfiable,
                headers: [.acceptRanges: "bytes", .contentRange: "bytes */\(file.size)"]
            )
        }
    }

    private static func part(
        _ range: Range<Int>,
        of file: any StoredFile,
        _ status: HTTPResponse.Status,
        _ headers: HTTPFields
    ) -> Response {
        let body = ResponseBody(contentLength: range.count) { writer in
            var reader = try await file.read(range)
            while let chunk = try await reader.next() { try await writer.write(chunk) }
            try await writer.finish(nil)
        }
        return Response(status: status, headers: headers, body: body)
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
