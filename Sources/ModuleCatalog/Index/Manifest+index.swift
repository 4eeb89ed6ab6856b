import ViperKit

extension Manifest {
    /// The manifest as bytes. Manifests with equal bytes are indistinguishable. Equal manifests can still differ in the
    /// form of their Unicode characters.
    package var bytes: [UInt8] {
        var writer = IndexWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Returns true if two manifests have the same name, and declare the same routes and services for the same version
    /// of ViperKit.
    package func declaresTheSame(as other: Manifest) -> Bool {
        var other = other
        // The modules that use a contract depend on its version and its library.
        if kind == .module { (other.version, other.library) = (version, library) }
        other.resources = resources
        (other.config, other.isolation, other.contributes) = (config, isolation, contributes)
        (other.runs, other.opens) = (runs, opens)
        (other.author, other.license, other.homepage) = (author, license, homepage)
        return self == other && bytes == other.bytes
    }

    func write(to writer: inout IndexWriter) {
        for text in [name, version, library] { writer.add(text) }
        writer.add(sdk.major)
        writer.add(sdk.minor)
        writer.add(routes) { writer, route in
            writer.add(route.name)
            writer.add(route.summary)
            writer.add(route.parameters) { $1.write(to: &$0) }
        }
        for names in [requires, optional, collects, provides] { writer.add(names) { $0.add($1) } }
        writer.add(resources) { $0.add($1) }
        writer.add(config) { $1.write(to: &$0) }
        writer.add(isolation.rawValue)
        writer.add(contributes.sorted { $0.key < $1.key }) { writer, point in
            writer.add(point.key)
            writer.add(point.value) { $0.add($1) }
        }
        writer.add(kind.rawValue)
        writer.add(contracts.sorted { $0.key < $1.key }) { writer, contract in
            writer.add(contract.key)
            writer.add(contract.value.major)
            writer.add(contract.value.minor)
        }
        writer.add(runs.rawValue)
        writer.add(opens) { $0.add($1) }
        for text in [author, license, homepage] { writer.add(text) { $0.add($1) } }
    }

    init(from reader: inout IndexReader) throws(IndexReader.Damage) {
        (name, version, library) = (try reader.text(), try reader.text(), try reader.text())
        sdk = InterfaceVersion(major: try reader.integer(), minor: try reader.integer())
        routes = try reader.list { reader throws(IndexReader.Damage) in
            Route(
                name: try reader.text(), summary: try reader.text(),
                parameters: try reader.list { reader throws(IndexReader.Damage) in try Parameter(from: &reader) })
        }
        func names() throws(IndexReader.Damage) -> [String] {
            try reader.list { reader throws(IndexReader.Damage) in try reader.text() }
        }
        (requires, optional, collects, provides) = (try names(), try names(), try names(), try names())
        resources = try reader.optional { reader throws(IndexReader.Damage) in try reader.text() }
        config = try reader.list { reader throws(IndexReader.Damage) in try Parameter(from: &reader) }
        isolation = try reader.rawValue()
        let points = try reader.list { reader throws(IndexReader.Damage) in
            let point = try reader.text()
            return (point, try reader.list { reader throws(IndexReader.Damage) in try reader.text() })
        }
        contributes = Dictionary(points) { $1 }
        kind = try reader.rawValue()
        let versions = try reader.list { reader throws(IndexReader.Damage) in
            (
                try reader.text(),
                InterfaceVersion(major: try reader.integer(), minor: try reader.integer())
            )
        }
        contracts = Dictionary(versions) { $1 }
        runs = try reader.rawValue()
        opens = try names()
        func text() throws(IndexReader.Damage) -> String? {
            try reader.optional { reader throws(IndexReader.Damage) in try reader.text() }
        }
        (author, license, homepage) = (try text(), try text(), try text())
    }
}

extension Manifest.Parameter {
    fileprivate func write(to writer: inout IndexWriter) {
        writer.add(name)
        writer.add(type.kind.rawValue)
        writer.add(type.isArray)
        writer.add(type.allowed) { $1.write(to: &$0) }
        writer.add(type.minimum) { $1.write(to: &$0) }
        writer.add(type.maximum) { $1.write(to: &$0) }
        writer.add(presence == .required)
        let standard: ParameterValue? = if case .defaulted(let value) = presence { value } else { nil }
        writer.add(standard) { $1.write(to: &$0) }
        writer.add(summary)
    }

    fileprivate init(from reader: inout IndexReader) throws(IndexReader.Damage) {
        func value() throws(IndexReader.Damage) -> ParameterValue? {
            try reader.optional { reader throws(IndexReader.Damage) in try ParameterValue(from: &reader) }
        }
        name = try reader.text()
        type = ParameterType(try reader.rawValue())
        type.isArray = try reader.flag()
        type.allowed = try reader.list { reader throws(IndexReader.Damage) in try ParameterValue(from: &reader) }
        (type.minimum, type.maximum) = (try value(), try value())
        let (isRequired, standard) = (try reader.flag(), try value())
        presence = standard.map { .defaulted($0) } ?? (isRequired ? .required : .optional)
        summary = try reader.text()
    }
}

extension ParameterValue {
    fileprivate func write(to writer: inout IndexWriter) {
        switch self {
        case .string(let text):
            writer.add(0)
            writer.add(text)
        case .integer(let number):
            writer.add(1)
            writer.add(number)
        case .number(let number):
            writer.add(2)
            writer.add(number.bitPattern)
        case .boolean(let flag):
            writer.add(3)
            writer.add(flag)
        case .array(let values):
            writer.add(4)
            writer.add(values) { $1.write(to: &$0) }
        @unknown default:
            // The reader does not know this number, so it reports the index as damaged, and the host writes the index
            // again.
            writer.add(5)
        }
    }

    fileprivate init(from reader: inout IndexReader) throws(IndexReader.Damage) {
        let kind = try reader.integer()
        if kind != 4 {
            try self.init(scalar: kind, from: &reader)
        } else {
            self = .array(
                try reader.list { reader throws(IndexReader.Damage) in
                    try ParameterValue(scalar: try reader.integer(), from: &reader)
                })
        }
    }

    private init(scalar kind: Int, from reader: inout IndexReader) throws(IndexReader.Damage) {
        switch kind {
        case 0: self = .string(try reader.text())
        case 1: self = .integer(try reader.integer())
        case 2: self = .number(Double(bitPattern: try reader.number()))
        case 3: self = .boolean(try reader.flag())
        default: throw IndexReader.Damage()
        }
    }
}

extension IndexReader {
    fileprivate mutating func rawValue<Value: RawRepresentable<String>>() throws(Damage) -> Value {
        guard let value = Value(rawValue: try text()) else { throw Damage() }
        return value
    }
}
