import Apps
package import FoundationEssentials
package import Hummingbird
import NIOCore

extension Request {
    /// Decodes the body.
    ///
    /// - Throws: `Problem` — `contentType` for a content type that is not JSON, `tooLarge` above the context's limit,
    ///   `malformed` for invalid JSON, `invalid` (naming the field) for JSON with a missing field or a field of another
    ///   type.
    package func json<Value: Decodable>(
        _ type: Value.Type = Value.self,
        _ context: some RequestContext
    ) async throws -> Value {
        try requireJSON()
        return try Self.json(type, from: await data(context))
    }

    /// Decodes an optional body; nil for an empty one.
    package func jsonIfAny<Value: Decodable>(
        _ type: Value.Type = Value.self,
        _ context: some RequestContext
    ) async throws -> Value? {
        let data = try await data(context)
        guard !data.isEmpty else { return nil }
        try requireJSON()
        return try Self.json(type, from: data)
    }

    /// Refuses a body of another type (RFC 9110 §15.5.16). A body without a content type is taken for JSON.
    private func requireJSON() throws {
        guard let type = headers[.contentType]?.split(separator: ";").first else { return }
        let name = type.filter { $0 != " " && $0 != "\t" }.lowercased()
        guard name != "application/json", !(name.hasPrefix("application/") && name.hasSuffix("+json")) else { return }
        throw Problem(.contentType, message: "The body must be JSON (application/json), not \(name.prefix(80)).")
    }

    /// The body's bytes.
    ///
    /// - Throws: `Problem` (`tooLarge`) above the context's limit.
    package func data(_ context: some RequestContext) async throws -> Data {
        do {
            return Data(try await body.collect(upTo: context.maxUploadSize).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Problem(.tooLarge, message: "The body is larger than \(context.maxUploadSize) bytes.")
        }
    }

    /// Decodes JSON that is not a request's whole body, such as a part of a form.
    ///
    /// - Throws: as for the body.
    package static func json<Value: Decodable>(_ type: Value.Type = Value.self, from data: Data) throws -> Value {
        do {
            return try JSONDecoder().decode(Value.self, from: data)
        } catch let error as DecodingError {
            throw Problem(decoding: error, isJSON: (try? JSONDecoder().decode(AnyJSON.self, from: data)) != nil)
        }
    }
}

/// Decodes any valid JSON, without its content.
private struct AnyJSON: Decodable {
    init(from decoder: any Decoder) {}
}

extension Problem {
    fileprivate init(decoding error: DecodingError, isJSON: Bool) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(.invalid, message: "\(Self.name(context.codingPath + [key])) is required.")
        case .valueNotFound(_, let context):
            self.init(.invalid, message: "\(Self.name(context.codingPath)) must not be null.")
        case .typeMismatch(let type, let context):
            self.init(.invalid, message: "\(Self.name(context.codingPath)) must be \(Self.noun(type)).")
        case .dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init(.invalid, message: "\(Self.name(context.codingPath)) has a value that is not known.")
        case .dataCorrupted where isJSON:
            self.init(.invalid, message: "The body has a number that is not whole, or too large.")
        default:
            self.init(.malformed, message: "The body is not valid JSON.")
        }
    }

    private static func name(_ path: [any CodingKey]) -> String {
        let name = path.reduce(into: "") { name, key in
            if let index = key.intValue {
                name += "[\(index)]"
            } else {
                name += name.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
        return name.isEmpty ? "The body" : name
    }

    private static func noun(_ type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        case is any FixedWidthInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is [Any].Type: "an array"
        default: "an object"
        }
    }
}
