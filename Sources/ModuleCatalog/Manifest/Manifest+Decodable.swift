import HostSystem
import ViperKit

extension Manifest: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case schema = "$schema"
        case kind, name, version, library, sdk, routes, requires, optional, collects, provides, resources, config,
            isolation
        case contributes, contracts, runs, opens, author, license, homepage
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
        if values.contains(.schema) { _ = try values.decodeText(forKey: .schema) }
        kind = values.contains(.kind) ? try values.decodeCase(Kind.self, "kind", forKey: .kind) : .module
        name = try values.decode(.name, forKey: .name)
        version = try values.decode(.version, forKey: .version)
        library = try values.decode(.library, forKey: .library)
        let sdkText = try values.decode(.sdk, forKey: .sdk)
        guard let sdk = InterfaceVersion(sdkText) else { throw values.issue(.sdk, .sdk) }
        self.sdk = sdk
        routes = try values.decodeList(of: Route.self, ManifestLimits.routes, forKey: .routes)
        requires = try values.decodeNames(forKey: .requires)
        optional = try values.decodeNames(forKey: .optional)
        collects = try values.decodeNames(forKey: .collects)
        provides = try values.decodeNames(forKey: .provides)
        resources = values.contains(.resources) ? try values.decode(.folder, forKey: .resources) : nil
        config = try values.decodeList(of: Parameter.self, ManifestLimits.config, forKey: .config)
        isolation =
            values.contains(.isolation) ? try values.decodeCase(Isolation.self, "isolation", forKey: .isolation) : .none
        contributes = try values.decodeContributions(forKey: .contributes)
        contracts = try values.decodeContracts(forKey: .contracts)
        runs = try values.decodeRuns(forKey: .runs)
        opens = try values.decodeNames(.openedRoute, ManifestLimits.routes, forKey: .opens)
        author = values.contains(.author) ? try values.decode(.summary, forKey: .author) : nil
        license = values.contains(.license) ? try values.decode(.summary, forKey: .license) : nil
        homepage = values.contains(.homepage) ? try values.decode(.address, forKey: .homepage) : nil
        if kind == .contract { try values.checkKeysOfContract(version: version) }
        if isolation == .process, let service = provides.first {
            throw JSONIssue(
                path: values.codingPath + [CodingKeys.isolation],
                cause: "it provides \"\(service)\", and a service cannot be used from another process",
                fix: "isolate the modules that use it: each gets its own provider")
        }
        try values.refuseRepetition(of: routes.map(\.name), forKey: .routes)
        if let index = optional.firstIndex(where: Set(requires).contains) {
            var issue = JSONIssue(
                path: values.codingPath + [CodingKeys.optional],
                cause: "\"\(optional[index])\" is also in \"requires\"",
                fix: "remove it from one of the two")
            issue.path.append(.index(index))
            throw issue
        }
        try values.refuseRepetition(of: config.map(\.name), forKey: .config)
    }
}

extension Manifest.Route: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable { case name, summary, parameters }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try values.decode(.route, forKey: .name)
        summary = try values.decode(.summary, forKey: .summary)
        parameters = try values.decodeList(
            of: Manifest.Parameter.self, ManifestLimits.parameters, forKey: .parameters)
        try values.refuseRepetition(of: parameters.map(\.name), forKey: .parameters)
    }
}

// These methods check values while decoding, and throw errors that suggest a fix.
extension KeyedDecodingContainer {
    func decode(_ grammar: Grammar, forKey key: Key) throws -> String {
        let text = try decode(String.self, forKey: key)
        if let issue = issue(key, grammar, text) { throw issue }
        return text
    }

    fileprivate func issue(_ key: Key, _ grammar: Grammar, _ text: String) -> JSONIssue? {
        if let issue = excess(key, text, grammar.longest) { return issue }
        return grammar.accepts(text) ? nil : issue(key, grammar)
    }

    fileprivate func issue(_ key: Key, _ grammar: Grammar) -> JSONIssue {
        JSONIssue(
            path: codingPath + [key], cause: "this is not a valid \"\(key.stringValue)\"",
            fix: "write \(grammar.fix)")
    }

    /// Returns an issue if a string has too many Unicode scalars. Returns nil otherwise.
    func excess(_ key: Key, _ text: String, _ longest: Int) -> JSONIssue? {
        let length = text.unicodeScalars.count
        if length <= longest { return nil }
        return JSONIssue(
            path: codingPath + [key], cause: "it has \(length) characters, more than the limit of \(longest)",
            fix: "write at most \(longest) characters")
    }

    /// Decodes a string. Throws an error if the string is longer than ``ManifestLimits/text``.
    func decodeText(forKey key: Key) throws -> String {
        let text = try decode(String.self, forKey: key)
        if let issue = excess(key, text, ManifestLimits.text) { throw issue }
        return text
    }

    /// Decodes a list. Returns an empty list if the key is missing. Throws if the value is null or the list has too
    /// many elements.
    func decodeList<Element: Decodable>(
        of type: Element.Type, _ limit: ManifestLimits.List, forKey key: Key
    ) throws -> [Element] {
        guard contains(key) else { return [] }
        // Checks the count before any element is decoded.
        if let count = try nestedUnkeyedContainer(forKey: key).count, count > limit.count {
            throw JSONIssue(
                path: codingPath + [key],
                cause: "it has \(count) \(limit.elements), more than the limit of \(limit.count)",
                fix: limit.fix)
        }
        return try decode([Element].self, forKey: key)
    }

    fileprivate func decodeNames(
        _ grammar: Grammar = .name, _ limit: ManifestLimits.List = ManifestLimits.services, forKey key: Key
    ) throws -> [String] {
        let names = try decodeList(of: String.self, limit, forKey: key)
        for (index, name) in names.enumerated() {
            guard var issue = issue(key, grammar, name) else { continue }
            issue.path.append(.index(index))
            throw issue
        }
        try refuseRepetition(of: names, forKey: key)
        return names
    }

    /// Decodes a case from its raw value. If the raw value is unknown, throws an error that lists the valid raw values.
    func decodeCase<Value: RawRepresentable<String> & CaseIterable>(
        _ type: Value.Type, _ what: String, forKey key: Key
    ) throws -> Value {
        let text = try decode(String.self, forKey: key)
        if let value = Value(rawValue: text) { return value }
        let names = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw JSONIssue(
            path: codingPath + [key], cause: "unknown \(what) \"\(text)\"",
            fix: "write one of \(names)")
    }

    fileprivate func refuseRepetition(of names: [String], forKey key: Key) throws {
        var seen: Set<String> = []
        for (index, name) in names.enumerated() where !seen.insert(name).inserted {
            var issue = JSONIssue(
                path: codingPath + [key], cause: "\"\(name)\" occurs twice in \"\(key.stringValue)\"",
                fix: "remove or rename one of them")
            issue.path.append(.index(index))
            throw issue
        }
    }
}
