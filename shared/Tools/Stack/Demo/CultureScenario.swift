import AppClients
import Apps
import FoundationEssentials
import StackKit
import Values

extension Scenario {
    /// The cultural events app: signs up, signs in, and refreshes without a change of the refresh token.
    static let culture = Scenario(
        name: "culture",
        title: "Seoul Culture: join, sign in, refresh with the one refresh token, like an event, write a review, give"
    ) { programs in
        let person = try await member("", "The person", nick: "나들이", programs)
        let refreshToken = person.connection.tokens?.refreshToken ?? ""
        for step in ["The access token has run out; the app asks for another.", "And again, with the same token."] {
            let fresh = try await person.step(step).send(\.refreshTokens, headers: ["Refresh": refreshToken]).json()
            person.connection.tokens?.accessToken = try fresh.text("accessToken")
        }
        try await person.step("The app shows the person's profile.").send(\.getOwnProfile).json()
        let listed = try await person.step("Where am I signed in?").send(\.listSessions).json()
        guard listed["sessions"]?.elements.count == 1 else { throw StackError("there should be one session") }
        try await likeEvent(person)
        try await review(person, programs)
        try await give(person, programs)
    }

    /// Signs a user up and in.
    ///
    /// - Parameters:
    ///   - who: The user's description in the output.
    ///   - nick: The nickname; a number is appended to make it unique.
    private static func member(
        _ name: String,
        _ who: String,
        nick: String,
        _ programs: Programs
    ) async throws -> CultureClient {
        let client = CultureClient(programs.gateway.url, key: AppKey.culture, name: name, observer: Transcript.print)
        let number = UInt32.random(in: 0...UInt32.max)
        let email = "visitor-\(number)@example.com"
        let account = SeSACAccount(email: email, password: "culture2025!", nick: "\(nick)\(number)")
        try await client.step("\(who) joins.").join(account)
        try await client.step("The app signs in.").signIn(account)
        return client
    }

    /// Shows today's events and likes the first. The app stores a liked event as a post of 14 parts, which is not shown
    /// to other users.
    private static func likeEvent(_ person: CultureClient) async throws {
        let today = SeoulTime.date(of: .now)
        // An installation that has just started may still be fetching the calendar.
        try? await waitUntil("there are events", every: .milliseconds(100), atMost: .seconds(10)) {
            (try? await person.unobserved.events(on: today))?.isEmpty == false
        }
        guard let event = try await person.step("The app shows what is on in the city today.").events(on: today).first
        else { throw StackError("nothing is on today") }
        let kept = [
            "MAIN_IMG", "TITLE", "CODENAME", "STRTDATE", "END_DATE", "PLACE", "ORG_NAME", "GUNAME", "LOT", "LAT",
            "USE_FEE", "IS_FREE", "USE_TRGT", "ORG_LINK",
        ]
        let title = try event.text("TITLE")
        let content = try kept.map { try event.text($0) }.joined(separator: "$$$")
        try await person.step("The person likes the first event; the app keeps it as a post.").send(
            \.createPost,
            body: [
                "product_id": .string(title + person.id), "title": .string(title), "content": .string(content),
                "files": [],
            ]
        ).json()
        let own = try await person.step("It is on the person's own list.")
            .send(\.listPostsByUser, person.id, query: "next=&limit=10&product_id=").json()
        guard own["data"]?[0]?["content"]?.string == content else {
            throw StackError("the liked event is not what the app has kept")
        }
    }

    /// Writes a review, which a second user finds by its hashtag.
    private static func review(_ person: CultureClient, _ programs: Programs) async throws {
        let id = try await person.step("The person writes a review, with a hashtag.").send(
            \.createPost,
            body: [
                "product_id": "ksm_post", "title": "덕수궁의 밤", "content": "돌담길을 걸으며 들은 정가가 오래 남아요. #덕수궁야행",
                "files": [],
            ]
        ).json().text("post_id")
        let visitor = try await member("visitor", "Another user", nick: "이웃", programs)
        let found = try await visitor.step("They look for the hashtag.")
            .send(\.listTaggedPosts, query: "hashTag=덕수궁야행&next=&limit=10").json()
        guard found["data"]?.elements.contains(where: { $0["post_id"]?.string == id }) == true else {
            throw StackError("the review is not found by its hashtag")
        }
        try await visitor.step("They like the review.").like(id).json()
        let follow = try await visitor.step("And follow who has written it.").send(\.follow, person.id).json()
        guard follow["following_status"] == true else { throw StackError("the visitor does not follow") }
        let seen = try await person.step("The person sees who likes it.").send(\.getPost, id).json()
        guard seen["likes"]?.elements.count == 1 else { throw StackError("the review lacks the like") }
    }

    /// Pays a gift of a hundred won for another user's post in the order of the released app: first the payment, then
    /// its assignment to the post.
    private static func give(_ person: CultureClient, _ programs: Programs) async throws {
        let theatre = try await member("theatre", "A theatre", nick: "극장", programs)
        let post = try await theatre.step("It asks for a hundred won.").send(
            \.createPost,
            body: [
                "product_id": "ksm_post", "title": "후원하기", "content": "작은 극장을 지켜 주세요.", "price": 100, "files": [],
            ]
        ).json().text("post_id")
        let code = "ios_\(AppKey.culture)_\(Int64(Date.now.timeIntervalSince1970))"
        person.step("The person gives them, under a code that the app has made.")
        let impUID = try await programs.outside.pay(code, 100)
        let given = try await person.step("The app says what it was for.").validate(impUID, for: post).json()
        guard given["merchant_uid"]?.string?.contains(AppKey.culture) == false else {
            throw StackError("the app's key is shown")
        }
        try await theatre.step("Another user says that it was them.").validate(impUID, for: post).json(409)
        let list = try await person.step("It is among the person's payments.").send(\.listPurchases).json()
        guard list["data"]?[0] == given else { throw StackError("the list of payments lacks it") }
    }
}
