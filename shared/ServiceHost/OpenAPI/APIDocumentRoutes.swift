import Hummingbird

/// `GET /internal/openapi.json`: the service's API document. The gateway serves those of all services as one.
struct APIDocumentRoutes {
    /// The embedded document, in the YAML that `YAML` reads.
    let yaml: [UInt8]

    func add(to group: RouterGroup<AppRequestContext>) {
        // Read when it is asked for: a gateway does so once.
        group.get("internal/openapi.json") { _, _ in
            var response = Response.text(try YAML.parse(String(decoding: yaml, as: UTF8.self)).json)
            response.headers[.contentType] = "application/json"
            return response
        }
    }
}
