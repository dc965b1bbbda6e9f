import FoundationEssentials

/// A frame as SeatCatcher's unmodified client parses it, which is less than STOMP allows (SeatCatcher contract 2.6): a
/// frame that its parser cannot read is an error here.
package struct SeatCatcherFrame: Sendable {
    package var command: String
    package var headers: [String: String]
    package var body: String

    package init(_ text: String) throws(ClientError) {
        func require(_ holds: Bool, _ rule: String) throws(ClientError) {
            guard holds else { throw ClientError("\(rule): \(text.debugDescription.prefix(400))") }
        }
        try require(!text.utf8.contains(UInt8(ascii: "\r")), "line ends are LF only")
        try require(text.utf8.last == 0 && text.utf8.count { $0 == 0 } == 1, "NUL comes once, at the very end")
        let parts = text.dropLast().split(separator: "\n\n", maxSplits: 1, omittingEmptySubsequences: false)
        try require(parts.count == 2, "an empty line ends the headers")
        let lines = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
        command = String(lines[0])
        headers = [:]
        body = String(parts[1])
        try require(["CONNECTED", "MESSAGE", "RECEIPT", "ERROR"].contains(command), "the command is a server's")
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", omittingEmptySubsequences: false)
            try require(parts.count == 2, "a header is one name and one value without a colon")
            try require(!line.contains("\\"), "the app does not unescape")
            try require(headers[String(parts[0])] == nil, "no header comes twice")
            headers[String(parts[0])] = String(parts[1])
        }
        switch command {
        case "MESSAGE":
            try require(
                headers["destination"] != nil && headers["message-id"]?.isEmpty == false,
                "a message has a destination"
            )
            try require(headers["subscription"] == headers["destination"], "the app's ids are its destinations")
            if let length = headers["content-length"] {
                try require(Int(length) == body.utf8.count, "content-length counts bytes")
            }
            try require(Data(base64Encoded: body) == nil, "a body that is Base64 is taken for binary")
        case "ERROR":
            try require(headers["message"]?.isEmpty == false, "an error has a message")
        case "CONNECTED":
            try require(headers["heart-beat"] == "0,0", "the app sends no heart-beats")
        default:
            break
        }
    }

    package func value<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: Data(body.utf8))
        } catch {
            throw ClientError("\(Value.self) \(error): \(body.prefix(600))")
        }
    }
}
