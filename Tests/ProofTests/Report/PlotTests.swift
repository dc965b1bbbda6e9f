import Testing

@testable import Proof

struct PlotTests {
    @Test(arguments: [0, 7, 40, 0.03] as [Double])
    func axis_hasRoundTicks_upToTheLargestValue(most: Double) {
        let known: [Double: [Double]] = [
            0: [0, 0.5, 1], 7: [0, 2, 4, 6, 8], 40: [0, 10, 20, 30, 40], 0.03: [0, 0.01, 0.02, 0.03],
        ]
        let ticks = PlotScale([most]).ticks
        #expect(ticks.count == known[most]?.count)
        #expect(zip(ticks, known[most] ?? []).allSatisfy { abs($0 - $1) < 1e-9 }, "\(ticks)")
    }

    @Test func logarithmicAxis_hasPowersOfTen() {
        let scale = PlotScale([3, 250], isLogarithmic: true)
        #expect(scale.ticks == [1, 10, 100, 1000])
        #expect(abs(scale.place(10) - 1.0 / 3) < 1e-9 && scale.place(0) == 0 && scale.place(1e9) == 1)
        #expect(PlotScale([Double](), isLogarithmic: true).ticks == [1, 10])
    }

    @Test func times_areShort() {
        #expect(Plot.time(45) == "45 s" && Plot.time(605) == "10:05" && Plot.time(0) == "0 s")
    }

    @Test func titlesAndNames_areEscaped() {
        let series = [
            Plot.Series(name: "<a>", tone: 0, points: [(1, 2), (3, 4)]),
            Plot.Series(name: "<b>", tone: 1, points: [(1, 1), (3, 1)]),
        ]
        for form in [Plot.Form.lines, .stackedAreas] {
            let figure = Plot(title: "<t>", seconds: 10, series: series, form: form, limit: 3).figure
            #expect(!figure.contains("<a>") && !figure.contains("<b>") && !figure.contains("<t>"))
            #expect(figure.contains("class=\"limit\"") && figure.contains("viewBox=\"0 0 360 150\""))
            #expect(figure.split(separator: form == .lines ? "<polyline" : "<polygon").count == 3)
        }
    }

    @Test func emptyPlot_isAFrame() {
        let figure = Plot(title: "nothing", seconds: 0, series: [], form: .stackedAreas).figure
        #expect(figure.contains("<svg") && !figure.contains("nan"))
    }
}
