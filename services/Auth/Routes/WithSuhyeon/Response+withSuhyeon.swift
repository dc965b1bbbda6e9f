import AppWire
import Hummingbird
import ServiceHost

extension Response {
    /// With Suhyeon's 200 with a payload.
    static func withSuhyeon(_ result: some Encodable) throws -> Response {
        try .json(WithSuhyeonSuccess(result))
    }

    /// With Suhyeon's 200 without one.
    static func withSuhyeon() throws -> Response {
        try .json(WithSuhyeonSuccess<Never>(nil))
    }
}
