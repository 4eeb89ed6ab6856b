import HostSystem
package import ViperKit

extension Manifest {
    /// Returns the module's configuration, with values from the settings and defaults from the manifest.
    ///
    /// - Throws: ``ViperError/Code/settingInvalid`` if a key is unknown, a value has the wrong type, or a required key
    ///   has no value.
    package func configuration(under settings: Settings) throws(ViperError) -> Configuration {
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
        return Configuration(values, unset: Set(config.map(\.name)).subtracting(values.keys), module: name)
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
