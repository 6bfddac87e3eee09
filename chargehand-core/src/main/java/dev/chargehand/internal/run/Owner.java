package dev.chargehand.internal.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Names a runtime as the owner of runs, so that a process on the same machine can tell whether it is dead.
 *
 * @param machine the machine, and on Linux its boot and process namespace; process ids mean nothing outside of it
 * @param processId the process
 * @param processStart when the process started, in milliseconds, since process ids are used again
 * @param runtime tells runtimes of one process apart
 */
record Owner(String machine, long processId, long processStart, String runtime) {

    static Owner ofThisProcess(String runtime) {
        ProcessHandle self = ProcessHandle.current();
        return new Owner(machineName(), self.pid(), startOf(self), runtime);
    }

    static Optional<Owner> parse(String text) {
        String[] parts = text.split(":", -1);
        try {
            return parts.length == 4
                    ? Optional.of(new Owner(parts[0], Long.parseLong(parts[1]), Long.parseLong(parts[2]), parts[3]))
                    : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Tells whether its process is known to be gone, which only a process on the same machine can know. */
    boolean isGone() {
        if (!machine.equals(machineName())) {
            return false;
        }
        Optional<ProcessHandle> process = ProcessHandle.of(processId);
        return process.isEmpty() || !process.get().isAlive() || startOf(process.get()) != processStart;
    }

    @Override
    public String toString() {
        return machine + ":" + processId + ":" + processStart + ":" + runtime;
    }

    private static long startOf(ProcessHandle process) {
        return process.info().startInstant().map(start -> start.toEpochMilli()).orElse(0L);
    }

    private static String machineName() {
        try {
            String boot =
                    Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
            String namespace =
                    Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
            return boot + "/" + namespace.replaceAll("[^0-9]", "");
        } catch (IOException e) {
            String host = System.getenv("HOSTNAME");
            return host == null ? System.getProperty("user.name", "unknown") : host.replace(':', '_');
        }
    }
}
