package import Apps

/// What a client does, for its observer.
package enum ClientEvent: Sendable {
    case request(Operation.Method, path: String, body: RequestBody?)
    case response(ClientResponse, after: Duration)
    /// A frame sent on a socket, or the opening of a socket.
    case sent(String)
    /// A frame that the user of the client has read from a socket.
    case received(String, body: String = "")
    /// A message that the app could not read.
    case fault(any Error)
}

/// Is called for each event of a client, on the task that causes it.
package typealias ClientObserver = @Sendable (ClientEvent) -> Void
