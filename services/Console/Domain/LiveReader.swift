import Contracts
import ServiceKit

/// What is in the apps now, as their services know it.
struct LiveReader: Sendable {
    let clients: [ServiceName: InternalClient]

    /// What a service answers.
    enum Answer<Value: Sendable>: Sendable {
        case found(Value)
        /// The service knows nothing of the kind.
        case missing
        /// The service does not answer, or the console was not given its address.
        case silent(ServiceName)
    }

    /// The cars with the most passengers.
    func trains() async -> Answer<OperatorsAPI.Trains> { await get(OperatorsAPI.Trains.path, from: .seats) }

    /// - Parameters:
    ///   - train: A text that `isCode` accepts, as all others.
    ///   - code: The digits on the car's door.
    func car(_ code: String, of train: String) async -> Answer<OperatorsAPI.Car> {
        await get(OperatorsAPI.Car.path(train: train, car: code), from: .seats)
    }

    /// The rooms in which messages were written lately.
    func rooms() async -> Answer<OperatorsAPI.Rooms> { await get(OperatorsAPI.Rooms.path, from: .chat) }

    /// - Parameter id: The room's number, its public id or a member's id of it.
    func room(_ id: String) async -> Answer<OperatorsAPI.Room> { await get(OperatorsAPI.Room.path(id), from: .chat) }

    /// The listings of Anlaka in an area.
    func map(_ area: MapArea) async -> Answer<OperatorsAPI.Map> {
        await get(OperatorsAPI.Map.path(bbox: area.text, zoom: area.zoom), from: .estate)
    }

    /// Whether a text may be an id or a code in the address of a call: ASCII letters, digits and hyphens.
    static func isCode(_ text: String) -> Bool {
        (1...24).contains(text.utf8.count)
            && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
    }

    private func get<Value: Decodable & Sendable>(_ path: String, from service: ServiceName) async -> Answer<Value> {
        guard let client = clients[service] else { return .silent(service) }
        do {
            return .found(try await client.get(path, as: Value.self, deadline: .seconds(2)))
        } catch InternalCallError.refused(_, let status) where [400, 404].contains(status) {
            return .missing
        } catch {
            return .silent(service)
        }
    }
}
