import Hummingbird

/// `GET /internal/openapi.json`: the service's API document. The gateway merges the documents of all services.
struct APIDocumentRoutes {
    /// The embedded document, in the subset of YAML that `YAML` reads.
    let yaml: [UInt8]

    func add(to group: RouterGroup<AppRequestContext>) {
        // Parsed on request, because a gateway fetches it rarely.
        group.get("internal/openapi.json") { _, _ in
            var response = Response.text(try YAML.parse(String(decoding: yaml, as: UTF8.self)).json)
            response.headers[.contentType] = "application/json"
            return response
        }
    }
}
