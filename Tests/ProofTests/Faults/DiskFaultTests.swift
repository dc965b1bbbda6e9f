import FoundationEssentials
import Glibc
import StackKit
import Testing

@testable import Proof

@Suite struct DiskFaultTests {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "proof-disk-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    @Test func diskThatHasOtherThings_isNotFilled() async throws {
        try await withFolder { path in
            #expect(throws: FaultNotApplied("\(path) is no volume of its own, and no other one is filled.")) {
                try DiskFaults(folder: path).fill()
            }
            #expect(throws: FaultNotApplied.self) { try DiskFaults(folder: "\(path)/missing").fill() }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "mounting needs root")) func smallVolume_isFilled_andFreed() async throws {
        try await withFolder { path in
            let volume = SmallVolume(path: path)
            // A container may not permit it.
            guard (try? await volume.mount(size: 4 << 20)) != nil else { return }
            do {
                let file = "\(path)/file"
                let action = try DiskFaults(folder: path).fill()
                #expect(try await action.begin().hasSuffix("MB were taken."))
                #expect(throws: (any Error).self) {
                    try Data(repeating: 1, count: 100_000).write(to: URL(filePath: file))
                }
                try await action.end()
                try Data(repeating: 1, count: 100_000).write(to: URL(filePath: file))
            } catch {
                try? await volume.unmount()
                throw error
            }
            try await volume.unmount()
        }
    }
}
