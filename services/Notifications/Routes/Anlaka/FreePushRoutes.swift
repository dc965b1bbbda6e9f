import AppWire
import Contracts
import Hummingbird
import ServiceHost

/// Pushes of a client's own words to others (Anlaka contract 2.4, calls 33 and 34). They are checked and answered, and nothing is
/// sent: the server tells people by itself, and no client may put words onto somebody's phone (contract 7, Push).
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
        guard users.allSatisfy(PublicID.isOne) else {
            throw Problem(.invalid, message: "\(field) must be of 24 hexadecimal digits.")
        }
        return try .json(EmptyResponse())
    }
}
