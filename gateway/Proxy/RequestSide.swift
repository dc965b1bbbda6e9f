import NIOCore

/// The request of an exchange, on its way from the client to a service.
struct RequestSide {
    /// What the request can do next.
    enum Step {
        /// Nothing: there is no connection, or the whole request is sent.
        case wait
        /// The client has to send more of the body.
        case waitForClient
        /// The service has to accept what it was sent before more of the body follows.
        case waitForService
        case send(RequestBody.Piece)
        case flush
        case refuse(HTTPFault)
    }

    private enum Connection {
        case none, new
        /// The connection has served other requests, so the service may have closed it meanwhile.
        case reused
    }

    private(set) var body: RequestBody
    let expectsContinue: Bool
    private let isIdempotent: Bool
    private var connection = Connection.none
    private var bodyBegan = false
    private var hasUnflushed = false

    init(_ properties: RequestProperties, bodyLimit: Int) {
        body = RequestBody(properties.body, limit: bodyLimit)
        expectsContinue = properties.expectsContinue
        isIdempotent = properties.isIdempotent
    }

    /// Whether the request may be sent again after its connection broke before the first byte of the response: it is
    /// idempotent, none of its body has been sent, and the connection was reused and had probably been closed for
    /// idleness.
    var mayBeSentAgain: Bool {
        isIdempotent && !bodyBegan && connection == .reused
    }

    /// Whether the rest of the body may be discarded after a response, so that the connection stays open. Closing is
    /// cheaper if it is large, and a client that waits for `100 Continue` may not send it at all.
    var isDiscardable: Bool {
        !expectsContinue && !body.isLarge
    }

    /// Starts to send on a connection; the head comes first.
    mutating func connected(isReused: Bool) {
        connection = isReused ? .reused : .new
        hasUnflushed = true
    }

    /// Handles the loss of the connection.
    mutating func disconnected() {
        connection = .none
    }

    /// - Parameter canWrite: Whether the service's channel accepts more output.
    mutating func next(_ input: inout ByteBuffer, canWrite: Bool) -> Step {
        guard connection != .none else { return .wait }
        if !body.isComplete, canWrite {
            do {
                if let piece = try body.next(&input) {
                    bodyBegan = true
                    hasUnflushed = true
                    return .send(piece)
                }
            } catch {
                return .refuse(error)
            }
        }
        guard !hasUnflushed else {
            hasUnflushed = false
            return .flush
        }
        return body.isComplete ? .wait : canWrite ? .waitForClient : .waitForService
    }
}

/// The properties of a request that the state of its connection depends on.
struct RequestProperties {
    var body = BodyLength.none
    var expectsContinue = false
    var isIdempotent = true
    /// Whether the client closes the connection after the response.
    var closes = false
}

extension RequestProperties {
    init(_ head: RequestHead) {
        body = head.body
        expectsContinue = head.expectsContinue
        isIdempotent = head.method.isIdempotent
        closes = head.fields.connection.close
    }
}
