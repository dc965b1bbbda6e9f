import FoundationEssentials
import StackKit

/// A gift of a hundred won, as a part of the cultural events app's scenario.
extension Phone {
    /// Pays a gift for another user's post in the order of the released app: first the payment, then its assignment to
    /// the post.
    func playGift() async throws {
        let theatre = another("theatre")
        _ = try await theatre.joinCulture("A theatre", "극장")
        let asked = try await theatre.send(
            "It asks for a hundred won.",
            .post,
            "/v1/posts",
            body: [
                "product_id": "ksm_post", "title": "후원하기", "content": "작은 극장을 지켜 주세요.", "price": 100, "files": [],
            ]
        )
        let post = try asked.text("post_id")
        let code = "ios_\(AppKey.culture)_\(Int64(Date.now.timeIntervalSince1970))"
        let impUID = try await pay("The person gives them, under a code that the app has made.", code, 100)
        let body: JSON = ["imp_uid": .string(impUID), "post_id": .string(post)]
        let given = try await send("The app says what it was for.", .post, "/v1/payments/validation", body: body)
        guard given["merchant_uid"]?.string?.contains(AppKey.culture) == false else {
            throw StackError("the app's key is shown")
        }
        try await theatre.send(
            "Somebody else says that it was them.",
            .post,
            "/v1/payments/validation",
            body: body,
            expecting: 409
        )
        let list = try await send("It is among the person's payments.", .get, "/v1/payments/me")
        guard list["data"]?[0] == given else { throw StackError("the list of payments lacks it") }
    }
}
