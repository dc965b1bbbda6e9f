/// The body of a form, as phones write it.
package struct MultipartForm: Sendable {
    package static let boundary = "alamofire.boundary.9df1c4a2"
    package static let contentType = "multipart/form-data; boundary=\(boundary)"

    private var parts: [UInt8] = []

    package init() {}

    /// With one more text.
    package func text(_ name: String, _ value: String) -> MultipartForm {
        part("Content-Disposition: form-data; name=\"\(name)\"", Array(value.utf8))
    }

    /// With one more file.
    package func file(
        _ name: String,
        _ bytes: [UInt8],
        filename: String = "profile.jpg",
        type: String = "image/jpeg"
    ) -> MultipartForm {
        part(
            "Content-Disposition: form-data; name=\"\(name)\"; filename=\"\(filename)\"\r\nContent-Type: \(type)",
            bytes
        )
    }

    /// The whole body.
    package var bytes: [UInt8] { parts + Array("--\(Self.boundary)--\r\n".utf8) }

    private func part(_ headers: String, _ bytes: [UInt8]) -> MultipartForm {
        var form = self
        form.parts += Array("--\(Self.boundary)\r\n\(headers)\r\n\r\n".utf8) + bytes + Array("\r\n".utf8)
        return form
    }
}
