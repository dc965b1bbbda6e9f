import AppClients
import Apps
import TestKit
import Testing

extension WithSuhyeonClient {
    /// A user who has signed up with Kakao and a verified phone number, and in.
    init(
        _ platform: Platform,
        kakao id: Int64,
        number: String,
        nickname: String,
        region: String = "강릉"
    ) async throws {
        self.init(platform.gateway, observer: Platform.observer)
        let userID = try await signIn(kakao: platform.sandboxClient.kakaoToken(id)).number("userId")
        try await sendCode(number)
        try await verify(number, code: platform.sandboxClient.verificationCode(number))
        try await signUp(
            Form(number: number, nickname: nickname, image: "img_red_suma", region: region),
            userID: userID
        )
        try await signIn(number)
    }

    /// Publishes a picture in the gallery.
    @discardableResult
    func publish(_ picture: [UInt8], category: String, title: String) async throws -> JSON {
        let request: JSON = ["category": "\(category)", "title": "\(title)", "content": ""]
        let form = MultipartForm().file("image", picture, filename: "image.jpg")
            .file("createGalleryRequest", Array(request.description.utf8), type: "application/json")
        return try await send(\.createGalleryPicture, body: .form(form)).result()
    }
}

extension Platform {
    /// A companion post, from the sides of its author and of a guest.
    func withSuhyeonChat() async throws -> (author: WithSuhyeonChat, guest: WithSuhyeonChat) {
        let author = try await WithSuhyeonClient(self, kakao: 11, number: "01011110000", nickname: "하루")
        let guest = try await WithSuhyeonClient(self, kakao: 12, number: "01022220000", nickname: "나무")
        try await author.send(\.createPost, body: WithSuhyeonCommunityJourneyTests.post).result()
        let posts = try await guest.send(\.listPosts, query: "region=&date=").result()["posts"]
        let post = try #require(posts?[0]).number("postId")
        return (WithSuhyeonChat(author, about: post), WithSuhyeonChat(guest, about: post))
    }
}
