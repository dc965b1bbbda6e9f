import Apps
import Contracts
import HTTPTypes
import Hummingbird
import ServiceKit

/// Single listings (Anlaka contract 2.2, calls 15 and 23; 7, detail batch).
struct ListingRoutes {
    let listings: Listings

    struct BatchRequest: Decodable {
        var estateIDs: [String]

        enum CodingKeys: String, CodingKey {
            case estateIDs = "estate_ids"
        }
    }

    struct BatchResponse: Encodable {
        var data: [EstateDetail]
    }

    /// `POST /v1/estates` → 200 with the listing. Idempotent with an `Idempotency-Key`.
    func create(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let body = try await request.json(EstateRequest.self, context)
        let draft = try body.draft(reference: request.idempotencyKey)
        return try .json(EstateDetail(await listings.create(draft, by: context.account)))
    }

    /// `GET /v1/estates/{estate_id}` → 200; 404 for an unknown or invalid ID.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let id = try PublicID(parsing: context.parameters.require("estateId"), else: EstateError.listingNotFound)
        return try .json(EstateDetail(await listings.listing(id, for: context.account)))
    }

    /// `POST /v1/estates/batch` `{estate_ids}` → 200 with the details of existing listings, in the same order; 400 for
    /// more than 100 IDs.
    func batch(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let ids = try await request.json(BatchRequest.self, context).estateIDs
        guard ids.count <= Listings.batchLimit else {
            throw Problem(.malformed, message: "estate_ids must have \(Listings.batchLimit) entries or fewer.")
        }
        let found = try await listings.listings(ids.compactMap(PublicID.init(rawValue:)), for: context.account)
        return try .json(BatchResponse(data: found.map(EstateDetail.init)))
    }
}
