import Hummingbird

extension Request {
    /// The fields of an `application/x-www-form-urlencoded` body; empty if it is not one.
    func form(_ context: some RequestContext) async throws -> [String: String] {
        let body = try await body.collect(upTo: context.maxUploadSize)
        return (try? URLEncodedFormDecoder().decode([String: String].self, from: String(buffer: body))) ?? [:]
    }

    /// The credentials after a scheme in `Authorization`, as in `Bearer TOKEN`; nil for another scheme.
    func credentials(_ scheme: String) -> String? {
        guard let value = headers[.authorization], value.hasPrefix("\(scheme) ") else { return nil }
        return String(value.dropFirst(scheme.count + 1))
    }
}
