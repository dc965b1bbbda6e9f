import FoundationEssentials
import JWTKit
import Testing

@testable import Sandbox

/// A server that sends messages by FCM: its service account's key, and an access token.
struct FCMSender: Sendable {
    let sandbox: SandboxClient
    let token: String
    let project: String

    init(at sandbox: SandboxClient = .current, _ project: String = "moup") async throws {
        self.sandbox = sandbox
        self.project = project
        token = try await FCMServiceKey(of: project, at: sandbox).accessToken()
    }

    /// Sends a body, with another token or to another project when they are given.
    func send(_ json: String, token: String? = nil, project: String? = nil) async throws -> FCMReply {
        let path = "/fcm/v1/projects/\(project ?? self.project)/messages:send"
        return FCMReply(try await sandbox.post(path, json: json, authorization: "Bearer \(token ?? self.token)"))
    }

    /// Sends a short message to a device.
    func notify(_ token: String, _ body: String = "hi", apns: String = "{}") async throws -> FCMReply {
        let notification = #"{"title": "Kim", "body": "\#(body)"}"#
        return try await send(
            #"{"message": {"token": "\#(token)", "notification": \#(notification), "apns": \#(apns)}}"#
        )
    }

    /// Sets FCM's response for a device token.
    func answer(_ json: String, for token: String) async throws {
        let reply = try await sandbox.post("/_control/push/tokens/\(token)", json: json)
        #expect(reply.status == 204)
    }

    /// The messages of devices, newest first.
    func messages(_ query: String = "") async throws -> [FCMRecord] {
        let reply = try await sandbox.get("/_control/push\(query)")
        #expect(reply.status == 200)
        return try JSONDecoder().decode(FCMRecord.List.self, from: Data(reply.text.utf8)).messages
    }
}

/// A message from the control route.
struct FCMRecord: Decodable, Sendable {
    var id: String
    var project: String
    var token: String?
    var topic: String?
    var condition: String?
    var title: String?
    var subtitle: String?
    var body: String?
    var data: [String: String]
    var apns: APNS
    var apnsID: String?
    var at: String
    var answered: Bool

    enum CodingKeys: String, CodingKey {
        case id, project, token, topic, condition, title, subtitle, body, data, apns, at, answered
        case apnsID = "apns_id"
    }

    struct List: Decodable {
        var messages: [FCMRecord]
    }

    struct APNS: Decodable {
        var headers: [String: String]
        var payload: Payload?
    }

    struct Payload: Decodable {
        var roomID: String?
        var aps: APS?

        enum CodingKeys: String, CodingKey {
            case aps
            case roomID = "room_id"
        }
    }

    struct APS: Decodable {
        var badge: Int?
        var volume: Double?
    }
}
