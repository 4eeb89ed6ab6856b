package import FoundationEssentials
package import ViperKit

/// Decodes the content of a module's JSON file. This is the part of ``ViperKit/FileReader`` that does not depend on the
/// file's location.
package func decodeFile<Value: Decodable>(
    _ type: Value.Type, named name: String, from data: Data
) throws(ViperError) -> Value {
    let purpose = JSONText.Purpose(code: .fileMalformed, what: "cannot read file")
    guard data.contains(where: { !" \n\r\t".utf8.contains($0) }) else {
        throw ViperError(.fileEmpty, purpose.what, name, cause: "it is empty")
    }
    return try JSONText(name: name, data: data, purpose: purpose).decode(type)
}
