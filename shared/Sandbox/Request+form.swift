import Hummingbird

extension Request {
    /// The fields of an `application/x-www-form-urlencoded` body; empty when it is none.
    func form(_ context: some RequestContext) async throws -> [String: String] {
        let body = try await body.collect(upTo: context.maxUploadSize)
        return (try? URLEncodedFormDecoder().decode([String: String].self, from: String(buffer: body))) ?? [:]
    }

    /// What follows a scheme in `Authorization`, as in `Bearer TOKEN`; nil with another scheme.
    func credentials(_ scheme: String) -> String? {
        guard let value = headers[.authorization], value.hasPrefix("\(scheme) ") else { return nil }
        return String(value.dropFirst(scheme.count + 1))
    }
}
