import AppClients
import Apps
import TestKit
import Testing

extension SeSACClient {
    /// Turns pushes of a kind on or off.
    func prefer(_ kind: String, _ isPushed: Bool, at location: SourceLocation = #_sourceLocation) async throws {
        let body: RequestBody = ["preferences": [["kind": "\(kind)", "isPushed": .bool(isPushed)]]]
        let kinds = JSONShape.list(.object(["kind": .text, "isPushed": .flag]))
        try await send(\.updatePreferences, body: body).shaped(.object(["preferences": kinds]), at: location)
    }

    /// Uploads files for posts; returns their paths.
    func upload(_ files: [[UInt8]]) async throws -> [String] {
        let form = files.enumerated().reduce(MultipartForm()) { form, file in
            form.file("files", file.element, filename: "files\(file.offset).jpg")
        }
        let value = try await send(\.uploadPostFiles, body: .form(form)).expect().shaped(.files)
        return value["files"]?.elements.compactMap(\.string) ?? []
    }

    /// Reads a list of posts to its end.
    ///
    /// - Parameters:
    ///   - query: to which the client adds the size and the cursor.
    ///   - size: posts of a page.
    /// - Returns: their ids.
    func pages(
        _ call: KeyPath<Calls, Operation>,
        _ parameters: String...,
        query: String,
        of size: Int,
        _ shape: JSONShape,
        at location: SourceLocation = #_sourceLocation
    ) async throws -> [String] {
        let operation = Calls()[keyPath: call]
        let path = "\(operation.path(with: parameters))?\(query)"
        var (ids, next) = ([String](), "")
        repeat {
            let page = try await send(operation.method, "\(path)&limit=\(size)&next=\(next)").shaped(
                shape,
                at: location
            )
            let found = page.texts("post_id")
            next = page["next_cursor"]?.string ?? ""
            #expect(found.count == size || next == "0", sourceLocation: location)
            ids += found
        } while next != "0" && next != ""
        #expect(next == "0", sourceLocation: location)
        return ids
    }
}
