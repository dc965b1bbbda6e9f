import AppClients
import Districts

/// The posts of Anlaka's and reviews of Seoul Culture's seeded users; reproducible.
enum SeedPosts {
    /// The number of Anlaka's posts.
    static let count = 60

    private static let texts: [(category: String, title: String, content: String)] = [
        ("정보", "새로 생긴 빵집", "아침 일곱 시부터 문을 열어요. 소금빵이 금방 나가니 일찍 가 보세요."),
        ("정보", "골목 벼룩시장 열려요", "토요일 열 시부터 주민센터 앞에서 합니다. 아이 옷과 책이 많아요."),
        ("정보", "도서관 열람실 다시 열었어요", "자리마다 콘센트가 생겼고 밤 열 시까지 합니다."),
        ("친목", "조용한 카페 있을까요?", "노트북 펴고 두어 시간 앉아 있을 만한 곳을 찾아요."),
        ("분실", "열쇠를 주웠어요", "버스 정류장 앞 의자에 있었습니다. 고래 고리가 달려 있어요."),
        ("친목", "이사 청소 맡겨 보신 분", "원룸 기준으로 얼마쯤 하는지 궁금합니다."),
        ("맛집", "칼국수 한 그릇", "바지락이 넉넉하고 겉절이가 맛있어요. 점심에는 줄이 있습니다."),
        ("맛집", "시장 떡볶이", "밀떡에 국물이 많은 옛날 맛이에요. 김말이도 꼭 드세요."),
        ("맛집", "동네 커피 볶는 집", "원두를 조금씩도 팔아요. 산미 있는 것을 권해 주셨어요."),
        ("정보", "해 질 녘 산책길", "계단이 없어 유모차도 다닐 만해요. 서쪽 하늘이 트여 있습니다."),
        ("정보", "단풍 든 하천길", "왕복 한 시간쯤 걸려요. 중간에 물 마시는 곳이 있습니다."),
        ("친목", "책장 나눠요", "세 단짜리이고 흠집이 조금 있어요. 직접 가져가시면 됩니다."),
        ("동물", "하천길의 고양이 가족", "다리 밑에 새끼가 셋 있어요. 놀라지 않게 멀리서 봐 주세요."),
        ("이슈", "겨울 난방비 얼마 나오세요?", "스무 제곱미터 남짓한 방인데 첫 겨울이라 가늠이 안 돼요."),
        ("이슈", "볕 드는 방향 꼭 보세요", "오후에 한 번 더 보고 계약했는데 잘한 일 같아요."),
    ]

    /// A post of Anlaka, each in another neighbourhood.
    ///
    /// - Parameter number: From 0.
    static func post(_ number: Int) -> JSON {
        let homes = Neighbourhood.all
        let home = homes[number * homes.count / count]
        let (category, title, content) = texts[number % texts.count]
        return [
            "category": .string(category), "title": .string("\(SeedListings.label(home.name)) \(title)"),
            "content": .string(content), "longitude": .number(home.longitude), "latitude": .number(home.latitude),
            "files": [],
        ]
    }

    private static let reviews = [
        ("시립미술관에서 보낸 오후", "빛이 드는 2층이 특히 좋았어요. 평일이라 한산했습니다. #전시 #미술관"),
        ("정오의 음악회", "점심시간에 듣는 실내악이라니. 서서 들어도 좋았습니다. #클래식 #무료"),
        ("소극장 연극 한 편", "배우의 숨소리까지 들려요. 앞자리를 권합니다. #연극 #대학로"),
        ("한강 버스킹", "돗자리 꼭 챙기세요. 해가 지면 쌀쌀해요. #콘서트 #한강"),
        ("판소리 완창", "네 시간이 금방이었어요. 추임새를 배웠습니다. #국악"),
        ("장미정원 산책", "아침 일찍 가면 향이 더 진해요. #축제 #장미"),
        ("한지 공예 교실", "아이와 등을 만들어 왔어요. 선생님이 친절하십니다. #체험 #한지"),
        ("독립영화 상영회", "감독과 나눈 이야기가 오래 남네요. #영화"),
        ("성곽 달빛걷기", "해설을 들으며 걸으니 두 시간이 짧아요. #축제 #성곽"),
        ("현대무용 첫 관람", "몰라도 좋았어요. 음악이 살아 있었습니다. #무용"),
        ("빛초롱 마당", "사진 찍기 좋은 곳은 다리 위예요. #축제 #야경"),
        ("우리 동네 사진전", "낯익은 골목이 새롭게 보였어요. #전시 #사진"),
    ]

    static let reviewCount = reviews.count

    /// A review of Seoul Culture.
    ///
    /// - Parameters:
    ///   - number: From 0.
    ///   - pictures: Paths, of which it uses one.
    static func review(_ number: Int, pictures: [String]) -> JSON {
        let (title, content) = reviews[number]
        let picture = pictures.isEmpty ? [] : [JSON.string(pictures[number % pictures.count])]
        return [
            "product_id": "ksm_post", "title": .string(title), "content": .string(content), "files": .array(picture),
        ]
    }
}
