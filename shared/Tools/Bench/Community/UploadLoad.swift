import AppClients
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import StackKit

/// Concurrent uploads of videos, and their memory use in the gateway and the service.
struct UploadLoad: Sendable {
    let fixture: GatewayFixture
    let token: String

    private static let phones = 32
    /// The sizes of files in bytes: a small one, and the largest allowed.
    private static let sizes = (small: 320 * 1024, large: 5 * 1024 * 1024)

    func run(_ bench: BenchContext) async throws -> [BenchResult] {
        bench.report("\(Self.phones) phones upload at the same time")
        // Allocates the memory that all uploads share.
        _ = try await growth(Self.sizes.small)
        let small = try await growth(Self.sizes.small)
        let large = try await growth(Self.sizes.large)
        return [
            BenchResult(
                name: "memory that \(Self.phones) uploads of 320 KiB take, gateway and service",
                unit: "MB",
                ours: small
            ),
            BenchResult(
                name: "the same of 5 MiB, 160 MiB in all",
                unit: "MB",
                ours: large,
                goal: .atMost(40)
            ),
        ]
    }

    /// The peak increase of memory.
    private func growth(_ size: Int) async throws -> Double {
        let programs = ["gateway", "community"].compactMap(ProcessMemory.child)
        guard programs.count == 2 else { throw StackError("the gateway or the service cannot be found") }
        let before = programs.compactMap(ProcessMemory.resident).reduce(0, +)
        for program in programs { try ProcessMemory.resetPeak(of: program) }
        let form = Self.form(size)
        try await withThrowingTaskGroup { group in
            for _ in 0..<Self.phones { group.addTask { try await upload(form) } }
            try await group.waitForAll()
        }
        let peak = programs.compactMap(ProcessMemory.peak).reduce(0, +)
        return Double(max(0, peak - before)) / 1_000_000
    }

    private func upload(_ form: ByteBuffer) async throws {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(fixture.gateway)/v1/posts/files")
        request.method = .POST
        request.headers = [
            "SeSACKey": AppKey.anlaka, "Authorization": token,
            "Content-Type": "multipart/form-data; boundary=madang",
        ]
        request.body = .bytes(form)
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(60))
        guard answer.status == .ok else { throw StackError("an upload was answered \(answer.status.code)") }
    }

    private static func form(_ size: Int) -> ByteBuffer {
        var form = ByteBuffer()
        form.writeString(
            """
            --madang\r\nContent-Disposition: form-data; name="files"; filename="a.mp4"\r\nContent-Type: video/mp4\r\n\r\n
            """
        )
        form.writeBytes([0, 0, 0, 0x18] + Array("ftypmp42".utf8))
        form.writeRepeatingByte(7, count: size - 12)
        form.writeString("\r\n--madang--\r\n")
        return form
    }
}
