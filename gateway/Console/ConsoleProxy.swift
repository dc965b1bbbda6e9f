import AsyncHTTPClient
import Authentication
import Contracts
import FoundationEssentials
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import ServiceKit

/// Passes requests of the admin port below `/console` on to the console, in the gateway's name.
struct ConsoleProxy: Sendable {
    private let addresses: [String]
    private let key: CallKey

    private static let http: HTTPClient = {
        var configuration = InternalClient.connections
        // The console's redirections are for the browser.
        configuration.redirectConfiguration = .disallow
        // Each open page that follows what happens holds one.
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 256
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()
    private static let root = "/console"
    private static let largestBody = 64 << 10
    /// Until the head of the response.
    private static let timeout = TimeAmount.seconds(20)
    private static let passedFields = ["cookie", "accept-language", "content-type", "sec-fetch-site"]
    private static let returnedFields = [
        "content-type", "cache-control", "content-security-policy", "location", "referrer-policy", "set-cookie",
        "x-content-type-options",
    ]

    init(_ settings: ConsoleSettings) {
        addresses = settings.urls
        key = settings.keys.key(to: .console)
    }

    func respond(to request: Request) async throws -> Response {
        guard let path = Self.path(request.uri) else { return Response(status: .notFound) }
        let body = try await request.body.collect(upTo: Self.largestBody)
        for address in addresses {
            do {
                return try await send(request, to: address, path, body)
            } catch {
                Logger.current.warning("console: no answer", error: error, metadata: ["address": "\(address)"])
            }
        }
        return Self.away(addresses)
    }

    /// The console's path and query; nil for a path that is none of its pages, such as one that leads out of them.
    private static func path(_ uri: URI) -> String? {
        let rest = uri.path.dropFirst(root.count)
        let isPlain = rest.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"), UInt8(ascii: "."):
                true
            default: false
            }
        }
        guard isPlain, !rest.contains("..") else { return nil }
        let query = uri.query ?? ""
        return ConsoleAPI.pagesPath + rest + (query.isEmpty ? "" : "?\(query)")
    }

    private func send(_ request: Request, to address: String, _ path: String, _ body: ByteBuffer) async throws
        -> Response
    {
        var call = HTTPClientRequest(url: address + path)
        call.method = HTTPMethod(rawValue: request.method.rawValue)
        let now = Int64(Date.now.timeIntervalSince1970)
        let identity = InternalIdentity(caller: .gateway).signed(request.method.rawValue, path, with: key, now: now)
        call.headers.add(name: InternalIdentity.header, value: identity)
        for name in Self.passedFields {
            if let field = HTTPField.Name(name), let value = request.headers[field] {
                call.headers.add(name: name, value: value)
            }
        }
        if body.readableBytes > 0 { call.body = .bytes(body) }
        let response = try await Self.http.execute(call, timeout: Self.timeout)
        var fields: HTTPFields = [:]
        for name in Self.returnedFields {
            if let field = HTTPField.Name(name), let value = response.headers.first(name: name) {
                fields[field] = value
            }
        }
        return Response(
            status: .init(code: Int(response.status.code)),
            headers: fields,
            body: ResponseBody(asyncSequence: response.body)
        )
    }

    private static func away(_ addresses: [String]) -> Response {
        let text =
            "The console does not answer at \(addresses.joined(separator: ", ")); `stack status` shows what runs.\n"
        return Response(
            status: .serviceUnavailable,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store", .retryAfter: "5"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
