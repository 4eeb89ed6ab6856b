import HostSystem
import ViperKit

// Manifests are encoded in the format of manifest files. Decoding an encoded manifest produces an equal manifest.
extension Manifest: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encode(version, forKey: .version)
        try values.encode(library, forKey: .library)
        try values.encode(sdk.description, forKey: .sdk)
        try values.encodeIfPresent(author, forKey: .author)
        try values.encodeIfPresent(license, forKey: .license)
        try values.encodeIfPresent(homepage, forKey: .homepage)
        if kind == .contract { return try values.encode(kind.rawValue, forKey: .kind) }
        try values.encode(routes, forKey: .routes)
        try values.encode(requires, forKey: .requires)
        try values.encode(optional, forKey: .optional)
        if !collects.isEmpty { try values.encode(collects, forKey: .collects) }
        try values.encode(provides, forKey: .provides)
        try values.encodeIfPresent(resources, forKey: .resources)
        try values.encode(config, forKey: .config)
        try values.encode(isolation.rawValue, forKey: .isolation)
        if !contracts.isEmpty { try values.encode(contracts.mapValues(\.description), forKey: .contracts) }
        switch runs {
        case .never: break
        case .serving: try values.encode(true, forKey: .runs)
        case .configured, .always: try values.encode(runs.rawValue, forKey: .runs)
        }
        if !opens.isEmpty { try values.encode(opens, forKey: .opens) }
        if !contributes.isEmpty { try values.encode(decodedContributions(), forKey: .contributes) }
    }
}

extension Manifest.Route: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encode(summary, forKey: .summary)
        try values.encode(parameters, forKey: .parameters)
    }
}

extension Manifest.Parameter: Encodable {
    package func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(name, forKey: .name)
        try values.encode(type.isArray ? "array" : type.kind.rawValue, forKey: .type)
        if type.isArray { try values.encode(type.kind.rawValue, forKey: .items) }
        if !type.allowed.isEmpty { try values.encode(type.allowed.map(JSONValue.init), forKey: .allowed) }
        try values.encodeIfPresent(type.minimum.map(JSONValue.init), forKey: .minimum)
        try values.encodeIfPresent(type.maximum.map(JSONValue.init), forKey: .maximum)
        try values.encode(summary, forKey: .summary)
        switch presence {
        case .required: break
        case .optional: try values.encodeNil(forKey: .fallback)
        case .defaulted(let value): try values.encode(JSONValue(value), forKey: .fallback)
        }
    }
}
