import Apps
package import Contracts
package import Hummingbird

extension RequestContext {
    /// An id in a MOUP path.
    ///
    /// - Throws: `Problem` — `ARGUMENT_400` for a value that is not a number, `VARIABLE_400` for a number that is not
    ///   above 0 (MOUP contract 1.1).
    package func pathID<ID: Identifier>(_ name: String, as type: ID.Type = ID.self) throws -> ID {
        guard let number = parameters.get(name, as: Int64.self) else {
            throw Problem(.badParameter, message: "\(name) must be a whole number.")
        }
        guard number > 0 else {
            throw Problem(.badParameter, code: "VARIABLE_400", message: "\(name) must be above 0.")
        }
        return ID(rawValue: number)
    }
}
