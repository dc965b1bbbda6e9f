import Contracts
import Hummingbird
import ServiceKit

/// The saved riding status (SeatCatcher contract 1.6, calls 8 to 10).
struct RidingStatusRoutes {
    let statuses: RidingStatuses

    struct StatusBody: Codable {
        var trainCode: String?
        var carCode: String?
        var seatSection: String?
        var seatIdRequested: SeatID?

        /// Encodes `null` for unknown fields.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(trainCode, forKey: .trainCode)
            try container.encode(carCode, forKey: .carCode)
            try container.encode(seatSection, forKey: .seatSection)
            try container.encode(seatIdRequested, forKey: .seatIdRequested)
        }
    }

    /// `GET /user/status` → 200; 404 when none is saved.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let status = try await statuses.status(of: context.account)
        return try .json(
            StatusBody(
                trainCode: status.trainCode,
                carCode: status.carCode,
                seatSection: status.seatSection,
                seatIdRequested: status.seatIDRequested
            )
        )
    }

    /// `POST /user/status` → 201 with an empty body; replaces the whole status.
    func replace(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await statuses.replace(status(in: request, context), of: context.account)
        return .empty(.created)
    }

    /// `PATCH /user/status` → 200 with an empty body; null and absent fields are unchanged; 404 when none is saved.
    func update(_ request: Request, _ context: SignedInContext) async throws -> Response {
        try await statuses.update(status(in: request, context), of: context.account)
        return .empty(.ok)
    }

    private func status(in request: Request, _ context: SignedInContext) async throws -> RidingStatus {
        let body = try await request.json(StatusBody.self, context)
        return try RidingStatus(
            trainCode: body.trainCode,
            carCode: body.carCode,
            seatSection: body.seatSection,
            seatIDRequested: body.seatIdRequested
        )
    }
}
