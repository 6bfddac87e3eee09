package dev.chargehand.verify.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;

/**
 * What the process holds at one moment, after a collection.
 *
 * @param runs how many runs there have been
 * @param heap bytes of live objects
 * @param threads platform threads
 * @param descriptors open files and sockets
 * @param connections open connections of the provider
 * @param abandoned calls that were given up and are still running
 * @param stored bytes of the store on disk
 */
record Sample(long runs, long heap, int threads, long descriptors, int connections, int abandoned, long stored) {

    static Sample take(long runs, int connections, int abandoned, long stored) {
        return new Sample(
                runs,
                liveBytes(),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                openDescriptors(),
                connections,
                abandoned,
                stored);
    }

    private static long liveBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 3; i++) {
            System.gc();
            MemoryUsage used = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
            least = Math.min(least, used.getUsed());
        }
        return least;
    }

    private static long openDescriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0;
    }
}
