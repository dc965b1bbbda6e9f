import AsyncHTTPClient
import Contracts
import FoundationEssentials
import NIOCore
import NIOHTTP1
import StackKit

/// The listings of Anlaka's agencies.
extension Seed {
    private static let agencies = [
        Account(email: "agency-1@example.com", password: "madang2025!", nick: "한강중개"),
        Account(email: "agency-2@example.com", password: "madang2025!", nick: "남산중개"),
        Account(email: "agency-3@example.com", password: "madang2025!", nick: "북악중개"),
        Account(email: "agency-4@example.com", password: "madang2025!", nick: "관악중개"),
    ]

    /// Creates the missing listings.
    ///
    /// - Parameter tell: Receives progress messages.
    /// - Returns: The number of created listings.
    func plantListings(_ tell: (String) -> Void) async throws -> Int {
        let share = SeedListings.count / Self.agencies.count
        var planted = 0
        for (index, agency) in Self.agencies.enumerated() {
            let phone = phone
            try await join(agency, on: phone)
            let session = try await phone.send("sign in", .post, "/v1/users/login", body: agency.credentials)
            let (creator, token) = (try session.text("user_id"), try session.text("accessToken"))
            if index == 0, try await listings(on: phone, token) >= SeedListings.count { return 0 }
            let pictures = try await upload(token)
            let first = index * share
            for start in stride(from: first, to: first + share, by: EstateAPI.Import.limit) {
                planted += try await plant(start..<start + EstateAPI.Import.limit, of: creator, pictures: pictures)
                let done = start + EstateAPI.Import.limit
                if done.isMultiple(of: share) { tell("\(done) of \(SeedListings.count) listings") }
            }
        }
        return planted
    }

    /// The number of listings on the map of Seoul.
    private func listings(on phone: Phone, _ token: String) async throws -> Int {
        let map = try await phone.send(
            "look at the map",
            .get,
            "/v1/estates/clusters?zoom=8&bbox=126.7,37.4,127.3,37.75",
            headers: [("Authorization", token)]
        )
        let lone = map["estates"]?.elements.count ?? 0
        return try (map["clusters"]?.elements ?? []).reduce(lone) { $0 + Int(try $1.number("count")) }
    }

    /// - Returns: The number of new listings.
    private func plant(_ numbers: Range<Int>, of creator: String, pictures: [String]) async throws -> Int {
        let listings = numbers.map { SeedListings.listing($0, pictures: pictures) }
        let body = try JSONEncoder().encode(EstateAPI.Import(creator: creator, listings: listings))
        let calls = InternalCalls(programs: programs, secret: secret)
        // The service receives the event of a new account with a delay.
        for _ in 0..<100 {
            let answer = try await calls.post("estate", EstateAPI.Import.path, [UInt8](body))
            if answer.status == .ok {
                return try JSONDecoder().decode(EstateAPI.Imported.self, from: Data(answer.text.utf8)).created
            }
            guard answer.status == .notFound else { throw StackError("listings cannot be planted: \(answer.text)") }
            try await Task.sleep(for: .milliseconds(100))
        }
        throw StackError("listings cannot be planted: estate has not heard of who lists them")
    }

    /// Uploads pictures of houses, as a user of Anlaka would for listings.
    ///
    /// - Returns: Their paths.
    private func upload(_ token: String) async throws -> [String] {
        var paths: [String] = []
        for start in stride(from: 0, to: SeedPicture.variants, by: 4) {
            paths += try await upload(start..<start + 4, to: "/v1/estates/files", key: AppKey.anlaka, token)
        }
        return paths
    }

    /// Uploads some of the pictures in one form.
    ///
    /// - Parameters:
    ///   - variants: The pictures; no more than the limit of a form.
    ///   - key: The app's key.
    /// - Returns: Their paths.
    func upload(_ variants: Range<Int>, to path: String, key: String, _ token: String) async throws -> [String] {
        let boundary = "madang-seed"
        var form = ByteBuffer()
        for variant in variants {
            form.writeString(
                """
                --\(boundary)\r\nContent-Disposition: form-data; name="files"; filename="\(variant).png"\r\n\
                Content-Type: image/png\r\n\r\n
                """
            )
            form.writeBytes(SeedPicture.png(variant))
            form.writeString("\r\n")
        }
        form.writeString("--\(boundary)--\r\n")
        var request = HTTPClientRequest(url: programs.gateway.url + path)
        request.method = .POST
        request.headers = [
            "SeSACKey": key, "Authorization": token, "Content-Type": "multipart/form-data; boundary=\(boundary)",
        ]
        request.body = .bytes(form)
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let text = String(buffer: try await answer.body.collect(upTo: 1 << 20))
        guard answer.status == .ok, let files = JSON(parsing: text.utf8)?["files"]?.elements else {
            throw StackError("pictures cannot be uploaded: \(answer.status.code) \(text)")
        }
        return files.compactMap(\.string)
    }
}
