package dev.chargehand.tests;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Counts the threads that have not ended, virtual ones included, which {@code Thread.activeCount} leaves out. */
final class LiveThreads {

    private LiveThreads() {}

    static long count() {
        try {
            Path folder = Files.createTempDirectory("threads");
            Path dump = folder.resolve("dump.txt");
            try {
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
                try (Stream<String> lines = Files.lines(dump)) {
                    return lines.filter(line -> line.startsWith("#")).count();
                }
            } finally {
                Files.deleteIfExists(dump);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** Returns how many there are once no more than so many are left, or after many looks: a thread may be about to end. */
    static long settled(long most) {
        long now = count();
        for (int looks = 0; looks < 500 && now > most; looks++) {
            now = count();
        }
        return now;
    }
}
