import Contracts
import Hummingbird
import ServiceKit

/// The console's reads of trains and their seats.
struct OperatorRoutes {
    let cars: CarLookup

    /// `GET /internal/operators/trains` → 200, maybe with none.
    func trains(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        try .json(OperatorsAPI.Trains(cars: await cars.taken()))
    }

    /// `GET /internal/operators/cars?train=&car=` → 200; 400 for invalid codes, 404 for a car of an unknown train.
    func car(_ request: Request, _ context: AppRequestContext) async throws -> Response {
        let address = try CarAddress(train: request.query("train") ?? "", code: request.query("car") ?? "")
        return try .json(await cars.car(address))
    }
}
