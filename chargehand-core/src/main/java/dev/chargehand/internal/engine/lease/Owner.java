package dev.chargehand.internal.engine.lease;

import java.util.Optional;

/**
 * Names a runtime as the owner of runs, so that a process on the same machine can find out that it is certainly dead.
 *
 * @param space where the process id and the start mean something; see {@link ProcessTable#space}
 * @param processId the process
 * @param start when the process started, in ticks since the boot, since process ids are used again
 * @param runtime distinguishes the runtimes of one process
 */
record Owner(String space, long processId, long start, String runtime) {

    /** What a start starts with: earlier versions wrote a time of day, which says nothing once the clock was set. */
    private static final String TICKS = "t";

    /** Return a name for a runtime of this process. */
    static String nameInThisProcess(ProcessTable table, String runtime) {
        long processId = ProcessTable.ownId();
        Optional<String> space = table.space();
        Optional<Long> start = table.startOf(processId);
        return space.isPresent() && start.isPresent()
                ? new Owner(space.get(), processId, start.get(), runtime).name()
                : "unknown:" + processId + "::" + runtime;
    }

    /** Read a name; nothing if it does not say enough to find the process. */
    static Optional<Owner> parse(String name) {
        String[] parts = name.split(":", -1);
        try {
            return parts.length == 4 && parts[2].startsWith(TICKS)
                    ? Optional.of(new Owner(
                            parts[0],
                            Long.parseLong(parts[1]),
                            Long.parseLong(parts[2].substring(TICKS.length())),
                            parts[3]))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Return whether its process is certainly gone, which only a process on the same machine can know. */
    boolean isGone(ProcessTable table) {
        return table.space().filter(space::equals).isPresent() && table.isGone(processId, start);
    }

    private String name() {
        return space + ":" + processId + ":" + TICKS + start + ":" + runtime;
    }
}
