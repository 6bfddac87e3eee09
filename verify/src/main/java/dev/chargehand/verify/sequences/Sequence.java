package dev.chargehand.verify.sequences;

import dev.chargehand.AgentRuntime;
import dev.chargehand.TenantRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A random sequence of operations in one setting. Its trace, which is the same in each setting, has a line
 * with the outcome of each operation and, from time to time, lines with all that a store has.
 */
final class Sequence {

    static final String OTHER_TENANT = "acme";

    /** After so many operations everything is read. */
    private static final int READ_AFTER = 25;

    private final long seed;
    private final Stage stage;
    private final List<String> trace = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    private Sequence(long seed, Stage stage) {
        this.seed = seed;
        this.stage = stage;
    }

    /**
     * What happened.
     *
     * @param trace a line for each operation
     * @param faults what was wrong without a comparison
     */
    record Played(List<String> trace, List<String> faults) {}

    /** Execute so many operations, and delete everything after them. */
    static Played play(long seed, int operations, Stage stage) {
        Sequence sequence = new Sequence(seed, stage);
        for (int i = 0; i < operations; i++) {
            sequence.operation(i);
            if (i % READ_AFTER == READ_AFTER - 1 || i == operations - 1) {
                sequence.forEachTenant(
                        i, turn -> new WholeState(turn).operations().forEach(each -> sequence.execute(turn, each)));
            }
        }
        sequence.forEachTenant(operations, turn -> sequence.purge(turn));
        return new Played(List.copyOf(sequence.trace), List.copyOf(sequence.faults));
    }

    private void operation(int number) {
        Choice choice = new Choice(seed, number);
        if (choice.oneIn(9)) {
            stage.openAgain();
        }
        AgentRuntime runtime = stage.runtime(number);
        Turn turn = turn(number, runtime, choice.oneIn(4) ? runtime.forTenant(OTHER_TENANT) : runtime, choice);
        execute(turn, next(turn));
    }

    private Turn turn(int number, AgentRuntime runtime, TenantRuntime tenant, Choice choice) {
        return new Turn(
                number, stage, runtime, tenant, choice, fault -> faults.add("operation " + number + ": " + fault));
    }

    private interface ForTenant {
        void accept(Turn turn);
    }

    private void forEachTenant(int number, ForTenant work) {
        AgentRuntime runtime = stage.runtime(number);
        for (TenantRuntime tenant : List.of(runtime, runtime.forTenant(OTHER_TENANT))) {
            work.accept(turn(number, runtime, tenant, new Choice(seed, number)));
        }
    }

    private Operation next(Turn turn) {
        int kind = turn.choice().below(100);
        return kind < 60 ? run(turn, kind) : other(turn, kind);
    }

    private static Operation run(Turn turn, int kind) {
        RunOperations runs = new RunOperations(turn);
        if (kind < 22) {
            return runs.start();
        } else if (kind < 26) {
            return runs.submit();
        } else if (kind < 30) {
            return runs.workflow();
        } else if (kind < 37) {
            return runs.resume();
        } else if (kind < 50) {
            return new AnswerOperations(turn).answer();
        } else if (kind < 54) {
            return runs.tell();
        } else if (kind < 57) {
            return runs.cancel();
        }
        return runs.recover();
    }

    private Operation other(Turn turn, int kind) {
        RunOperations runs = new RunOperations(turn);
        if (kind < 64) {
            return runs.fork();
        } else if (kind < 67) {
            return advance(turn);
        } else if (kind < 75) {
            return new ThreadOperations(turn).next();
        } else if (kind < 83) {
            return new MemoryOperations(turn).next();
        } else if (kind < 86) {
            return new ListOperations(turn).tasks();
        } else if (kind < 92) {
            return new ListOperations(turn).next();
        } else if (kind < 95) {
            return new VersionOperations(turn).next();
        }
        return switch (kind) {
            case 95 -> runs.read();
            case 96 -> runs.delete();
            case 97 -> runs.prune();
            case 98 -> runs.wake();
            default -> runs.findStarted();
        };
    }

    private Operation advance(Turn turn) {
        Duration time = turn.choice()
                .of(
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(40),
                        Duration.ofMinutes(11),
                        Duration.ofMinutes(25),
                        Duration.ofHours(30),
                        Duration.ofDays(8));
        return new Operation("time passes", () -> {
            stage.clock().advance(time);
            return time;
        });
    }

    private void purge(Turn turn) {
        String outcome = execute(turn, new Purge(turn, seed).operation());
        if (outcome.startsWith(Outcome.REJECTED)) {
            faults.add("the purge " + outcome);
        }
    }

    private String execute(Turn turn, Operation operation) {
        String outcome = Outcome.of(operation.body());
        if (!stage.settle()) {
            faults.add("operation " + turn.number() + ": the work on memory does not end");
        }
        trace.add(turn.number() + " " + turn.tenant().tenantId() + " " + operation.name() + ": "
                + Shown.comparable(outcome));
        return outcome;
    }
}
