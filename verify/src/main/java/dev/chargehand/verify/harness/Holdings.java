package dev.chargehand.verify.harness;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What this process holds and has used. */
public final class Holdings {

    private static final int COLLECTIONS = 3;
    private static final Pattern NUMBERS = Pattern.compile("[0-9]+");

    private Holdings() {}

    /** Return the bytes of live objects, after collections. */
    public static long liveBytes() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
        }
        return least;
    }

    /** Return how many platform threads there are. */
    public static int threads() {
        return ManagementFactory.getThreadMXBean().getThreadCount();
    }

    /** Return what the names of the platform threads are, without their numbers, and how many threads have each. */
    public static String threadNames() {
        return Thread.getAllStackTraces().keySet().stream()
                .collect(Collectors.groupingBy(
                        thread -> NUMBERS.matcher(thread.getName()).replaceAll("#"),
                        TreeMap::new,
                        Collectors.counting()))
                .toString();
    }

    /** Return how many files and sockets are open; 0 where that is not known. */
    public static long descriptors() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0;
    }

    /** Return the processor time that the process has used. */
    public static Duration processorTime() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? Duration.ofNanos(system.getProcessCpuTime())
                : Duration.ZERO;
    }
}
