import Apps
package import Hummingbird

extension Response {
    /// With Suhyeon's 200 response with a payload.
    package static func withSuhyeon(_ result: some Encodable) throws -> Response {
        try .json(WithSuhyeonSuccess(result))
    }

    /// With Suhyeon's 200 response without a payload.
    package static func withSuhyeon() throws -> Response {
        try .json(WithSuhyeonSuccess<Never>(nil))
    }
}
