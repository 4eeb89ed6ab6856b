import Synchronization
import Testing

@testable import Web

/// The rules by which clients share a bound of the server.
struct PoolTests {
    /// A holder that remembers whether it has lost its lease.
    private final class Holder: LeaseHolder {
        private let state = Mutex(false)
        var hasLost: Bool { state.withLock(\.self) }
        func lose() { state.withLock { $0 = true } }
    }

    private static let bounds = Pool.Bounds(total: 10, share: 4, common: 2)

    @Test("A client holds at most its share, and gets room when a lease ends")
    func share() throws {
        let (pool, client) = (Pool(Self.bounds), Client())
        let first = try #require(pool.lease(3, to: client, for: nil))
        #expect(pool.lease(2, to: client, for: nil) == nil)
        #expect(first.grow(by: 1) && !first.grow(by: 1) && pool.isUsedUp(by: client))
        first.end()
        #expect(!first.grow(by: 1))
        var second = pool.lease(4, to: client, for: nil)
        #expect(second != nil)
        // A lease that nobody refers to has ended, too.
        second = nil
        #expect(pool.lease(4, to: client, for: nil) != nil)
    }

    @Test("In a full pool, a client that never sent a form loses first, and the newest lease of it")
    func forms() throws {
        let pool = Pool(Self.bounds)
        let (idle, user) = (Client(), Client(hasSentForm: true))
        let (older, newer, own) = (Holder(), Holder(), Holder())
        let leases = [
            pool.lease(2, to: idle, for: older), pool.lease(1, to: idle, for: newer), pool.lease(4, to: user, for: own),
        ]
        let other = Client(hasSentForm: true)
        let more = pool.lease(4, to: other, for: nil)
        #expect(more != nil && newer.hasLost && !older.hasLost && !own.hasLost)
        let last = pool.lease(2, to: Client(hasSentForm: true), for: nil)
        #expect(last != nil && older.hasLost && !own.hasLost)
        withExtendedLifetime((leases, more, last)) {}
    }

    @Test("In a full pool, the client that holds most loses to one that holds less, and nobody loses to an equal one")
    func amounts() throws {
        for hasSentForm in [true, false] {
            let pool = Pool(Self.bounds)
            let (large, small) = (Holder(), Holder())
            let leases = [
                pool.lease(3, to: Client(hasSentForm: hasSentForm), for: small),
                pool.lease(3, to: Client(hasSentForm: hasSentForm), for: nil),
                pool.lease(4, to: Client(hasSentForm: hasSentForm), for: large),
            ]
            let third = pool.lease(2, to: Client(hasSentForm: hasSentForm), for: nil)
            #expect(third != nil && large.hasLost && !small.hasLost)
            let equal = pool.lease(3, to: Client(hasSentForm: hasSentForm), for: nil)
            #expect(equal == nil && !small.hasLost)
            withExtendedLifetime((leases, third)) {}
        }
    }

    @Test("A client that never sent a form cannot take the place of one that has, and holds as little")
    func newcomers() throws {
        let pool = Pool(.init(total: 2, share: 2))
        let (first, second) = (Holder(), Holder())
        let leases = [
            pool.lease(1, to: Client(hasSentForm: true), for: first),
            pool.lease(1, to: Client(hasSentForm: true), for: second),
        ]
        #expect(pool.lease(1, to: Client(), for: nil) == nil)
        #expect(!first.hasLost && !second.hasLost)
        withExtendedLifetime(leases) {}
    }

    @Test("Requests without a session have an amount of their own, whatever others hold")
    func unknown() throws {
        let (pool, unknown) = (Pool(Self.bounds), Client(isKnown: false))
        let common = [pool.lease(1, to: unknown, for: nil), pool.lease(1, to: unknown, for: nil)]
        #expect(!common.contains { $0 == nil } && pool.lease(1, to: unknown, for: nil) == nil)
        let others = (0..<3).map { pool.lease($0 == 2 ? 2 : 4, to: Client(), for: nil) }
        #expect(!others.contains { $0 == nil })
        common[0]?.end()
        #expect(pool.lease(1, to: unknown, for: nil) != nil)
    }

    @Test(
        "Requests without a session displace the oldest ones of them that can lose, and probes have a share of their own"
    )
    func displacement() throws {
        let (pool, unknown, probes) = (Pool(Self.bounds), Client(isKnown: false), Client(isKnown: false))
        let holders = (0..<4).map { _ in Holder() }
        let kept = pool.lease(1, to: unknown, for: nil)
        let idle = pool.lease(0, to: unknown, for: holders[0])
        let first = pool.lease(1, to: unknown, for: holders[1])
        #expect(!pool.isUsedUp(by: unknown))
        let second = pool.lease(1, to: unknown, for: holders[2])
        #expect(holders.map(\.hasLost) == [false, true, false, false])
        #expect(second != nil && pool.lease(3, to: unknown, for: holders[3]) == nil)
        #expect(!holders[2].hasLost && pool.lease(2, to: unknown, for: holders[3]) == nil)
        #expect(holders.map(\.hasLost) == [false, true, true, false])
        let other = pool.lease(2, to: unknown, for: nil)
        #expect(other == nil && pool.lease(2, to: probes, for: nil) != nil)
        withExtendedLifetime((kept, idle, first, second)) {}
    }

    @Test("A lease without an amount is not lost, because that makes no room")
    func empty() throws {
        let (pool, idle) = (Pool(Self.bounds), Client())
        let (large, empty) = (Holder(), Holder())
        let leases = [
            pool.lease(4, to: idle, for: large), pool.lease(0, to: idle, for: empty),
            pool.lease(4, to: Client(hasSentForm: true), for: nil),
        ]
        #expect(pool.lease(3, to: Client(hasSentForm: true), for: nil) != nil && large.hasLost && !empty.hasLost)
        withExtendedLifetime(leases) {}
    }

    @Test("A small amount is always possible, and one that is larger than the share once, where a pool allows it")
    func exceptions() throws {
        let pool = Pool(.init(total: 10, share: 4, floor: 1, allowsOneLarge: true))
        let large = pool.lease(10, to: Client(hasSentForm: true), for: nil)
        #expect(large != nil && pool.lease(2, to: Client(hasSentForm: true), for: nil) == nil)
        #expect(pool.lease(1, to: Client(), for: nil) != nil)
    }

    @Test("A lease without a holder is never lost, and a lost one cannot grow")
    func holders() throws {
        let pool = Pool(.init(total: 4, share: 4))
        let holder = Holder()
        let lease = try #require(pool.lease(4, to: Client(), for: holder))
        lease.setHolder(nil)
        let user = Client(hasSentForm: true)
        #expect(pool.lease(1, to: user, for: nil) == nil && !holder.hasLost)
        lease.setHolder(holder)
        #expect(pool.lease(1, to: user, for: nil) != nil && holder.hasLost)
        #expect(!lease.grow(by: 0))
    }
}
