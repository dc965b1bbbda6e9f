/// With Suhyeon's regions (With Suhyeon contract 3.2): 80 places in 10 locations, in the order that the app shows.
package struct Region: Sendable, Hashable {
    /// The key that is stored and published, e.g. `SEOUL_JAMSIL`.
    package let key: String
    /// The location of the region, e.g. `서울`.
    package let location: String
    /// The name that apps send and show (`subLocation`), e.g. `잠실/송파/강동`. Unique.
    package let name: String

    /// The region with a name.
    package init?(name: some StringProtocol) {
        guard let region = Self.byName[String(name)] else { return nil }
        self = region
    }

    /// The region with a key.
    package init?(key: some StringProtocol) {
        guard let region = Self.byKey[String(key)] else { return nil }
        self = region
    }

    private init(key: String, location: String, name: String) {
        self.key = key
        self.location = location
        self.name = name
    }

    /// Whether the region stands for a whole location, or for the whole country.
    package var isWhole: Bool { name.contains("전체") }

    /// Every region, in the order of the contract.
    package static let all = locations.flatMap { location, regions in
        regions.map { Region(key: $0, location: location, name: $1) }
    }

    private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })
    private static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.key, $0) })

    private static let locations: [(String, [(String, String)])] = [
        (
            "전국",
            [
                ("ALL", "전국 전체")
            ]
        ),
        (
            "서울",
            [
                ("SEOUL_ALL", "서울 전체"),
                ("SEOUL_GANGNAM", "강남/역삼/삼성"),
                ("SEOUL_SINSA", "신사/청담/압구정"),
                ("SEOUL_SEOCHO", "서초/교대/사당/동작"),
                ("SEOUL_JAMSIL", "잠실/송파/강동"),
                ("SEOUL_MYUNGDONG", "을지로/명동/중구/동대문"),
                ("SEOUL_ITAEWON", "서울역/이태원/용산"),
                ("SEOUL_JONGRO", "종로/인사동"),
                ("SEOUL_HONGDAE", "홍대/합정/마포/서대문/은평"),
                ("SEOUL_YEUIDO", "여의도/영등포역/목동/양천"),
                ("SEOUL_GURO", "구로/신도림/금천/관악/신림"),
                ("SEOUL_GIMPO", "김포공항/염창/강서"),
                ("SEOUL_KONDAE", "건대입구/성수/왕십리"),
                ("SEOUL_NOWON", "성북/강북/노원/도봉/중랑"),
            ]
        ),
        (
            "부산",
            [
                ("BUSAN_ALL", "부산 전체"),
                ("BUSAN_HAEUNDAE", "해운대/마린시티"),
                ("BUSAN_BEXCO", "벡스코/센텀시티"),
                ("BUSAN_SONGJEONG", "송정/기장/정관"),
                ("BUSAN_GWANGANRI", "광안리/경성대"),
                ("BUSAN_BUSANSTATION", "부산역"),
                ("BUSAN_NAMPO", "자갈치/남포동/영도"),
                ("BUSAN_SONGDO", "송도/다대포"),
                ("BUSAN_YEONJE", "서면/연산/범일/연제"),
                ("BUSAN_DONGRAE", "동래/온천/금정구/북구"),
                ("BUSAN_SASANG", "사상/강서/김해공항/하단"),
            ]
        ),
        (
            "제주",
            [
                ("JEJU_ALL", "제주 전체"),
                ("JEJU_CITY", "제주시청/제주국제공항"),
                ("JEJU_MOSULPO", "중문/모슬포"),
                ("JEJU_AEWOL", "애월/한림/협재/한경"),
                ("JEJU_SEOGWIPO", "서귀포시"),
                ("JEJU_EAST", "표선/성산/남원"),
                ("JEJU_HAMDEOK", "함덕/김녕/세화"),
                ("JEJU_WOODO", "우도"),
                ("JEJU_CHUJADO", "추자도"),
            ]
        ),
        (
            "인천",
            [
                ("INCHEON_ALL", "인천 전체"),
                ("INCHEON_SONGDO", "송도/소래포구"),
                ("INCHEON_AIRPORT", "인천국제공항/강화/을왕리"),
                ("INCHEON_YEONGJONG", "영종도/월미도/동구"),
                ("INCHEON_JUAN", "주안/간석/인천시청"),
                ("INCHEON_BUPYEONG", "청라/계양/부평"),
            ]
        ),
        (
            "강원",
            [
                ("GANGWON_ALL", "강원 전체"),
                ("GANGWON_GANGNEUNG", "강릉"),
                ("GANGWON_SOKCHO", "속초/고성"),
                ("GANGWON_YANGYANG", "양양(서피비치/낙산)"),
                ("GANGWON_CHUNCHEON", "춘천/인제/철원/화천/양구"),
                ("GANGWON_PYEONGCHANG", "평창/정선/영월"),
            ]
        ),
        (
            "경기",
            [
                ("GYEONGGI_ALL", "경기 전체"),
                ("GYEONGGI_GAPYEONG", "가평/청평/양평"),
                ("GYEONGGI_SUWON", "수원/화성/동탄"),
                ("GYEONGGI_GOYANG", "고양/파주/김포"),
                ("GYEONGGI_UISUNG", "의정부/포천/동두천/양주"),
                ("GYEONGGI_YONGIN", "용인"),
                ("GYEONGGI_OSAN", "오산/평택/안성"),
                ("GYEONGGI_NAMYANGJU", "남양주/구리/성남/분당"),
                ("GYEONGGI_ICHEON", "이천/광주/여주/하남"),
                ("GYEONGGI_BUCHEON", "부천/광명/시흥/안산"),
                ("GYEONGGI_ANYANG", "안양/의왕/군포/과천"),
            ]
        ),
        (
            "경상",
            [
                ("GYEONGSANG_DAEGU", "대구/구미/안동/문경"),
                ("GYEONGSANG_GEOCHANG", "거창/함양/합천/산청/의령/창녕/함안"),
                ("GYEONGSANG_GYEONGJU", "경주"),
                ("GYEONGSANG_ULSAN", "울산/양산/밀양"),
                ("GYEONGSANG_GEOJE", "거제/통영"),
                ("GYEONGSANG_POHANG", "포항/영덕/울진/청송"),
                ("GYEONGSANG_CHANGWON", "창원/마산/진해/김해/부곡"),
                ("GYEONGSANG_NAMHAE", "남해/사천/하동/진주"),
            ]
        ),
        (
            "전라",
            [
                ("JEOLLA_JEONJU", "전주/완주"),
                ("JEOLLA_GWANGJU", "광주/나주/함평"),
                ("JEOLLA_YEOSU", "여수"),
                ("JEOLLA_SUNCHEON", "순천/광양/담양/보성/화순/곡성/구례"),
                ("JEOLLA_BUAN", "부안/정읍/고창/김제"),
                ("JEOLLA_MUJU", "무주/남원/장수/진안/임실/순창"),
                ("JEOLLA_GUNSAN", "군산/익산"),
                ("JEOLLA_MOKPO", "목포/완도/고흥/신안"),
            ]
        ),
        (
            "충청",
            [
                ("CHUNGCHEONG_DAEJEON", "대전/세종"),
                ("CHUNGCHEONG_CHEONAN", "천안/아산/도고"),
                ("CHUNGCHEONG_DANGJIN", "당진/덕산/태안/서산/안면도/홍성"),
                ("CHUNGCHEONG_GONGJU", "공주/보령/부여/금산"),
                ("CHUNGCHEONG_CHEONGJU", "청주/보은/옥천"),
                ("CHUNGCHEONG_CHUNGJU", "충주/제천/단양"),
            ]
        ),
    ]
}
