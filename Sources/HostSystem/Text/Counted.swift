/// Returns a number with its noun, which gets an "s" unless the number is 1.
package func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
