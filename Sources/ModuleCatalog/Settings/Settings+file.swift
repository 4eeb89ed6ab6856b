import FoundationEssentials
import Glibc
import HostSystem
package import ViperKit

extension Settings {
    /// Creates settings by reading the root's `host.json`. If the file is missing, the settings are empty. Relative
    /// folder paths are relative to the root.
    ///
    /// ```json
    /// { "data": ["people"], "state": "state", "start": "people",
    ///   "guards": { "account": ["people", "people/*"] }, "use": { "data-provider": "sqlite" }, "isolate": ["todo"],
    ///   "disabled": ["notes"], "workerEnvironment": ["API_HOST"], "set": { "todo": { "baseURL": "http://…" } } }
    /// ```
    ///
    /// - Throws: ``ViperError/Code/settingInvalid`` if the file cannot be read or is invalid. For an invalid file, the
    ///   error contains the line and the column. ``ViperError/Code/pathUntrusted`` if an untrusted user can change the
    ///   file or the root.
    package init(reading root: Root) throws(ViperError) {
        let purpose = SettingsFile.purpose
        let file: SettingsFile
        do {
            file = try SettingsFile(try root.open().file("host.json").read(limit: 1 << 20))
        } catch let failure as RegularFile.Failure {
            // A link without a target is not missing settings: guards may depend on them.
            var status = stat()
            if failure.isMissing, lstat("\(root.path)/host.json", &status) != 0 {
                self.init()
                return
            }
            throw failure.refusal(purpose.operation, "\(root.path)/host.json")
                ?? ViperError(.settingInvalid, operation: purpose.operation, subject: "host.json", cause: failure.cause)
        } catch {
            throw (error as? ViperError)
                ?? ViperError(.settingInvalid, operation: purpose.operation, subject: "host.json", cause: "\(error)")
        }
        // Modules keep files open in these folders. The root's path is resolved here, so that the folders stay the same
        // even if the root is a link that changes later.
        let folder = root.real.path
        func inRoot(_ path: String) -> String { isAbsolute(path) ? path : "\(folder)/\(path)" }
        self.init()
        dataFolders = file.data.map(inRoot)
        stateFolder = file.state.map(inRoot)
        (start, providers, guards) = (file.start, file.use, file.guards)
        servicesChosenInFile = Set(file.use.keys)
        (isolated, disabled) = (Set(file.isolate), Set(file.disabled))
        workerEnvironment = Set(file.workerEnvironment)
        values = file.set.sorted { $0.key < $1.key }.flatMap { module, values in
            values.sorted { $0.key < $1.key }.map { key, scalar in
                Value(module: module, key: key, value: scalar.value, origin: "host.json $.set.\(module).\(key)")
            }
        }
    }
}

extension Settings {
    /// Returns true if the string is a valid name for an environment variable.
    static func isVariableName(_ text: String) -> Bool {
        text.utf8.first.map { !isDigit($0) } ?? false
            && text.utf8.allSatisfy { isDigit($0) || $0 == UInt8(ascii: "_") || isLetter($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}

/// The content of `host.json`.
struct SettingsFile: Decodable {
    fileprivate static let purpose = JSONText.Purpose(code: .settingInvalid, operation: "cannot use")

    /// - Throws: ``ViperError/Code/settingInvalid`` with the line and the column.
    init(_ data: Data) throws(ViperError) {
        self = try JSONText(name: "host.json", data: data, purpose: Self.purpose).decode(Self.self)
    }

    enum CodingKeys: String, CodingKey, CaseIterable {
        case data, state, start, guards, use, isolate, disabled, workerEnvironment, set
    }

    var data: [String]
    var state: String?
    var start: String?
    var guards: [String: [String]]
    var use: [String: String]
    var isolate: [String]
    var disabled: [String]
    var workerEnvironment: [String]
    var set: [String: [String: Scalar]]

    init(from decoder: any Decoder) throws {
        let values = try decoder.strictContainer(keyedBy: CodingKeys.self)
        data = try values.decodeIfPresent([String].self, forKey: .data) ?? []
        state = try values.decodeIfPresent(String.self, forKey: .state)
        if state?.isEmpty == true {
            throw DecodingError.dataCorruptedError(forKey: .state, in: values, debugDescription: "it is empty")
        }
        start = try values.decodeIfPresent(String.self, forKey: .start)
        if start?.isEmpty == true {
            throw DecodingError.dataCorruptedError(forKey: .start, in: values, debugDescription: "it is empty")
        }
        guards = try values.decodeIfPresent([String: [String]].self, forKey: .guards) ?? [:]
        for pattern in guards.sorted(by: { $0.key < $1.key }).flatMap(\.value) {
            // A pattern that no route matches would leave a route open that somebody believes to be guarded.
            guard !Grammar.route.allows(pattern.hasSuffix("/*") ? String(pattern.dropLast(2)) : pattern) else {
                continue
            }
            throw DecodingError.dataCorruptedError(
                forKey: .guards, in: values,
                debugDescription: "\"\(pattern)\" is neither a route nor a route with /* after it")
        }
        // The system ends a path at a NUL character, and would use another folder.
        for (key, paths) in [(CodingKeys.data, data), (.state, state.map { [$0] } ?? [])]
        where paths.contains(where: { $0.utf8.contains(0) }) {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: values, debugDescription: "a path contains a NUL character")
        }
        use = try values.decodeIfPresent([String: String].self, forKey: .use) ?? [:]
        isolate = try values.decodeIfPresent([String].self, forKey: .isolate) ?? []
        disabled = try values.decodeIfPresent([String].self, forKey: .disabled) ?? []
        workerEnvironment = try values.decodeIfPresent([String].self, forKey: .workerEnvironment) ?? []
        if let name = workerEnvironment.first(where: { !Settings.isVariableName($0) }) {
            throw DecodingError.dataCorruptedError(
                forKey: .workerEnvironment, in: values,
                debugDescription: "\"\(name)\" is not a valid name of an environment variable")
        }
        set = try values.decodeIfPresent([String: [String: Scalar]].self, forKey: .set) ?? [:]
    }

    struct Scalar: Decodable {
        var value: ParameterValue

        var isArray: Bool {
            if case .array = value { true } else { false }
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                value = .boolean(flag)
            } else if let whole = try? container.decode(Int.self) {
                value = .integer(whole)
            } else if let number = try? container.decode(Double.self) {
                value = .number(number)
            } else if let items = try? container.decode([Scalar].self), !items.contains(where: \.isArray) {
                value = .array(items.map(\.value))
            } else {
                value = .string(try container.decode(String.self))
            }
        }
    }
}
