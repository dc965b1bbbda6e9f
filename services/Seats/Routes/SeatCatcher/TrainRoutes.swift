import Apps
import Hummingbird
import NIOCore
import ServiceKit

/// The seats of a car (SeatCatcher contract 1.6, call 15).
struct TrainRoutes {
    let cars: Cars
    let aliases: TrainAliases

    /// `GET /trains?trainCode=&carCode=` → 200 with the five seat groups; 400 for invalid codes.
    func show(_ request: Request, _ context: SignedInContext) async throws -> Response {
        let train = try await aliases.train(parsing: request.query("trainCode") ?? "")
        let car = try CarAddress(train: train, code: request.query("carCode") ?? "")
        let map = try await cars.look(at: car, as: context.account)
        return Response(
            status: .ok,
            headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: SeatMapText(map).text))
        )
    }
}
