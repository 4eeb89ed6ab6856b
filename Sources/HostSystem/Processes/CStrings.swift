import Glibc

/// Calls a function with C's form of a list of texts, which is valid during the call only.
package func withCStrings<Value>(_ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Value) -> Value {
    // strdup's copies live until they are freed here; the list ends with the null that C looks for.
    let pointers = texts.map { strdup($0) }
    defer { pointers.forEach { free($0) } }
    return body(pointers + [nil])
}
