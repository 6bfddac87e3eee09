package dev.chargehand.verify.cancel;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** Counts the threads that have not ended, virtual ones included, which {@code Thread.activeCount} leaves out. */
final class LiveThreads {

    private LiveThreads() {}

    static int count() {
        try {
            Path folder = Files.createTempDirectory("threads");
            Path dump = folder.resolve("dump.txt");
            try {
                ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                        .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.TEXT_PLAIN);
                try (Stream<String> lines = Files.lines(dump)) {
                    return (int) lines.filter(line -> line.startsWith("#")).count();
                }
            } finally {
                Files.deleteIfExists(dump);
                Files.delete(folder);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
