/// The request bodies of wages and workplaces.
enum PlacesBodies {
    /// A SalaryBody.
    ///
    /// - Parameter more: further members, replacing none.
    static func salary(
        type: String = "SALARY_MONTHLY",
        calculation: String = "SALARY_CALCULATION_HOURLY",
        hourly: String = "10030",
        fixed: String = "null",
        date: String = "10",
        day: String = #""MONDAY""#,
        more: String = ""
    ) -> String {
        """
        {"salaryType":"\(type)","salaryCalculation":"\(calculation)","hourlyRate":\(hourly),"fixedRate":\(fixed),\
        "salaryDate":\(date),"salaryDay":\(day),"hasNationalPension":false,"hasHealthInsurance":false,\
        "hasEmploymentInsurance":false,"hasIndustrialAccident":true,"hasIncomeTax":false,"hasHolidayAllowance":false,\
        "hasNightAllowance":true\(more)}
        """
    }

    /// The common part, without braces.
    static func common(_ name: String, category: String = "카페") -> String {
        #""workplaceName":"\#(name)","categoryName":"\#(category)","address":"서울","latitude":37.5,"longitude":127.0"#
    }

    static func personal(_ name: String, salary: String = salary(), more: String = "") -> String {
        #"{\#(common(name)),"workerBasedLabelColor":"RED","salaryCreateRequest":\#(salary)\#(more)}"#
    }

    static func shared(_ name: String, more: String = "") -> String {
        #"{\#(common(name)),"ownerBasedLabelColor":"NAVY"\#(more)}"#
    }

    static func join(_ code: String, color: String = "GREEN", salary: String = salary()) -> String {
        #"{"inviteCode":"\#(code)","workerBasedLabelColor":"\#(color)","salaryCreateRequest":\#(salary)}"#
    }

    /// The body of a worker's own change, or with `owner` of the owner's.
    static func change(color: String = "BLUE", owner: Bool = false, salary: String = salary()) -> String {
        #"{"\#(owner ? "owner" : "worker")BasedLabelColor":"\#(color)","salaryUpdateRequest":\#(salary)}"#
    }
}
