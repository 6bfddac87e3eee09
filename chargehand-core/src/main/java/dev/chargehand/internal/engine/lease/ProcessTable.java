package dev.chargehand.internal.engine.lease;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * The processes of this machine as this process sees them: Linux's {@code /proc}. Elsewhere nothing is known of others.
 *
 * @param proc where it is mounted
 */
record ProcessTable(Path proc) {

    static final ProcessTable OF_THIS_MACHINE = new ProcessTable(Path.of("/proc"));

    /** The place of the start time among the fields after the name of the program, which may contain anything. */
    private static final int START_AFTER_NAME = 22 - 3;

    /**
     * Return the space in which process ids and start times mean something: a boot of the machine and the namespaces
     * that they are counted in. Nothing if the table is not that of this process.
     */
    Optional<String> space() {
        try {
            Path self = proc.resolve("self");
            if (!Files.readSymbolicLink(self).toString().equals(String.valueOf(ownId()))) {
                return Optional.empty(); // it is the table of another namespace
            }
            String boot =
                    Files.readString(proc.resolve("sys/kernel/random/boot_id")).strip();
            return Optional.of(boot + "/" + namespace("pid") + "/" + namespace("time"));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    private String namespace(String kind) throws IOException {
        try {
            return Files.readSymbolicLink(proc.resolve("self/ns").resolve(kind))
                    .toString()
                    .replaceAll("[^0-9]", "");
        } catch (NoSuchFileException e) {
            return ""; // a kernel that does not have it
        }
    }

    static long ownId() {
        return ProcessHandle.current().pid();
    }

    /**
     * Return when a process started, in ticks since the boot: unlike a time of day it stays the same when the clock is
     * set. Nothing if it cannot be read.
     */
    Optional<Long> startOf(long processId) {
        try {
            return Optional.of(readStart(processId));
        } catch (IOException | RuntimeException e) {
            return Optional.empty();
        }
    }

    /**
     * Return whether it is certain that a process which started then exists no more; what cannot be seen may be alive.
     */
    boolean isGone(long processId, long start) {
        try {
            return readStart(processId) != start;
        } catch (NoSuchFileException e) {
            return showsAll();
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }

    private long readStart(long processId) throws IOException {
        String stat = Files.readString(proc.resolve(String.valueOf(processId)).resolve("stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        return Long.parseLong(fields[START_AFTER_NAME]);
    }

    /** With {@code hidepid} a table does not show the processes of other users. */
    private boolean showsAll() {
        try {
            String options = "";
            for (String line : Files.readAllLines(proc.resolve("self/mounts"))) {
                String[] fields = line.split(" ", -1);
                if (fields[1].equals("/proc") && fields[2].equals("proc")) {
                    options = fields[3]; // the last one is the one that is seen
                }
            }
            return !options.isEmpty()
                    && Arrays.stream(options.split(",", -1))
                            .noneMatch(option -> option.startsWith("subset=")
                                    || (option.startsWith("hidepid=")
                                            && !option.equals("hidepid=0")
                                            && !option.equals("hidepid=off")));
        } catch (IOException | RuntimeException e) {
            return false;
        }
    }
}
