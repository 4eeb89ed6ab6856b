package import FoundationEssentials
package import ViperKit

/// The content of a module's JSON file; the part of ``ViperKit/FileReader`` that does not depend on where files are.
package func decodeFile<Value: Decodable>(
    _ type: Value.Type, named name: String, from data: Data
) throws(ViperError) -> Value {
    let purpose = JSONText.Purpose(code: .fileMalformed, what: "cannot read file")
    // In a file that has more than white space it comes early.
    guard data.contains(where: { !" \n\r\t".utf8.contains($0) }) else {
        throw ViperError(.fileEmpty, purpose.what, name, cause: "it is empty")
    }
    return try JSONText(name: name, data: data, purpose: purpose).decode(type)
}
