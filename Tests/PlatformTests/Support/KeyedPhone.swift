import Contracts
import FoundationEssentials
import NIOHTTP1
import Postgres
import TestKit
import Testing

@testable import Gateway

/// A client of an app with a `SeSACKey`, signed in as a user who has just joined.
struct KeyedPhone: Sendable {
    let platform: Platform
    /// The app's key.
    let key: String
    /// The user id of the app's contract.
    let id: String
    let token: String

    private struct Login: Decodable {
        var id: String
        var accessToken: String

        enum CodingKeys: String, CodingKey {
            case id = "user_id"
            case accessToken
        }
    }

    /// - Parameter device: the FCM token; nil for an app that does not send it when it signs in.
    init(_ platform: Platform, _ app: App, _ email: String, nick: String, device: String? = nil) async throws {
        let body = Self.credentials(email, nick: nick, device: device)
        let joined = try await platform.send(.POST, "/v1/users/join", key: "\(app.rawValue)-dev-key", json: body)
        try #require(joined.status == 200, "\(joined.body)")
        try await self.init(platform, app, signingIn: email, device: device)
    }

    /// Another client of a user who has joined.
    ///
    /// - Parameters:
    ///   - device: the FCM token; nil for an app that does not send it when it signs in.
    ///   - userAgent: the `User-Agent` header; nil for none.
    init(
        _ platform: Platform,
        _ app: App,
        signingIn email: String,
        device: String? = nil,
        from userAgent: String? = nil
    ) async throws {
        self.platform = platform
        key = "\(app.rawValue)-dev-key"
        let headers = userAgent.map { ["user-agent": $0] } ?? [:]
        let body = Self.credentials(email, device: device)
        let login = try await platform.send(.POST, "/v1/users/login", key: key, headers: headers, json: body)
            .value(Login.self)
        (id, token) = (login.id, login.accessToken)
    }

    private static func credentials(_ email: String, nick: String? = nil, device: String?) -> String {
        var members = ["email": email, "password": "abcd123!"]
        (members["nick"], members["deviceToken"]) = (nick, device)
        return JSONValue.object(members.mapValues(JSONValue.string)).json
    }

    /// The account id, which the client never sees.
    var account: AccountID {
        get async throws {
            try await platform.authDatabase.client.one("SELECT id FROM accounts WHERE public_id = \(id)") {
                try $0.decode(AccountID.self)
            }
        }
    }

    /// Sends a request, and requires the given response.
    ///
    /// - Parameters:
    ///   - status: an error response must also have the shape of one.
    ///   - shape: of the body; nil for an empty one.
    /// - Returns: the body; null for an empty one.
    @discardableResult
    func ask(
        _ method: HTTPMethod,
        _ path: String,
        _ json: String? = nil,
        _ status: Int = 200,
        _ shape: JSONShape? = nil,
        headers: [String: String] = [:],
        at location: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        let answer = try await platform.send(method, path, key: key, token: token, headers: headers, json: json)
        #expect(answer.status == status, "\(method) \(path): \(answer.body)", sourceLocation: location)
        guard let shape = shape ?? (status >= 400 ? .refusal : nil) else {
            #expect(answer.body == "", "\(method) \(path)", sourceLocation: location)
            return .null
        }
        let value = try answer.value(JSONValue.self)
        #expect(shape.faults(in: value) == [], "\(method) \(path): \(answer.body)", sourceLocation: location)
        return value
    }

    /// Uploads files for posts; returns their paths.
    func upload(_ files: [[UInt8]]) async throws -> [String] {
        let form = files.enumerated().reduce(MultipartForm()) { form, file in
            form.file("files", file.element, filename: "files\(file.offset).jpg")
        }
        let answer = try await platform.send(.POST, "/v1/posts/files", key: key, token: token, form: form)
        try #require(answer.status == 200, "\(answer.body)")
        let value = try answer.value(JSONValue.self)
        #expect(JSONShape.files.faults(in: value) == [])
        return value["files"]?.values.compactMap(\.text) ?? []
    }

    /// The file at a path as the client requests it, with its token or without.
    func file(_ path: String, isSignedIn: Bool = true, headers: [String: String] = [:]) async throws -> Wire.Answer {
        try await platform.send(.GET, path, key: key, token: isSignedIn ? token : nil, headers: headers)
    }

    /// Reads a list of posts to its end.
    ///
    /// - Parameters:
    ///   - path: with a query, to which the client adds the cursor.
    ///   - size: posts of a page.
    /// - Returns: their ids.
    func pages(
        _ path: String,
        of size: Int,
        _ shape: JSONShape,
        at location: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        var (ids, next) = ([String](), "")
        repeat {
            let page = try await ask(.GET, "\(path)&limit=\(size)&next=\(next)", nil, 200, shape, at: location)
            let found = page.texts("post_id")
            next = page["next_cursor"]?.text ?? ""
            #expect(found.count == size || next == "0", sourceLocation: location)
            ids += found
        } while next != "0" && next != ""
        #expect(next == "0", sourceLocation: location)
        return ids
    }
}

extension String {
    /// Percent-encoded for a query or a path, byte for byte.
    var encoded: String { utf8.map { "%" + String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined() }
}
