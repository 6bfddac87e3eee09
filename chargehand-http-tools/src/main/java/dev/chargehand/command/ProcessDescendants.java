package dev.chargehand.command;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
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

    private static final Path PROCESSES = Path.of("/proc");

    /**
     * A process that is being killed may start another one, which the next round finds; only a fork bomb gets that far.
     */
    private static final int MOST_ROUNDS = 100;

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
        for (int round = 0; more && round < MOST_ROUNDS; round++) {
            look(program);
            seen.addAll(marked());
            more = false;
            for (ProcessHandle process : seen) {
                if (killed.add(process)) {
                    process.destroyForcibly();
                    more = true;
                }
            }
        }
    }

    private List<ProcessHandle> marked() {
        try (Stream<Path> processes = Files.list(PROCESSES)) {
            return processes
                    .map(process -> process.getFileName().toString())
                    .filter(name -> name.chars().allMatch(c -> c >= '0' && c <= '9'))
                    .filter(this::isMarked)
                    .map(id -> ProcessHandle.of(Long.parseLong(id)))
                    .flatMap(Optional::stream)
                    .toList();
        } catch (IOException e) {
            return List.of(); // this system has no such files
        }
    }

    private boolean isMarked(String id) {
        // A channel would be closed by another interrupt, and the process left alive.
        try (InputStream environment =
                new FileInputStream(PROCESSES.resolve(id).resolve("environ").toFile())) {
            return new String(environment.readAllBytes(), StandardCharsets.ISO_8859_1).contains(mark);
        } catch (IOException e) {
            return false; // it has ended, or is another user's
        }
    }
}
