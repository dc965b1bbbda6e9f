import Authentication
package import Contracts
import FoundationEssentials
package import Hummingbird
package import HummingbirdTesting
import NIOCore
import ServiceKit

/// Calls a service as the gateway would on behalf of a phone, or as another program would.
package struct ServiceClient: Sendable {
    private let client: any TestClientProtocol
    private let service: ServiceName
    private let identity: InternalIdentity

    /// - Parameters:
    ///   - service: the called service.
    ///   - account: the account that is signed in; nil without one.
    package init(
        _ client: any TestClientProtocol,
        to service: ServiceName,
        app: App,
        account: AccountID? = nil,
        session: String = "session"
    ) {
        self.client = client
        self.service = service
        self.identity = InternalIdentity(
            caller: .gateway,
            app: app,
            account: account,
            session: account == nil ? nil : session
        )
    }

    /// Another program of ours.
    package init(_ client: any TestClientProtocol, to service: ServiceName, process: ProgramName) {
        self.client = client
        self.service = service
        self.identity = InternalIdentity(caller: process)
    }

    /// Sends a request.
    ///
    /// - Parameter json: the body, as it is.
    package func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        json: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = headers
        headers[.internalIdentity] = identity.signed(method.rawValue, path, to: service)
        headers[.internalClient] = headers[.internalClient] ?? "203.0.113.7"
        let body = json.map { ByteBuffer(string: $0) }
        let response = try await client.execute(uri: path, method: method, headers: headers, body: body) { $0 }
        ExampleRecorder.record(identity.app, method, path, headers, body: json, response)
        return response
    }

    /// Sends a form.
    package func send(_ method: HTTPRequest.Method, _ path: String, form: MultipartForm) async throws -> TestResponse {
        try await send(method, path, bytes: form.bytes, type: MultipartForm.contentType)
    }

    /// Sends bytes, as they are.
    ///
    /// - Parameter type: their `Content-Type`; none without.
    package func send(
        _ method: HTTPRequest.Method,
        _ path: String,
        bytes: [UInt8],
        type: String?
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.contentType] = type
        headers[.internalIdentity] = identity.signed(method.rawValue, path, to: service)
        headers[.internalClient] = "203.0.113.7"
        let body = ByteBuffer(bytes: bytes)
        let response = try await client.execute(uri: path, method: method, headers: headers, body: body) { $0 }
        ExampleRecorder.record(identity.app, method, path, headers, body: nil, response)
        return response
    }
}

extension TestResponse {
    /// The body as text.
    package var text: String { String(buffer: body) }

    /// The body as a value.
    package func json<Value: Decodable>(_ type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(body.readableBytesView))
    }

    /// The keys of the body, which is an object.
    package func keys() throws -> Set<String> {
        struct Anything: Decodable { init(from decoder: any Decoder) {} }
        return Set(try json([String: Anything].self).keys)
    }
}
