import NIOCore

/// From whom a request comes, and the limits that apply to it.
struct RequestOrigin {
    let address: IPAddress?
    let limit: ClientLimit
    /// The address, for logs and services; `-` for a Unix socket.
    let text: String
    /// The header line `X-Madang-Client: …` with its CRLF.
    let line: ByteBuffer

    init(_ address: IPAddress?, _ limit: ClientLimit) {
        self.address = address
        self.limit = limit
        text = address?.description ?? "-"
        line = ByteBuffer(string: "X-Madang-Client: \(text)\r\n")
    }
}
