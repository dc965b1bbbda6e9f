import Values

/// A row of `realtimeArrivalList`: all members are text except for the counts, and four are always null (SeatCatcher
/// contract 7).
struct ArrivalRow: Encodable, Sendable {
    @Nullable var beginRow: Int? = nil
    @Nullable var endRow: Int? = nil
    @Nullable var curPage: Int? = nil
    @Nullable var pageRow: Int? = nil
    var subwayId: String
    var updnLine: String
    var trainLineNm: String
    var statnFid: String
    var statnTid: String
    var statnId: String
    var statnNm: String
    var trnsitCo: String
    var ordkey: String
    var subwayList: String
    var statnList: String
    var btrainSttus = "일반"
    var barvlDt: String
    var btrainNo: String
    var bstatnId: String
    var bstatnNm: String
    var recptnDt: String
    var arvlMsg2: String
    var arvlMsg3: String
    var arvlCd: String
    var lstcarAt = "0"
    /// Counted from 1 over all rows of the station.
    var rowNum = 0
    var totalCount = 0
    var selectedCount = 0
}
