package dev.chargehand.command;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * The processes that a program started, and theirs: also those that left its process group or session, and those whose
 * parent has ended.
 *
 * <p>Two traces lead to them. Descendants are remembered as often as {@link #look} is called. And the environment of
 * the program has a mark of its own, which every process inherits that does not clear its environment; where the system
 * shows environments as files (Linux), marked processes are found regardless of their parent. A process that clears its
 * environment and loses its parent between two looks is not found; on other systems, one that loses its parent between
 * two looks.
 *
 * <p>Used by one thread.
 */
final class ProcessDescendants {

    /** The variable of the mark; a program that is Chargehand itself passes on the marks that it has. */
    static final String VARIABLE = "STARTED_BY_CHARGEHAND";

    /** The environment of what has no program: of a thread of the system, or of a process that has ended. */
    private static final String NO_PROGRAM = "-";

    private static final Path PROCESSES = Path.of("/proc");

    /**
     * A process that is being killed may start another one, which the next round finds; only a fork bomb gets that far.
     */
    private static final int MOST_ROUNDS = 100;

    /** How often processes that show no environment are looked at again: it is there a moment later, or the process has none. */
    private static final int MOST_LOOKS = 20;

    private static final long BETWEEN_LOOKS = Duration.ofMillis(1).toNanos();

    private final String mark = UUID.randomUUID().toString();
    private final Set<ProcessHandle> seen = new LinkedHashSet<>();

    /** Add the mark to the environment of the program. */
    void mark(Map<String, String> environment) {
        environment.merge(VARIABLE, mark, (outer, own) -> outer + ":" + own);
    }

    /** Remember the program and the descendants that it has now. */
    void look(ProcessHandle program) {
        seen.add(program);
        for (ProcessHandle known : List.copyOf(seen)) {
            known.descendants().forEach(seen::add);
        }
        seen.removeIf(process -> !process.isAlive());
    }

    /** Kill every process that is found, until no other one is. */
    void kill(ProcessHandle program) {
        Set<ProcessHandle> killed = new HashSet<>();
        boolean more = true;
        int looks = 0;
        for (int round = 0; more && round < MOST_ROUNDS; round++) {
            look(program);
            boolean all = lookForMarked();
            more = false;
            for (ProcessHandle process : seen) {
                if (killed.add(process)) {
                    process.destroyForcibly();
                    more = true;
                }
            }
            if (!more && !all && looks++ < MOST_LOOKS) {
                LockSupport.parkNanos(BETWEEN_LOOKS);
                more = true;
            }
        }
    }

    /** Remember the processes with the mark. Returns false if one may have it and does not show it yet. */
    private boolean lookForMarked() {
        boolean all = true;
        try (Stream<Path> processes = Files.list(PROCESSES)) {
            for (Path process : processes.filter(ProcessDescendants::isProcess).toList()) {
                String environment = environment(process);
                if (environment.contains(mark)) {
                    ProcessHandle.of(Long.parseLong(process.getFileName().toString()))
                            .ifPresent(seen::add);
                }
                all &= !environment.isEmpty();
            }
        } catch (IOException e) {
            return true; // this system has no such files
        }
        return all;
    }

    private static boolean isProcess(Path file) {
        return file.getFileName().toString().chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Return the environment of a process; empty while the process becomes a program, or if it has none. */
    private static String environment(Path process) {
        // A channel would be closed by another interrupt, and the process left alive.
        try (InputStream environment =
                new FileInputStream(process.resolve("environ").toFile())) {
            String text = new String(environment.readAllBytes(), StandardCharsets.ISO_8859_1);
            return text.isEmpty() && !Files.exists(process.resolve("exe")) ? NO_PROGRAM : text;
        } catch (IOException e) {
            return NO_PROGRAM; // it has ended, or is another user's
        }
    }
}
