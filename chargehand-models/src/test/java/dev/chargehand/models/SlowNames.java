package dev.chargehand.models;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/** The name service of this module's tests: one that never says where {@link #HOST} is, as a dead one does. */
public final class SlowNames extends InetAddressResolverProvider {

    static final String HOST = "never-resolved.test";

    /** Down once somebody waits for the host. */
    static final CountDownLatch ASKED = new CountDownLatch(1);

    @Override
    public InetAddressResolver get(Configuration configuration) {
        InetAddressResolver usual = configuration.builtinResolver();
        return new InetAddressResolver() {
            @Override
            public Stream<InetAddress> lookupByName(String host, LookupPolicy policy) throws UnknownHostException {
                if (host.equals(HOST)) {
                    waitForever();
                }
                return usual.lookupByName(host, policy);
            }

            @Override
            public String lookupByAddress(byte[] address) throws UnknownHostException {
                return usual.lookupByAddress(address);
            }
        };
    }

    /** Nothing ends it, and no interrupt either, as nothing ends a lookup of the system. */
    private static void waitForever() {
        ASKED.countDown();
        new Semaphore(0).acquireUninterruptibly();
    }

    @Override
    public String name() {
        return "slow names";
    }
}
