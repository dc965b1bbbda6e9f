import StackKit

/// The posts of users of Anlaka and Seoul Culture.
extension Seed {
    private static let neighbours = [
        account, Account(email: "neighbour-1@example.com", password: "madang2025!", nick: "느티나무"),
        Account(email: "neighbour-2@example.com", password: "madang2025!", nick: "골목길"),
    ]
    private static let visitors = [
        Account(email: "visitor-1@example.com", password: "madang2025!", nick: "나들이가자"),
        Account(email: "visitor-2@example.com", password: "madang2025!", nick: "객석다열"),
    ]

    /// Publishes the missing posts. The accounts work concurrently, because password hashing takes most of the time.
    ///
    /// - Parameter tell: Receives a message about the result.
    /// - Returns: Whether any posts were missing.
    func plantPosts(_ tell: (String) -> Void) async throws -> Bool {
        async let told = plantTold()
        async let reviews = plantReviews()
        let isNew = (told: try await told, reviews: try await reviews)
        if isNew.told { tell("\(SeedPosts.count) posts of Anlaka") }
        if isNew.reviews { tell("\(SeedPosts.reviewCount) reviews of Seoul Culture") }
        return isNew.told || isNew.reviews
    }

    private func plantTold() async throws -> Bool {
        let share = SeedPosts.count / Self.neighbours.count
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for (index, neighbour) in Self.neighbours.enumerated() {
                group.addTask {
                    let phone = phone
                    try await join(neighbour, on: phone)
                    return try await plant(share, of: neighbour, on: phone) { _ in
                        (index * share..<(index + 1) * share).map { (name: "seed-\($0)", body: SeedPosts.post($0)) }
                    }
                }
            }
            return try await group.reduce(false) { $0 || $1 }
        }
    }

    private func plantReviews() async throws -> Bool {
        let share = SeedPosts.reviewCount / Self.visitors.count
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            for (index, visitor) in Self.visitors.enumerated() {
                group.addTask {
                    let phone = phone(key: AppKey.culture)
                    try await join(visitor, on: phone, asking: "/v1/validation/email")
                    return try await plant(share, of: visitor, on: phone) { token in
                        let pictures = try await upload(0..<4, to: "/v1/posts/files", key: AppKey.culture, token)
                        return (index * share..<(index + 1) * share).map {
                            (name: "seed-\($0)", body: SeedPosts.review($0, pictures: pictures))
                        }
                    }
                }
            }
            return try await group.reduce(false) { $0 || $1 }
        }
    }

    /// Publishes the posts of an account, unless they exist.
    ///
    /// - Parameter posts: Called with the access token if posts are missing. Each post has a name that makes a repeated
    ///   request idempotent.
    /// - Returns: Whether any posts were missing.
    private func plant(
        _ count: Int,
        of account: Account,
        on phone: Phone,
        _ posts: (_ token: String) async throws -> [(name: String, body: JSON)]
    ) async throws -> Bool {
        let session = try await phone.send("sign in", .post, "/v1/users/login", body: account.credentials)
        let (person, token) = (try session.text("user_id"), try session.text("accessToken"))
        let signedIn = ("Authorization", token)
        let list = "/v1/posts/users/\(person)?next=&limit=\(count)"
        let written = try await phone.send("look at one's own", .get, list, headers: [signedIn])
        guard (written["data"]?.elements.count ?? 0) < count else { return false }
        // Published sequentially, so that the author's list is in this order.
        for post in try await posts(token) {
            let headers = [signedIn, ("Idempotency-Key", post.name)]
            try await phone.send("publish", .post, "/v1/posts", headers: headers, body: post.body)
        }
        return true
    }
}
