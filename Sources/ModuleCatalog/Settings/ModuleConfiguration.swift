import HostSystem
package import ViperKit

/// The configuration of one module: the values of the settings, and the defaults of the manifest.
package struct ModuleConfiguration: Configuration {
    let module: String
    package let values: [String: ParameterValue]
    /// The keys that the manifest declares.
    let keys: Set<String>

    package init(module: String, values: [String: ParameterValue], keys: Set<String> = []) {
        (self.module, self.values, self.keys) = (module, values, keys)
    }

    package func valueIfPresent<Value: ParameterConvertible>(
        _ key: String, as type: Value.Type
    ) throws(ViperError) -> Value? {
        if values[key] == nil, keys.contains(key) { return nil }
        return try value(key, as: type)
    }

    package func value<Value: ParameterConvertible>(
        _ key: String, as type: Value.Type
    ) throws(ViperError) -> Value {
        guard let value = values[key] else {
            throw ViperError(
                .parameterMissing, "cannot read configuration", "\(module).\(key)", cause: "it is unset",
                recoverySuggestion:
                    "declare it in the manifest's \"config\" with a default, or give --set \(module).\(key)=VALUE")
        }
        if let value = Value(parameter: value) { return value }
        throw ViperError(
            .parameterType, "cannot read configuration", "\(module).\(key)", cause: "\(value) is no \(type)",
            recoverySuggestion: "ask for the type that the manifest declares")
    }
}

extension Manifest {
    /// Returns the module's configuration with these settings.
    ///
    /// - Throws: ``ViperError/Code/settingInvalid`` if a key is unknown, a value has the wrong type, or a required key
    ///   has no value.
    package func configuration(under settings: Settings) throws(ViperError) -> ModuleConfiguration {
        var values: [String: ParameterValue] = [:]
        for setting in settings.values where setting.module == name {
            values[setting.key] = try value(of: setting)
        }
        for parameter in config where values[parameter.name] == nil {
            switch parameter.presence {
            case .defaulted(let value): values[parameter.name] = value
            case .optional: break
            case .required:
                throw ViperError(
                    .settingInvalid, "cannot use module", name,
                    cause: "its configuration does not set \"\(parameter.name)\"",
                    notes: [.init(parameter.name, parameter.summary)],
                    recoverySuggestion: "give --set \(name).\(parameter.name)=\(parameter.type.rawValue.uppercased())")
            }
        }
        return ModuleConfiguration(module: name, values: values, keys: Set(config.map(\.name)))
    }

    /// Returns the value of a setting as the type that the manifest declares.
    ///
    /// - Throws: ``ViperError/Code/settingInvalid`` if the key is unknown or the value has the wrong type.
    func value(of setting: Settings.Value) throws(ViperError) -> ParameterValue {
        guard let parameter = config.first(where: { $0.name == setting.key }) else {
            let near = nearestNames(to: setting.key, in: config.map(\.name)).first
            let all = config.map(\.name).joined(separator: ", ")
            throw ViperError(
                .settingInvalid, "cannot use", setting.origin, cause: "\"\(name)\" has no key \"\(setting.key)\"",
                notes: [.init("keys", all.isEmpty ? "none" : all)],
                recoverySuggestion: near.map { "write \(name).\($0)" })
        }
        let value =
            switch setting.content {
            case .text(let text): parameter.type.value(from: text)
            case .value(let value): parameter.type.value(from: value)
            }
        if let value { return value }
        let written =
            switch setting.content {
            case .text(let text): text
            case .value(let value): value.text
            }
        throw ViperError(
            .settingInvalid, "cannot use", setting.origin,
            cause: "\"\(setting.key)\" is \(parameter.type.phrase), not \"\(written)\"",
            notes: [.init(parameter.name, parameter.summary)])
    }
}
