import Apps
import Contracts
import Hummingbird
import ServiceKit

/// Pushes with texts of the client (Anlaka contract 2.4, calls 33 and 34). Requests are validated and acknowledged, but
/// nothing is sent: the server sends pushes itself, and a client must not choose their texts (contract 7, Push).
struct FreePushRoutes {
    struct PushRequest: Decodable {
        var userID: String
        var words: Words

        enum CodingKeys: String, CodingKey {
            case userID = "user_id"
        }

        init(from decoder: any Decoder) throws {
            userID = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .userID)
            words = try Words(from: decoder)
        }
    }

    struct GroupRequest: Decodable {
        var userIDs: [String]
        var words: Words

        enum CodingKeys: String, CodingKey {
            case userIDs = "user_ids"
        }

        init(from decoder: any Decoder) throws {
            userIDs = try decoder.container(keyedBy: CodingKeys.self).decode([String].self, forKey: .userIDs)
            words = try Words(from: decoder)
        }
    }

    struct Words: Decodable {
        var title: String
        var subtitle: String?
        var body: String
    }

    struct EmptyResponse: Encodable {}

    /// `POST /v1/notifications/push` `{user_id, title, subtitle?, body}` → 200 `{}`.
    func one(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(PushRequest.self, context)
        return try answer(to: [body.userID], "user_id")
    }

    /// `POST /v1/notifications/push/group` `{user_ids, title, subtitle?, body}` → 200 `{}`.
    func group(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(GroupRequest.self, context)
        return try answer(to: body.userIDs, "user_ids")
    }

    private func answer(to users: [String], _ field: String) throws -> Response {
        guard users.allSatisfy({ PublicID(rawValue: $0) != nil }) else {
            throw Problem(.invalid, message: "\(field) must be of 24 hexadecimal digits.")
        }
        return try .json(EmptyResponse())
    }
}
