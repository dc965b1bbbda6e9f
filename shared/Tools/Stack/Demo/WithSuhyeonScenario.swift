import AppClients
import Apps
import FoundationEssentials
import StackKit
import Values

extension Scenario {
    private static let region = "홍대/합정/마포/서대문/은평"

    /// The travel companions app: signs in with Kakao, then verifies the phone number by a code in a text message.
    static let withsuhyeon = Scenario(
        name: "withsuhyeon",
        title: "With Suhyeon: sign in with Kakao, prove the phone number, sign up, find a companion, talk"
    ) { programs in
        let person = try await member("", nickname: "수현이", programs)
        try await person.step("The app shows the person's page.").send(\.getProfile).result()
        let post = try await publishAndFind(person)
        let guest = try await member("guest", nickname: "여행자", programs)
        try await talk(WithSuhyeonChat(person, about: post), WithSuhyeonChat(guest, about: post))
        try await person.step("Another user's number is blocked.")
            .send(\.blockPhoneNumber, body: ["phoneNumber": "01087654321"]).result()
        try await person.step("The list of blocked numbers.").send(\.listBlockedPhoneNumbers).result()
        try await person.step("The person leaves.").send(\.withdraw).result()
    }

    /// Signs up with Kakao and a verified phone number, and signs in.
    private static func member(_ name: String, nickname: String, _ programs: Programs) async throws -> WithSuhyeonClient
    {
        let client = WithSuhyeonClient(programs.gateway.url, name: name, observer: Transcript.print)
        let number = "010\(UInt32.random(in: 10_000_000...99_999_999))"
        client.step("The person allows the sign-in at Kakao.")
        let token = try await programs.outside.kakaoToken(.random(in: 10_000_000...4_000_000_000))
        let userID = try await client.step("The app hands Kakao's token over: no user is known by it yet.")
            .signIn(kakao: token).number("userId")
        try await client.step("The app has a code sent to the phone.").sendCode(number)
        client.step("A text message comes.")
        let code = try await programs.outside.verificationCode(number)
        try await client.step("The person types the code.").verify(number, code: code)
        try await client.step("After name, birth year, picture and region the app signs the person up.").signUp(
            .init(number: number, nickname: nickname, image: "img_purple_suma", region: region),
            userID: userID
        )
        try await client.step("And in.").signIn(number)
        return client
    }

    /// Publishes a companion post for tomorrow, and finds it in the lists of others.
    ///
    /// - Returns: The post's id.
    private static func publishAndFind(_ client: WithSuhyeonClient) async throws -> Int64 {
        let title = "내일 저녁 한강 같이 걸어요"
        try await client.step("The person looks for a companion, tomorrow at half past six.").send(
            \.createPost,
            body: [
                "gender": false, "age": "20 ~ 24", "requests": ["사진 촬영", "전화 통화"], "region": .string(region),
                "date": "\(SeoulTime.date(of: .now) + 1)T18:30", "price": 10000, "title": .string(title),
                "content": "망원에서 만나 노을을 보고 사진을 남겨요.",
            ]
        ).result()
        let home = try await client.step("The home screen shows posts of the person's region.").send(\.getHome).result()
        guard home["homePosts"]?[0] != nil else { throw StackError("the home screen is empty") }
        let list = try await client.step("The list shows who wants to meet there, and the days to choose from.")
            .send(\.listPosts, query: "region=&date=").result()
        guard let post = list["posts"]?.elements.first(where: { $0["title"]?.string == title }) else {
            throw StackError("the list lacks the post")
        }
        let id = try post.number("postId")
        let detail = try await client.step("The person opens it.").send(\.getPost, id).result()
        guard detail["postDetailInfo"]?["date"] == post["date"] else {
            throw StackError("the page shows another time than the list")
        }
        return id
    }

    /// A chat between the author of a post and another user, who loses the network in between.
    private static func talk(_ author: WithSuhyeonChat, _ guest: WithSuhyeonChat) async throws {
        let own = try await author.client.step("The author's app opens its socket.").socket()
        var theirs = try await guest.client.step("The guest's app opens its own.").socket()

        guest.client.step("The guest opens the post.")
        let ids = try await guest.ids()
        guest.client.step("The first message makes the room.")
        try await theirs.send(guest.opening("아직 자리 있나요?", ids))
        let created = try await theirs.nextFrame(containing: "CHAT_ROOM_CREATED")
        guest.client.step("The guest is in the room.")
        try await guest.enter(created)

        guard let room = try await own.nextFrame(containing: "chatRooms")["chatRooms"]?[0] else {
            throw StackError("the author's list is empty")
        }
        author.client.step("The author goes in.")
        try await author.enter(room)
        func write(_ step: String, _ text: String) async throws {
            author.client.step(step)
            try await own.send(author.message(text, in: room, peerCopy: created.text("ownerChatRoomId")))
        }
        try await write("And answers.", "네, 한 자리 남았어요.")
        _ = try await theirs.nextFrame(containing: "한 자리")

        author.client.step("The guest's phone loses its network.")
        await theirs.abort()
        for text in ["망원역 2번 출구에서", "여섯 시 반에 봐요.", "돗자리는 제가 챙길게요."] {
            try await write("Meanwhile the author writes on.", text)
        }
        theirs = try await guest.client.step("The network is back, and the app's socket with it.").socket()
        _ = try await theirs.nextFrame(containing: "돗자리")
        try await write("They go on as before.", "내일 만나요!")
        _ = try await theirs.nextFrame(containing: "내일")

        author.client.step("The phone's log of the room.")
        let log = try await author.log(of: room).compactMap { $0["content"]?.string }
        guest.client.step("The phone's log of the room.")
        let other = try await guest.log(of: created).compactMap { $0["content"]?.string }
        guard log == other, log.count == 6 else { throw StackError("the two phones end with different logs") }
        Transcript.print(log: log)
        await own.close()
        await theirs.close()
        try await guest.client.step("The guest leaves the app.").send(\.withdraw).result()
    }
}
