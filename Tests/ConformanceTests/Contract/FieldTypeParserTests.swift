import Testing

@testable import Conformance

struct FieldTypeParserTests {
    @Test(arguments: [
        ("string", FieldType.text(.any), ObjectType.Presence.required),
        ("string?", .text(.any), .optional),
        ("string|null", .text(.any), .nullable),
        ("int|null (null for fixed pay)", .integer(Int64(Int32.min)...Int64(Int32.max)), .nullable),
        ("int64", .integer(Int64.min...Int64.max), .required),
        ("int 1..12", .integer(1...12), .required),
        ("double? metres", .number, .optional),
        ("bool true (emit isDeleted too)", .boolean, .required),
        ("[user id]?", .array(.text(.any)), .optional),
        ("[string], no leading slash", .array(.text(.named(.path))), .required),
        ("string[] D-CHIP", .array(.text(.named(.chipDay))), .required),
        ("[enum USERTAG_*]", .array(.text(.prefixed("USERTAG_"))), .required),
        ("enum IMAGE_1..IMAGE_3", .text(.oneOf(["IMAGE_1", "IMAGE_2", "IMAGE_3"])), .required),
        ("enum A|B, key absent unless 200", .text(.oneOf(["A", "B"])), .optional),
        ("ready|paid", .text(.oneOf(["ready", "paid"])), .required),
        ("string <=40", .text(.atMost(40)), .required),
        ("time HH:mm|null", .text(.named(.timeOfDay)), .nullable),
    ])
    func text_isType(_ text: String, _ type: FieldType, _ presence: ObjectType.Presence) throws {
        #expect(try FieldTypeParser.parse(text) == .init(type: type, presence: presence))
    }

    @Test(arguments: ["", "text", "string of any kind", "int about 7", "[number of things]", "double feet"])
    func unknownText_isRefused(_ text: String) {
        #expect(throws: ConformanceError.self) { try FieldTypeParser.parse(text) }
    }

    @Test(arguments: [
        (TextForm.Named.milliseconds, "2025-11-05T13:00:00.123Z", "2025-11-05T13:00:00Z"),
        (.instant, "2025-11-05T13:00:00Z", "2025-11-05T13:00:00.123Z"),
        (.localFraction, "2025-01-25T05:12:33.482", "2025-01-25T05:12:33"),
        (.localMicroseconds, "2025-06-11T15:50:13.843180", "2025-06-11T15:50:13.84"),
        (.longDay, "1월 25일 (토) 오후 2시 30분", "01월 25일 (토) 14시 30분"),
        (.chipDay, "1/25 (토)", "1/25"),
        (.badge, "D-2", "2일"),
        (.trainKey, "01001성수0", "0100성수0"),
        (.inviteCode, "2DZBBQ", "2DZBB0"),
        (.path, "uploads/a.jpg", "/uploads/a.jpg"),
        (.token, "e30.eyJleHAiOjF9.e30", "e30.eyJleHAiOiIxIn0.e30"),
        (.digits, "12", "12a"),
    ])
    func form_fitsOneAndNotAnother(_ form: TextForm.Named, _ good: String, _ bad: String) {
        #expect(TextForm.named(form).fits(good))
        #expect(!TextForm.named(form).fits(bad))
    }
}
