/// A row of `realtimeArrivalList`: all members are text except for the counts, and four are always null (SeatCatcher
/// contract 7).
struct ArrivalRow: Sendable {
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

extension ArrivalRow: Encodable {
    private enum CodingKeys: String, CodingKey {
        case beginRow, endRow, curPage, pageRow, totalCount, rowNum, selectedCount
        case subwayId, updnLine, trainLineNm, statnFid, statnTid, statnId, statnNm, trnsitCo, ordkey, subwayList
        case statnList, btrainSttus, barvlDt, btrainNo, bstatnId, bstatnNm, recptnDt, arvlMsg2, arvlMsg3, arvlCd
        case lstcarAt
    }

    func encode(to encoder: any Encoder) throws {
        var row = encoder.container(keyedBy: CodingKeys.self)
        for key in [CodingKeys.beginRow, .endRow, .curPage, .pageRow] { try row.encodeNil(forKey: key) }
        try row.encode(totalCount, forKey: .totalCount)
        try row.encode(rowNum, forKey: .rowNum)
        try row.encode(selectedCount, forKey: .selectedCount)
        let texts: [(CodingKeys, String)] = [
            (.subwayId, subwayId), (.updnLine, updnLine), (.trainLineNm, trainLineNm), (.statnFid, statnFid),
            (.statnTid, statnTid), (.statnId, statnId), (.statnNm, statnNm), (.trnsitCo, trnsitCo), (.ordkey, ordkey),
            (.subwayList, subwayList), (.statnList, statnList), (.btrainSttus, btrainSttus), (.barvlDt, barvlDt),
            (.btrainNo, btrainNo), (.bstatnId, bstatnId), (.bstatnNm, bstatnNm), (.recptnDt, recptnDt),
            (.arvlMsg2, arvlMsg2), (.arvlMsg3, arvlMsg3), (.arvlCd, arvlCd), (.lstcarAt, lstcarAt),
        ]
        for (key, text) in texts { try row.encode(text, forKey: key) }
    }
}
