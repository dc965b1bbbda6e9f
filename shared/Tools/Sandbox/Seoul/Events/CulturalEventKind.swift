/// The events of one category (`CODENAME`).
struct CulturalEventKind: Sendable {
    var name: String
    var subjects: [String]
    var venue: String
    var audience = "누구나"
    var players = ""
    var theme = "기타"
    /// The possible numbers of days from the first to the last.
    var lengths = [0]

    static let all = [
        CulturalEventKind(
            name: "교육/체험",
            subjects: ["도자기 체험 교실", "한지 공예 & 차 한 잔", "코딩으로 만나는 박물관"],
            venue: "평생학습관",
            audience: "초등학생 이상",
            theme: "어린이/청소년 문화행사",
            lengths: [0, 7, 28]
        ),
        CulturalEventKind(name: "국악", subjects: ["정가와 산조의 밤", "판소리 \"흥보가\" 완창"], venue: "국악당", players: "국악관현악단"),
        CulturalEventKind(name: "기타", subjects: ["책 장터 #동네서점", "반려식물 나눔"], venue: "주민센터", lengths: [0, 2]),
        CulturalEventKind(name: "독주/독창회", subjects: ["첼로 독주회", "소프라노 독창회"], venue: "아트홀", audience: "8세 이상"),
        CulturalEventKind(name: "무용", subjects: ["현대무용 <결>", "춤추는 골목"], venue: "무용센터", lengths: [0, 1]),
        CulturalEventKind(
            name: "뮤지컬/오페라",
            subjects: ["창작뮤지컬 '골목길'", "오페라 하이라이트"],
            venue: "문화예술회관",
            audience: "만 7세 이상",
            players: "시립뮤지컬단",
            lengths: [2, 9]
        ),
        CulturalEventKind(name: "연극", subjects: ["연극 \"오래된 편지\"", "마당극 한판"], venue: "소극장", lengths: [3, 20]),
        CulturalEventKind(name: "영화", subjects: ["한여름밤의 영화제", "독립영화 상영회"], venue: "영상센터", lengths: [0, 3]),
        CulturalEventKind(name: "전시/미술", subjects: ["우리 동네 사진전", "빛과 먹 展"], venue: "미술관", lengths: [14, 45, 60]),
        CulturalEventKind(
            name: "축제-문화/예술",
            subjects: ["거리예술축제 🎪", "북 페스티벌"],
            venue: "광장",
            theme: "축제",
            lengths: [1, 2]
        ),
        CulturalEventKind(name: "축제-전통/역사", subjects: ["성곽 달빛걷기", "전통시장 한마당"], venue: "역사공원", theme: "축제"),
        CulturalEventKind(name: "축제-시민화합", subjects: ["구민의 날 큰잔치"], venue: "구민운동장", theme: "축제"),
        CulturalEventKind(
            name: "축제-자연/경관",
            subjects: ["벚꽃/단풍 산책", "장미정원 축제"],
            venue: "근린공원",
            theme: "축제",
            lengths: [4, 9]
        ),
        CulturalEventKind(name: "축제-기타", subjects: ["빛초롱 마당"], venue: "천변", theme: "축제", lengths: [6]),
        CulturalEventKind(name: "콘서트", subjects: ["재즈 & 블루스", "한강 버스킹"], venue: "야외무대", players: "시민밴드"),
        CulturalEventKind(name: "클래식", subjects: ["정오의 음악회", "실내악 1+1"], venue: "콘서트홀", audience: "8세 이상"),
    ]
}
