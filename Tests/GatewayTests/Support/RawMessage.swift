import NIOCore
import TestKit

/// A request or a response as it was received.
struct RawMessage: Sendable {
    /// The first line.
    var start: String
    var headers: [(name: String, value: String)]
    var content = ByteBuffer()

    /// The content as text.
    var body: String { String(buffer: content) }

    var status: Int {
        let parts = start.split(separator: " ")
        return parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    }

    /// The values of a header; its name is case-insensitive.
    subscript(name: String) -> [String] { headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value) }

    init?(head: String) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
        guard let first = lines.first else { return nil }
        start = first
        lines.removeFirst()
        headers = lines.filter { !$0.isEmpty }.map { line in
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1] : ""
            return (String(parts[0]), String(value.drop { $0 == " " }))
        }
    }
}

extension RawConnection {
    /// Reads a whole message. Nil when the connection ends before its end.
    ///
    /// - Parameter isBodyless: for responses to HEAD.
    func readMessage(isBodyless: Bool = false) async -> RawMessage? {
        guard let head = await readHead(), var message = RawMessage(head: head) else { return nil }
        let isRequest = !message.start.hasPrefix("HTTP/")
        if isBodyless || (!isRequest && (message.status < 200 || [204, 304].contains(message.status))) {
            return message
        }
        if message["transfer-encoding"].contains("chunked") {
            guard let content = await readChunks() else { return nil }
            message.content = content
        } else if let length = message["content-length"].first.flatMap(Int.init) {
            guard let content = await read({ $0.readSlice(length: length) }) else { return nil }
            message.content = content
        } else if !isRequest {
            message.content = ByteBuffer(string: await readToEnd())
        }
        return message
    }

    /// Reads up to the empty line.
    func readHead() async -> String? {
        await read { bytes in
            let view = bytes.readableBytesView
            guard let end = view.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
            return bytes.readString(length: end.upperBound - view.startIndex)
        }
    }

    private func readChunks() async -> ByteBuffer? {
        var content = ByteBuffer()
        while true {
            guard let line = await readLine(), let size = Int(line, radix: 16),
                let chunk = await read({ $0.readSlice(length: size) }), await readLine() != nil
            else { return nil }
            if size == 0 { return content }
            content.writeImmutableBuffer(chunk)
        }
    }

    private func readLine() async -> String? {
        let line: String? = await read { bytes in
            let view = bytes.readableBytesView
            guard let end = view.firstRange(of: Array("\r\n".utf8)) else { return nil }
            return bytes.readString(length: end.upperBound - view.startIndex)
        }
        // CR LF is one character.
        return line.map { String($0.dropLast()) }
    }
}
