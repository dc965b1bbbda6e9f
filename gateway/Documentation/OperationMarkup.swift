import Contracts

/// The part of an app's page about one operation.
struct OperationMarkup {
    let operation: APIOperation
    let components: Components
    let example: Example?
    /// Whether the page can send the call.
    let canTry: Bool

    var html: HTML {
        let call = canTry ? JSONMarkup.text(TryItCall(operation, components, example)) : nil
        let data: HTML? = call.map { " data-call=\"\($0)\"" }
        return """
            <article class="operation" id="\(operation.name)"\(data)>
            <div class="about">
            <h3><a href="#\(operation.name)">\(operation.title)</a></h3>
            <p class="address"><span class="method \(operation.method.lowercased())">\(operation.method)</span> \
            <code>\(Self.breakable(operation.path))</code></p>
            \(paragraph(operation.details["summary"]))\(paragraph(operation.details["description"]))
            \(access)\(parameters)\(requestBody)\(responses)
            </div>
            <div class="sample">\(sample)</div>
            </article>

            """
    }

    /// A path that may be broken behind each slash.
    static func breakable(_ path: String) -> HTML {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map { "\($0)" as HTML }
        return parts.dropFirst().reduce(parts[0]) { "\($0)/<wbr>\($1)" }
    }

    private func paragraph(_ value: JSONValue?) -> HTML? {
        value?.text.map { "<p>\($0)</p>" }
    }

    // MARK: What it takes

    private var access: HTML {
        let choices = operation.details["security"]?.elements ?? []
        guard !choices.isEmpty else { return "<p class=\"access\">Needs no sign-in.</p>" }
        let texts = choices.map { choice in
            let fields = choice.members.keys.sorted().map { field($0) }
            return fields.isEmpty ? "nothing" : fields.joined(separator: " and ")
        }
        return "<p class=\"access\">Sends \(texts.joined(separator: ", or "))</p>"
    }

    /// The field of a security scheme.
    private func field(_ scheme: String) -> String {
        let scheme = components.document["components"]?["securitySchemes"]?[scheme] ?? .null
        guard scheme["type"]?.text != "http" else { return "Authorization: Bearer" }
        let name = scheme["name"]?.text ?? "credentials"
        return scheme["in"]?.text == "cookie" ? "the cookie \(name)" : name
    }

    private var parameters: HTML? {
        let rows = operation.parameters.map(components.resolved).map { parameter in
            let schema = parameter["schema"] ?? .null
            let reader = SchemaRows(components: components)
            return SchemaRows.Row(
                name: parameter["name"]?.text ?? "",
                type: "\(reader.type(schema)), \(parameter["in"]?.text ?? "")",
                isRequired: parameter["required"] == .bool(true),
                notes: [parameter["description"]?.text].compactMap(\.self) + reader.notes(schema),
                depth: 0
            )
        }
        return rows.isEmpty ? nil : "<h4>Parameters</h4>\(SchemaTable.html(rows))"
    }

    private var requestBody: HTML? {
        operation.details["requestBody"].map { reference in
            let body = components.resolved(reference)
            let parts = Components.contents(body).map { type, schema in
                SchemaTable(components: components).html(schema, media: type)
            }
            return "<h4>Body</h4>\(paragraph(body["description"]))\(parts)"
        }
    }

    // MARK: What it returns

    private var responses: HTML {
        let all = operation.responses.map { (status: $0.status, response: components.resolved($0.response)) }
        let good = all.filter { $0.status.hasPrefix("2") || $0.status.hasPrefix("3") }
        let bad = all.filter { !$0.status.hasPrefix("2") && !$0.status.hasPrefix("3") }
        let errors = bad.map { status, response in
            let name = Components.contents(response).first.flatMap { Components.name($0.schema) }
            let link: HTML? = name.map { " <a href=\"#schema-\($0)\">\($0)</a>" }
            return "<li><b class=\"status bad\">\(status)</b> \(response["description"]?.text ?? "")\(link)</li>"
                as HTML
        }
        let list: HTML? = errors.isEmpty ? nil : "<h4>Errors</h4><ul class=\"errors\">\(errors)</ul>"
        return "<h4>Response</h4>\(good.map(success))\(list)"
    }

    private func success(_ status: String, _ response: JSONValue) -> HTML {
        let parts = Components.contents(response).map { type, schema in
            SchemaTable(components: components).html(schema, media: type)
        }
        let headers = (response["headers"]?.members ?? [:]).sorted { $0.key < $1.key }.map { name, header in
            let header = components.resolved(header)
            return "<li><code>\(name)</code> \(header["description"]?.text ?? "")</li>" as HTML
        }
        let list: HTML? = headers.isEmpty ? nil : "<p class=\"type\">Headers</p><ul class=\"errors\">\(headers)</ul>"
        return """
            <p><b class="status good">\(status)</b> \(response["description"]?.text ?? "")</p>\(parts)\(list)
            """
    }

    // MARK: The example

    private var sample: HTML {
        guard let example else { return "<p class=\"none\">No test has recorded an example of this call.</p>" }
        let request = example.request
        let fields = (request.headers ?? [:]).sorted { $0.key < $1.key }.map { "\n\($0.key): \($0.value)" as HTML }
        let type: HTML? = request.type.map { "\nContent-Type: \($0)" }
        let body: HTML? = request.body.map { "\n\n\(JSONMarkup.html($0))" }
        let answer: HTML? = example.response.body.map { JSONMarkup.html($0) }
        let answerType: HTML? = example.response.type.map { "<span class=\"n\">\($0)</span>" }
        let content = answer ?? answerType ?? "<span class=\"n\">no content</span>"
        return """
            <h4>Example</h4>
            <pre class="code" tabindex="0" aria-label="Request"><span class="method \(operation.method.lowercased())">\
            \(operation.method)</span> \(request.path)\(fields)\(type)\(body)</pre>
            <pre class="code" tabindex="0" aria-label="Response"><b class="status good">\(example.response.status)</b>
            \(content)</pre>
            """
    }
}
