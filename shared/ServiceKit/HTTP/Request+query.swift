import Apps
package import Contracts
package import Hummingbird

extension Request {
    /// A percent-decoded query value; nil if it is missing.
    package func query(_ name: String) -> String? {
        uri.queryParameters[Substring(name)].map(String.init)
    }

    /// An integer from the query; nil if it is missing.
    ///
    /// - Throws: `Problem` (`badParameter`) if the value is not an integer.
    package func intQuery(_ name: String) throws -> Int64? {
        guard let text = query(name) else { return nil }
        guard let value = Int64(text) else {
            throw Problem(.badParameter, message: "\(name) must be a whole number.")
        }
        return value
    }

    /// A boolean from the query: `true`, `false`, `1` or `0`, the forms that the apps' libraries use; nil if it is
    /// missing.
    ///
    /// - Throws: `Problem` (`badParameter`) for any other value.
    package func boolQuery(_ name: String) throws -> Bool? {
        switch query(name) {
        case nil: nil
        case "true", "1": true
        case "false", "0": false
        default: throw Problem(.badParameter, message: "\(name) must be true or false.")
        }
    }
}

extension RequestContext {
    /// A path parameter that is a 64-bit id above 0; nil for any other value.
    package func id<ID: Identifier>(_ name: String, as type: ID.Type = ID.self) -> ID? {
        id(name).map(ID.init(rawValue:))
    }

    /// A whole number above 0 from the path; nil for anything else.
    package func id(_ name: String) -> Int64? {
        parameters.get(name, as: Int64.self).flatMap { $0 > 0 ? $0 : nil }
    }
}
