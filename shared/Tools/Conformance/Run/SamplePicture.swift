import AppClients

/// A picture for calls that upload one, with the structure of a JPEG and nothing to see on it.
enum SamplePicture {
    static let jpeg: [UInt8] = {
        var bytes: [UInt8] = [0xff, 0xd8]
        bytes += segment(0xe0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 0, 0])
        bytes += segment(0xdb, Array(repeating: 1, count: 65))
        bytes += segment(0xc0, [8, 0, 8, 0, 8, 1, 1, 0x11, 0])
        bytes += segment(0xda, [1, 1, 0, 0, 63, 0])
        return bytes + Array(repeating: 0x55, count: 400) + [0xff, 0xd9]
    }()

    private static func segment(_ code: UInt8, _ data: [UInt8]) -> [UInt8] {
        let length = data.count + 2
        return [0xff, code, UInt8(length >> 8), UInt8(length & 0xff)] + data
    }

    /// A form with the picture in a part, and with a further part of JSON.
    static func form(_ part: String, json: (name: String, body: JSON)? = nil) -> RequestBody {
        let boundary = "conform.boundary.4f1c"
        var bytes: [UInt8] = []
        func add(_ headers: String, _ body: [UInt8]) {
            bytes += Array("--\(boundary)\r\nContent-Disposition: form-data; \(headers)\r\n\r\n".utf8) + body
            bytes += Array("\r\n".utf8)
        }
        add("name=\"\(part)\"; filename=\"image.jpg\"\r\nContent-Type: image/jpeg", jpeg)
        if let json {
            add("name=\"\(json.name)\"\r\nContent-Type: application/json", Array(json.body.description.utf8))
        }
        bytes += Array("--\(boundary)--\r\n".utf8)
        return RequestBody(bytes, contentType: "multipart/form-data; boundary=\(boundary)")
    }
}
