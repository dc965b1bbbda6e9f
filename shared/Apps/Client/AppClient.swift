package import Apps

/// A client of one app: it sends the calls of the app's catalogue through the gateway.
package protocol AppClient: Sendable {
    associatedtype Calls: AppCatalogue
    var connection: AppConnection { get }
}

extension AppClient {
    /// The headers that the app always sends; those of one request take precedence.
    private func headers(_ own: [String: String]) -> [String: String] {
        connection.currentHeaders.merging(["Content-Type": "application/json"]) { $1 }.merging(own) { $1 }
    }

    /// Sends a call of the app.
    ///
    /// - Parameters:
    ///   - parameters: The values of the path's variables, in their order.
    ///   - slash: Whether the app writes a slash at the end of the path.
    ///   - query: Behind `?`; nil for none.
    package func send(
        _ call: KeyPath<Calls, Operation>,
        _ parameters: any CustomStringConvertible...,
        slash: Bool = false,
        query: String? = nil,
        headers: [String: String] = [:],
        body: RequestBody? = nil
    ) async throws -> ClientResponse {
        let operation = Calls()[keyPath: call]
        let path = operation.path(with: parameters.map(\.description)) + (slash ? "/" : "")
        return try await send(operation.method, path + (query.map { "?\($0)" } ?? ""), headers: headers, body: body)
    }

    /// Sends a request that is none of the app's calls.
    package func send(
        _ method: Operation.Method,
        _ path: String,
        headers: [String: String] = [:],
        body: RequestBody? = nil
    ) async throws -> ClientResponse {
        try await connection.transport.send(method, path, headers: self.headers(headers), body: body)
    }

    /// The access token; empty before the sign-in.
    package var token: String { connection.tokens?.accessToken ?? "" }

    /// The refresh token; empty before the sign-in.
    package var refreshToken: String { connection.tokens?.refreshToken ?? "" }

    /// Reports a message that the app could not read.
    func report(_ fault: String) {
        connection.transport.observer(.fault(ClientError(fault)))
    }
}

extension Operation {
    /// The path with values in place of its variables: `/tags/{id}` becomes `/tags/7`.
    package func path(with values: [String]) -> String {
        var values = values[...]
        return path.split(separator: "/", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("{") ? values.popFirst() ?? "" : String($0) }
            .joined(separator: "/")
    }
}
