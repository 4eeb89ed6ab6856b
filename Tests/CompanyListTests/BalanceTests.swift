import Testing

@testable import CompanyList

struct AmountTests {
    @Test(
        "An amount is read and written with its currency, its sign and its separators",
        arguments: [
            ("$2,107.15", 210_715, "$2,107.15"), ("$0.05", 5, "$0.05"), ("$1234567.89", 123_456_789, "$1,234,567.89"),
            ("-$36.00", -3_600, "-$36.00"), ("€ 7.20", 720, "€ 7.20"), ("12", 1_200, "12.00"), ("$.5", nil, ""),
            ("", nil, ""), ("-", nil, ""), ("$", nil, ""), ("$1.5", nil, ""), ("$1.234", nil, ""), ("$1.2.3", nil, ""),
            ("$1e5", nil, ""), ("$1 000.00", nil, ""), ("much", nil, ""), ("$½.00", nil, ""), ("$٣.00", nil, ""),
            ("$99999999999999999999.00", nil, ""), ("$92233720368547758.07", .max, "$92,233,720,368,547,758.07"),
            ("-$92233720368547758.08", .min, "-$92,233,720,368,547,758.08"),
        ] as [(String, Int?, String)])
    func reading(text: String, cents: Int?, written: String) {
        let amount = Amount(text)
        #expect(amount?.cents == cents && amount?.text ?? "" == written)
    }

    @Test("Only amounts of the same currency are added, and no sum is too large")
    func adding() throws {
        func amount(_ text: String) throws -> Amount { try #require(Amount(text)) }
        var sum = try amount("$1.50")
        let (debt, euro, bare, cent) = (
            try amount("-$2.00"), try amount("€1.00"), try amount("1.00"), try amount("$0.01")
        )
        #expect(sum.add(debt) && sum.text == "-$0.50")
        #expect(!sum.add(euro) && !sum.add(bare) && sum.text == "-$0.50")
        sum.cents = .max
        #expect(!sum.add(cent) && sum.cents == .max)
    }
}

struct BalancesTests {
    private func people(_ balances: KeyValuePairs<String, String>) -> [Person] {
        balances.enumerated().map {
            Person(id: "\($0.offset)", first: "A", last: "B", company: $0.element.key, balance: $0.element.value)
        }
    }

    @Test("The balances of each company are added, and the largest comes first")
    func sums() async {
        let balances = await Balances.balances(
            of: people(["A": "$1.00", "C": "$2.00", "B": "$2.00", "A": "$4.50", "D": "-$1.00"]))
        #expect(
            balances.companies.map { "\($0.name) \($0.amount.text)" } == ["A $5.50", "B $2.00", "C $2.00", "D -$1.00"])
        #expect(balances.total?.text == "$8.50" && balances.leftOut == 0)
    }

    @Test("A balance that is not an amount, that has another currency or that is too large is left out")
    func leftOut() async {
        let balances = await Balances.balances(
            of: people([
                "A": "-", "A": "$92233720368547758.07", "A": "$0.01", "A": "€1.00", "B": "$0.01", "C": "much",
            ]))
        #expect(balances.companies.map(\.name) == ["A", "B"])
        #expect(balances.total == nil && balances.leftOut == 4)
        #expect(await Balances.balances(of: []) == Balances(companies: [], leftOut: 0))
    }
}
