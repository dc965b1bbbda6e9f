/// A schema as a table of its members.
struct SchemaTable {
    let components: Components

    /// - Parameter media: The media type of a body with the schema.
    func html(_ schema: JSONValue, media: String) -> HTML {
        let reader = SchemaRows(components: components)
        let rows = reader.rows(schema)
        let type = reader.type(schema)
        let notes = rows.isEmpty ? reader.notes(schema) : []
        let head: HTML = "<p class=\"type\">\(media) \(type)</p>\(notes.map { "<p class=\"whole\">\($0)</p>" as HTML })"
        return "\(head)\(rows.isEmpty ? nil : Self.html(rows))"
    }

    static func html(_ rows: [SchemaRows.Row]) -> HTML {
        let lines = rows.map { row in
            let mark: HTML? = row.isRequired ? " <span class=\"required\">required</span>" : nil
            return """
                <tr class="depth\(row.depth)"><th scope="row"><code>\(row.name)</code></th><td>\
                <span class="kind">\(row.type)</span>\(mark)\(row.notes.map { "<p>\($0)</p>" as HTML })</td></tr>

                """ as HTML
        }
        return "<table class=\"members\"><tbody>\(lines)</tbody></table>"
    }
}
