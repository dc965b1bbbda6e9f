import AppWire
package import Hummingbird

extension Request {
    /// A query value, percent-decoded; nil when it is not there.
    package func query(_ name: String) -> String? {
        uri.queryParameters[Substring(name)].map(String.init)
    }

    /// A whole number from the query; nil when it is not there.
    ///
    /// - Throws: `Problem` (`badParameter`) when it is there and is not a whole number.
    package func intQuery(_ name: String) throws -> Int64? {
        guard let text = query(name) else { return nil }
        guard let value = Int64(text) else {
            throw Problem(.badParameter, message: "\(name) must be a whole number.")
        }
        return value
    }

    /// A truth value from the query: `true`, `false`, `1` or `0`, as the apps' libraries write it; nil when it is not there.
    ///
    /// - Throws: `Problem` (`badParameter`) for anything else.
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
    /// A path parameter that is a 64-bit id, greater than zero; nil when it is anything else.
    package func id(_ name: String) -> Int64? {
        parameters.get(name, as: Int64.self).flatMap { $0 > 0 ? $0 : nil }
    }
}
