import JSONRPC

/// The parameters of `why`, which explains what has a name.
package struct WhyCall: CallParameters, Encodable, Sendable {
    package enum CodingKeys: String, CodingKey, CaseIterable { case name }

    package var name: String

    package init(name: String) { self.name = name }
}
