import FoundationEssentials

/// Runs `body` with a new folder, which is removed afterwards.
package func withTemporaryFolder<Value>(_ body: (_ path: String) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appending(path: "tests-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return try await body(folder)
}
