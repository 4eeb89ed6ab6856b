import HostSystem
import ViperKit

extension Manifest.Parameter: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case name, type, items
        case allowed = "enum"
        case minimum, maximum, summary
        case fallback = "default"
    }

    package init(from decoder: any Decoder) throws {
        let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
        name = try values.decode(.parameter, forKey: .name)
        summary = try values.decode(.summary, forKey: .summary)
        type = try values.decodeType()
        // If the default is null, the parameter is optional. If there is no default, an array defaults to an empty
        // array, and any other parameter is required.
        if !values.contains(.fallback) {
            presence = type.isArray ? .defaulted(.array([])) : .required
        } else if try values.decodeNil(forKey: .fallback) {
            presence = .optional
        } else {
            presence = .defaulted(try values.decodeDefault(type))
        }
    }
}

/// The valid values of the key `type`.
private enum TypeName: String, CaseIterable { case string, integer, number, boolean, array }

extension KeyedDecodingContainer<Manifest.Parameter.CodingKeys> {
    fileprivate func decodeType() throws -> ParameterType {
        let name = try decodeCase(TypeName.self, "type", forKey: .type)
        var type: ParameterType
        if let kind = ParameterType.Kind(rawValue: name.rawValue) {
            try refuse(.items, "only an array has items", "remove it, or write \"array\" for \"type\"")
            type = ParameterType(kind)
        } else {
            type = ParameterType(try decodeCase(ParameterType.Kind.self, "type", forKey: .items)).array
        }
        if contains(.allowed) { return try decodeEnumeration(type) }
        if ![.integer, .number].contains(type.kind) {
            for key in [Key.minimum, .maximum] {
                try refuse(key, "only an integer or a number has one", "remove it")
            }
        }
        type.minimum = contains(.minimum) ? try decodeScalar(type.kind, forKey: .minimum) : nil
        type.maximum = contains(.maximum) ? try decodeScalar(type.kind, forKey: .maximum) : nil
        if let minimum = type.minimum, let maximum = type.maximum, minimum > maximum {
            throw JSONIssue(
                path: codingPath + [Key.maximum], cause: "is \(maximum), expected at least the minimum, \(minimum)",
                fix: "write a maximum that is not less than the minimum")
        }
        return type
    }

    private func decodeEnumeration(_ type: ParameterType) throws -> ParameterType {
        for key in [Key.minimum, .maximum] {
            try refuse(key, "\"enum\" lists the allowed values already", "remove one of the two")
        }
        var type = type
        type.allowed = try decodeValues(type.kind, forKey: .allowed)
        if type.allowed.isEmpty {
            throw JSONIssue(
                path: codingPath + [Key.allowed], cause: "this has no values",
                fix: "list the allowed values, or remove \"enum\"")
        }
        var seen: Set<ParameterValue> = []
        for (index, value) in type.allowed.enumerated() where !seen.insert(value).inserted {
            var issue = JSONIssue(
                path: codingPath + [Key.allowed], cause: "\(value) occurs twice in \"enum\"",
                fix: "remove one of them")
            issue.path.append(.index(index))
            throw issue
        }
        return type
    }

    private func refuse(_ key: Key, _ cause: String, _ fix: String) throws {
        guard contains(key) else { return }
        throw JSONIssue(
            path: codingPath + [key], isAboutKey: true, cause: cause, fix: fix)
    }

    fileprivate func decodeDefault(_ type: ParameterType) throws -> ParameterValue {
        let value =
            type.isArray
            ? .array(try decodeValues(type.kind, forKey: .fallback)) : try decodeScalar(type.kind, forKey: .fallback)
        do throws(ParameterType.Mismatch) { return try type.value(from: value) } catch {
            throw JSONIssue(
                path: codingPath + [Key.fallback], cause: "the default \(error.predicate)",
                fix: "write an allowed value, or change the limits")
        }
    }

    private func decodeScalar(_ kind: ParameterType.Kind, forKey key: Key) throws -> ParameterValue {
        try checkFit(kind, forKey: key) {
            switch kind {
            case .string: .string(try decodeText(forKey: key))
            case .integer: .integer(try decode(Int.self, forKey: key))
            case .number: .number(try decode(Double.self, forKey: key))
            case .boolean: .boolean(try decode(Bool.self, forKey: key))
            }
        }
    }

    private func decodeValues(_ kind: ParameterType.Kind, forKey key: Key) throws -> [ParameterValue] {
        try checkFit(kind, forKey: key) {
            switch kind {
            case .string: try decodeTexts(forKey: key).map(ParameterValue.string)
            case .integer: try decodeList(of: Int.self, ManifestLimits.values, forKey: key).map(ParameterValue.integer)
            case .number: try decodeList(of: Double.self, ManifestLimits.values, forKey: key).map(ParameterValue.number)
            case .boolean: try decodeList(of: Bool.self, ManifestLimits.values, forKey: key).map(ParameterValue.boolean)
            }
        }
    }

    private func decodeTexts(forKey key: Key) throws -> [String] {
        let texts = try decodeList(of: String.self, ManifestLimits.values, forKey: key)
        for (index, text) in texts.enumerated() {
            guard var issue = excess(key, text, ManifestLimits.text) else { continue }
            issue.path.append(.index(index))
            throw issue
        }
        return texts
    }

    private func checkFit<Value>(
        _ kind: ParameterType.Kind, forKey key: Key, _ decode: () throws -> Value
    ) throws -> Value {
        do { return try decode() } catch  where error is DecodingError || error is JSONIssue {
            throw error
        } catch {
            // If a number does not fit the Swift type, JSONDecoder throws an error of another type, which has no path.
            let phrase = kind == .integer ? "a whole number of 64 bits" : "a number that a Double can hold"
            throw JSONIssue(
                path: codingPath + [key], cause: "the number does not fit the type \"\(kind.rawValue)\"",
                fix: "write \(phrase)")
        }
    }
}
