/// The balances of companies, the largest first.
struct Balances: Sendable, Equatable {
    /// A company with the sum of its people's balances.
    struct Company: Sendable, Equatable {
        var name: String
        var amount: Amount
    }

    var companies: [Company]
    /// The number of people whose balance is not part of a sum: it is not an amount, has another currency, or is too large.
    var leftOut: Int

    /// Returns the balances of the companies of people. Runs off the main actor, because there may be many people.
    @concurrent
    static func balances(of people: [Person]) async -> Balances {
        var (sums, currency, leftOut) = ([String: Amount](), String?.none, 0)
        for person in people {
            // A chart compares its amounts, so they have the same currency.
            guard let amount = Amount(person.balance), amount.currency == currency ?? amount.currency,
                sums[person.company, default: Amount(currency: amount.currency)].add(amount)
            else {
                leftOut += 1
                continue
            }
            currency = amount.currency
        }
        let sorted = sums.sorted { ($1.value.cents, $0.key) < ($0.value.cents, $1.key) }
        return Balances(companies: sorted.map { Company(name: $0.key, amount: $0.value) }, leftOut: leftOut)
    }

    /// The sum of all companies. Nil if there are none, or if the sum is too large.
    var total: Amount? {
        guard var total = companies.first?.amount else { return nil }
        return companies.dropFirst().allSatisfy { total.add($0.amount) } ? total : nil
    }
}
