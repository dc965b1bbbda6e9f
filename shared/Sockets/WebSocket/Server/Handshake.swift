import Crypto
import FoundationEssentials
import HTTPTypes

/// The server's side of the opening handshake (RFC 6455 §4.2).
enum Handshake {
    /// Whether a request is a WebSocket handshake, valid or not.
    static func isWanted(by request: HTTPRequest) -> Bool {
        request.headerFields.has("websocket", in: .upgrade) && request.headerFields.has("upgrade", in: .connection)
    }

    /// The error response to an invalid handshake; nil if it is valid.
    static func fault(in request: HTTPRequest) -> HTTPResponse? {
        let fields = request.headerFields
        guard fields[.secWebSocketVersion] == "13" else {
            return HTTPResponse(status: .upgradeRequired, headerFields: [.secWebSocketVersion: "13"])
        }
        let isSound =
            request.method == .get && isKey(fields[.secWebSocketKey] ?? "") && fields[.transferEncoding] == nil
            && ["0", nil].contains(fields[.contentLength])
        return isSound ? nil : HTTPResponse(status: .badRequest)
    }

    /// The response that accepts the handshake.
    ///
    /// - Parameter subprotocols: The supported subprotocols in order of preference.
    static func acceptance(of request: HTTPRequest, subprotocols: [String]) -> HTTPResponse {
        let fields = request.headerFields
        var response = HTTPResponse(status: .switchingProtocols)
        response.headerFields[.connection] = "Upgrade"
        response.headerFields[.upgrade] = "websocket"
        response.headerFields[.secWebSocketAccept] = accept(forKey: fields[.secWebSocketKey] ?? "")
        if let agreed = subprotocols.first(where: { fields.has($0, in: .secWebSocketProtocol, isExact: true) }) {
            response.headerFields[.secWebSocketProtocol] = agreed
        }
        return response
    }

    /// Whether the text is 16 bytes in base64.
    private static func isKey(_ text: String) -> Bool {
        text.utf8.count == 24 && Data(base64Encoded: text)?.count == 16
    }

    /// The accept value of a key (RFC 6455 §1.3).
    static func accept(forKey key: String) -> String {
        let bytes = Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)
        return Data(Insecure.SHA1.hash(data: bytes)).base64EncodedString()
    }
}

extension HTTPFields {
    /// Whether the field's comma-separated values contain this one.
    fileprivate func has(_ token: String, in name: HTTPField.Name, isExact: Bool = false) -> Bool {
        self[values: name].contains { line in
            line.split(separator: ",").contains { part in
                let value = part.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
                return isExact ? value == token : value.lowercased() == token
            }
        }
    }
}
