import HostSystem
package import ViperKit

/// A module's configuration. It combines the values from the settings with the defaults from the manifest.
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
                .parameterMissing, operation: "cannot read configuration", subject: "\(module).\(key)",
                cause: "it is unset",
                fix:
                    "declare it in the manifest's \"config\" with a default, or give --set \(module).\(key)=VALUE")
        }
        if let value = Value(parameter: value) { return value }
        throw ViperError(
            .parameterInvalid, operation: "cannot read configuration", subject: "\(module).\(key)",
            cause: "is \(value), expected \(type)",
            fix: "declare the same type in the manifest and in the module's code")
    }
}

extension Manifest {
    /// Returns the module's configuration under the given settings.
    ///
    /// - Throws: ``ViperError/Code/settingInvalid`` if a key is unknown, a value has the wrong type, or a required key
    ///   has no value.
    package func configuration(under settings: Settings) throws(ViperError) -> ModuleConfiguration {
        var values: [String: ParameterValue] = [:]
        // The items for arrays from the command line. Each command-line option adds one item.
        var typed: [String: [ParameterValue]] = [:]
        for setting in settings.values where setting.module == name {
            let value = try value(of: setting)
            values[setting.key] = value
            if case .text = setting.content, case .array(let items) = value { typed[setting.key, default: []] += items }
        }
        for (key, items) in typed { values[key] = .array(items) }
        for parameter in config where values[parameter.name] == nil {
            switch parameter.presence {
            case .defaulted(let value): values[parameter.name] = value
            case .optional: break
            case .required:
                throw ViperError(
                    .settingInvalid, operation: "cannot use module", subject: name,
                    cause: "its configuration does not set \"\(parameter.name)\"",
                    notes: [.init(parameter.name, parameter.summary)],
                    fix: "give --set \(name).\(parameter.name)=\(parameter.type.placeholder)")
            }
        }
        return ModuleConfiguration(module: name, values: values, keys: Set(config.map(\.name)))
    }

    /// Returns a setting's value, converted to the type that the manifest declares. If that type is an array, a string
    /// becomes an array with one item.
    ///
    /// - Throws: ``ViperError/Code/settingInvalid`` if the key is unknown or the value has the wrong type.
    func value(of setting: Settings.Value) throws(ViperError) -> ParameterValue {
        guard let parameter = config.first(where: { $0.name == setting.key }) else {
            let near = nearestNames(to: setting.key, in: config.map(\.name)).first
            let all = config.map(\.name).joined(separator: ", ")
            throw ViperError(
                .settingInvalid, operation: "cannot use", subject: setting.origin,
                cause: "\"\(name)\" has no key \"\(setting.key)\"",
                notes: [.init("keys", all.isEmpty ? "none" : all)],
                fix: near.map { "write \(name).\($0)" })
        }
        do throws(ParameterType.Mismatch) {
            switch setting.content {
            case .value(let value): return try parameter.type.value(from: value)
            case .text(let text): return try parameter.type.value(from: [text])
            }
        } catch {
            throw ViperError(
                .settingInvalid, operation: "cannot use", subject: setting.origin,
                cause: "\"\(setting.key)\" \(error.predicate)",
                notes: [.init(parameter.name, parameter.summary)])
        }
    }
}
