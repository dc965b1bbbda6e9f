import Hummingbird

/// `GET /internal/openapi.json`: the service's API document. The gateway serves those of all services as one.
struct APIDocumentRoutes {
    let json: String

    /// - Throws: `YAMLError` when the embedded document is not the YAML that `YAML` reads.
    init(yaml: [UInt8]) throws {
        self.json = try YAML.parse(String(decoding: yaml, as: UTF8.self)).json
    }

    func add(to group: RouterGroup<AppRequestContext>) {
        group.get("internal/openapi.json") { _, _ in
            var response = Response.text(json)
            response.headers[.contentType] = "application/json"
            return response
        }
    }
}
