/// The format of server-sent events.
enum ServerSentEvent {
    /// Returns an event as bytes.
    ///
    /// - Parameter data: Any text. A carriage return would end a line, so it becomes a line break.
    static func text(_ name: String, id: String, _ data: String) -> [UInt8] {
        var bytes = Array("event: \(name)\nid: \(id)\ndata: ".utf8)
        bytes.reserveCapacity(bytes.count + data.utf8.count * 9 / 8)
        for byte in data.utf8 {
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                bytes += "\ndata: ".utf8
            } else {
                bytes.append(byte)
            }
        }
        bytes += "\n\n".utf8
        return bytes
    }
}
