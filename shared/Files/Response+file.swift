import HTTPTypes
package import Hummingbird

extension Response {
    /// A stored file as a streamed response: 200 with the whole file, or 206 or 416 for a request for a part of it (RFC
    /// 9110 §14). Conditional requests get the whole file, because stored files never change and have no validators.
    /// Headers keep browsers from sniffing or executing the content.
    ///
    /// - Parameters:
    ///   - name: The last component of its path; letters, digits, `.`, `_` and `-`.
    ///   - sharing: Whether shared caches may store the response.
    ///   - request: The request whose `Range` applies; nil if only the whole file is served.
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
        // There is no validator to compare `If-Range` with.
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

/// The caches that may store a response.
package enum FileSharing: String, Sendable {
    /// Shared caches.
    case shared = "public"
    /// The caller's own cache only.
    case caller = "private"
}
