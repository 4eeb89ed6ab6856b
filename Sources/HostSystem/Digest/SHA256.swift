/// An implementation of SHA-256. The names and section numbers are taken from FIPS 180-4.
///
/// Hashing must also be fast in debug builds. The inner loops therefore use raw pointers and `while`, because without
/// optimization, ranges, array subscripts and closures are function calls.
enum SHA256 {
    /// Returns the hash of a message as eight words, in the order of the standard.
    static func hash(_ message: UnsafeRawBufferPointer) -> SIMD8<UInt32> {
        let whole = message.count / 64 * 64
        // 5.1.1: a 1 bit, zeros up to the end of a block, and the length in bits in the last eight bytes.
        var tail = [UInt8](message[whole...]) + [0x80]
        tail += [UInt8](repeating: 0, count: (tail.count <= 56 ? 56 : 120) - tail.count)
        tail += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - $0 * 8)) }
        var hash = initial
        compress(UnsafeRawBufferPointer(rebasing: message[..<whole]), into: &hash)
        tail.withUnsafeBytes { compress($0, into: &hash) }
        return hash
    }

    /// Updates the hash with each block of 64 bytes; see 6.2.2.
    private static func compress(_ blocks: UnsafeRawBufferPointer, into hash: inout SIMD8<UInt32>) {
        // All accesses are in bounds. The schedule and the constants have 64 words, there are 64 rounds, and the size
        // of the blocks is a multiple of 64 bytes.
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            constants.withUnsafeBufferPointer { constants in
                guard var block = blocks.baseAddress, let w = schedule.baseAddress, let k = constants.baseAddress
                else { return }
                let end = block + blocks.count
                while block < end {
                    prepare(w, from: block)
                    var (a, b, c, d) = (hash[0], hash[1], hash[2], hash[3])
                    var (e, f, g, h) = (hash[4], hash[5], hash[6], hash[7])
                    var t = 0
                    while t < 64 {
                        let sum1 = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
                        let t1 = h &+ sum1 &+ (g ^ (e & (f ^ g))) &+ k[t] &+ w[t]
                        let sum0 = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
                        let t2 = sum0 &+ ((a & b) | (c & (a | b)))
                        (h, g, f, e, d, c, b, a) = (g, f, e, d &+ t1, c, b, a, t1 &+ t2)
                        t += 1
                    }
                    hash = hash &+ SIMD8(a, b, c, d, e, f, g, h)
                    block += 64
                }
            }
        }
    }

    /// Prepares the message schedule for a block; see 6.2.2, step 1.
    private static func prepare(_ w: UnsafeMutablePointer<UInt32>, from block: UnsafeRawPointer) {
        var t = 0
        while t < 16 {
            w[t] = block.loadUnaligned(fromByteOffset: t &* 4, as: UInt32.self).bigEndian
            t += 1
        }
        while t < 64 {
            let (x, y) = (w[t - 15], w[t - 2])
            let sigma0 = (x &>> 7 | x &<< 25) ^ (x &>> 18 | x &<< 14) ^ x &>> 3
            let sigma1 = (y &>> 17 | y &<< 15) ^ (y &>> 19 | y &<< 13) ^ y &>> 10
            w[t] = w[t - 16] &+ sigma0 &+ w[t - 7] &+ sigma1
            t += 1
        }
    }

    /// The initial hash value of FIPS 180-4, section 5.3.3: the first 32 bits of the fractional parts of the square roots
    /// of the first eight primes.
    private static let initial = SIMD8<UInt32>(
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)

    /// The constants of FIPS 180-4, section 4.2.2: the first 32 bits of the fractional parts of the cube roots of the
    /// first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}
