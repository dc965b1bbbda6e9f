import FoundationEssentials
import StackKit
import Values

/// Events and reviews, as a part of the cultural events app's scenario.
extension Phone {
    /// Shows today's events, likes one, and reviews another, which a second user finds by its hashtag.
    ///
    /// - Parameter person: The public id of the signed-in user.
    func playReviews(of person: String) async throws {
        let event = try await eventOfToday()
        try await likeEvent(event, of: person)

        let review = try await send(
            "The person writes a review, with a hashtag.",
            .post,
            "/v1/posts",
            body: [
                "product_id": "ksm_post", "title": "덕수궁의 밤", "content": "돌담길을 걸으며 들은 정가가 오래 남아요. #덕수궁야행",
                "files": [],
            ]
        )
        let id = try review.text("post_id")
        let visitor = another("visitor")
        _ = try await visitor.joinCulture("Somebody else", "이웃")
        let found = try await visitor.send(
            "They look for the hashtag.",
            .get,
            "/v1/posts/hashtags?hashTag=덕수궁야행&next=&limit=10"
        )
        guard found["data"]?.elements.contains(where: { $0["post_id"] == review["post_id"] }) == true else {
            throw StackError("the review is not found by its hashtag")
        }
        try await visitor.send("They like the review.", .post, "/v1/posts/\(id)/like", body: ["like_status": true])
        let follow = try await visitor.send("And follow who has written it.", .post, "/v1/follow/\(person)")
        guard follow["following_status"] == true else { throw StackError("nobody follows") }
        let seen = try await send("The person sees who likes it.", .get, "/v1/posts/\(id)")
        guard seen["likes"]?.elements.count == 1 else { throw StackError("the review lacks the like") }
    }

    /// Signs a user up and in.
    ///
    /// - Parameters:
    ///   - who: The user's description in the output.
    ///   - nick: The nickname; a number is appended to make it unique.
    /// - Returns: The response to the sign-in.
    func joinCulture(_ who: String, _ nick: String) async throws -> JSON {
        let number = UInt32.random(in: 0...UInt32.max)
        let account: [String: JSON] = [
            "email": .string("visitor-\(number)@example.com"), "password": "culture2025!",
        ]
        try await send(
            "\(who) joins.",
            .post,
            "/v1/users/join",
            body: .object(account.merging(["nick": .string("\(nick)\(number)")]) { $1 })
        )
        let login = try await send("The app signs in.", .post, "/v1/users/login", body: .object(account))
        keep("Authorization", try login.text("accessToken"))
        return login
    }

    /// Requests events in the format of the city's open data, as the app does; `%2520` is its wildcard.
    private func eventOfToday() async throws -> JSON {
        let path = "/app/json/culturalEventInfo/1/20/%2520/%2520/\(SeoulTime.date(of: .now))"
        // An installation that has just started may still be fetching the calendar.
        for _ in 0..<100 {
            let answer = try await request(.get, gateway, path, headers, nil)
            if JSON(parsing: answer.text.utf8)?["culturalEventInfo"]?["row"]?[0] != nil { break }
            try await Task.sleep(for: .milliseconds(100))
        }
        let today = try await send("The app shows what is on in the city today.", .get, path)
        guard let event = today["culturalEventInfo"]?["row"]?[0] else { throw StackError("nothing is on today") }
        return event
    }

    /// The app stores a liked event as a post of 14 parts, which is not shown to other users.
    private func likeEvent(_ event: JSON, of person: String) async throws {
        let kept = [
            "MAIN_IMG", "TITLE", "CODENAME", "STRTDATE", "END_DATE", "PLACE", "ORG_NAME", "GUNAME", "LOT", "LAT",
            "USE_FEE", "IS_FREE", "USE_TRGT", "ORG_LINK",
        ]
        let title = try event.text("TITLE")
        let content = try kept.map { try event.text($0) }.joined(separator: "$$$")
        try await send(
            "The person likes the first event; the app keeps it as a post.",
            .post,
            "/v1/posts",
            body: [
                "product_id": .string(title + person), "title": .string(title), "content": .string(content),
                "files": [],
            ]
        )
        let own = try await send(
            "It is on the person's own list.",
            .get,
            "/v1/posts/users/\(person)?next=&limit=10&product_id="
        )
        guard own["data"]?[0]?["content"]?.string == content else {
            throw StackError("the liked event is not what the app has kept")
        }
    }
}
