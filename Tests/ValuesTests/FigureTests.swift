import Testing

@testable import Values

@Suite struct FigureTests {
    @Test(arguments: [
        (0.0, "0.00"), (0.01234, "0.0123"), (1.5, "1.50"), (1.555, "1.56"), (45.14, "45.1"), (999.4, "999"),
        (1000, "1,000"), (104_512.4, "104,512"), (-1.5, "-1.50"), (.infinity, "–"), (9.999, "10.00"),
    ])
    func figure_hasAtLeastThreeDigits(value: Double, text: String) {
        #expect(Figure.text(value) == text)
    }
}
