package import FoundationEssentials
package import ViperKit

/// Decodes the content of a module's JSON file. Implementations of ``ViperKit/FileReader`` call this function after
/// reading the file.
package func decodeFile<Value: Decodable>(
    _ type: Value.Type, named name: String, from data: Data
) throws(ViperError) -> Value {
    let purpose = JSONText.Purpose(code: .fileMalformed, operation: "cannot read file")
    guard data.contains(where: { !" \n\r\t".utf8.contains($0) }) else {
        throw ViperError(.fileEmpty, operation: purpose.operation, subject: name, cause: "it is empty")
    }
    return try JSONText(name: name, data: data, purpose: purpose).decode(type)
}
