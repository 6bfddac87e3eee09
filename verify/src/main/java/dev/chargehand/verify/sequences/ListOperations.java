package dev.chargehand.verify.sequences;

import dev.chargehand.approval.PendingApproval;
import dev.chargehand.background.Task;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.event.Cursor;
import dev.chargehand.event.RunEvent;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.WaitingCall.WaitingFilter;
import dev.chargehand.verify.sequences.crew.SequenceCrew;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads runs, waiting calls, tasks and events, whole and page by page, and looks whether both are the same. */
final class ListOperations {

    private final Turn turn;
    private final Choice choice;

    ListOperations(Turn turn) {
        this.turn = turn;
        choice = turn.choice();
    }

    Operation next() {
        return switch (choice.below(8)) {
            case 0, 1 -> runs();
            case 2, 3 -> waiting();
            case 4 -> {
                Duration since = Duration.ofHours(choice.below(100) + 1L);
                yield new Operation("metrics", () -> turn.runtime().operator().metrics(since));
            }
            default -> watch();
        };
    }

    private Operation runs() {
        RunFilter filter = filter();
        int size = 1 + choice.below(4);
        return new Operation("runs", () -> {
            List<String> whole = paged(
                    "runs",
                    size,
                    filter,
                    (page, most) -> turn.tenant().runs(page.limit(most)),
                    (page, last) -> page.before(last.runId()),
                    run -> run.runId().value());
            List<RunRecord> all = turn.runtime().operator().runs(filter.limit(Turn.ALL));
            return whole + " of all tenants "
                    + all.stream().map(RunRecord::runId).toList();
        });
    }

    private RunFilter filter() {
        RunFilter filter = choice.oneIn(2) ? RunFilter.ALL : RunFilter.ROOTS;
        List<RunRecord> runs = turn.runs();
        filter = choice.oneIn(3)
                ? filter.statuses(choice.of(RunStatus.values()), choice.of(RunStatus.values()))
                : filter;
        filter = choice.oneIn(4) ? filter.agent(choice.of(SequenceCrew.AGENTS)) : filter;
        filter = choice.oneIn(5) ? filter.thread(choice.of(Choice.THREADS)) : filter;
        filter = choice.oneIn(5) ? filter.resource(choice.of(Choice.RESOURCES)) : filter;
        filter = choice.oneIn(12) ? filter.outdated(choice.oneIn(2)) : filter;
        filter = choice.oneIn(12) ? filter.leftBelow(true) : filter;
        filter = choice.oneIn(12) ? filter.woken(true) : filter;
        return runs.isEmpty() ? filter : near(choice.of(runs), filter);
    }

    /** Add conditions that a run is at the edge of. */
    private RunFilter near(RunRecord run, RunFilter start) {
        RunFilter filter = start;
        filter = choice.oneIn(5) ? filter.startedFrom(run.startedAt()) : filter;
        filter = choice.oneIn(5) ? filter.startedBefore(run.startedAt()) : filter;
        filter = choice.oneIn(9) ? filter.tree(run.rootRunId()) : filter;
        filter = choice.oneIn(9) ? filter.before(run.runId()) : filter;
        filter = choice.oneIn(9) ? filter.tasks(tasksFilter()) : filter;
        filter = choice.oneIn(15) ? filter.untilIdle(run.runId()) : filter;
        return choice.oneIn(9)
                ? filter.expiringBefore(turn.stage().clock().now().plus(Duration.ofMinutes(choice.below(60))))
                : filter;
    }

    private TaskFilter tasksFilter() {
        return switch (choice.below(3)) {
            case 0 -> TaskFilter.ofThread(choice.of(Choice.THREADS));
            case 1 -> TaskFilter.ALL.unread(choice.oneIn(2));
            default -> TaskFilter.ALL;
        };
    }

    private Operation waiting() {
        WaitingFilter filter =
                switch (choice.below(7)) {
                    case 0 -> WaitingFilter.ALL.resource(choice.of(Choice.RESOURCES));
                    case 1 -> WaitingFilter.ALL.agent(choice.of(SequenceCrew.AGENTS));
                    case 2 -> WaitingFilter.ALL.tool(choice.of("pay", "ask", "external", "look"));
                    case 3 ->
                        WaitingFilter.ALL.expiresBefore(
                                turn.stage().clock().now().plus(Duration.ofMinutes(30)));
                    default -> WaitingFilter.ALL;
                };
        int size = 1 + choice.below(4);
        return new Operation(
                "waiting calls",
                () -> paged(
                        "waiting calls",
                        size,
                        filter,
                        (page, most) -> turn.tenant().pendingApprovals(page.limit(most)),
                        (page, last) -> page.after(last),
                        ListOperations::call));
    }

    static String call(PendingApproval call) {
        return call.runId().value() + "/" + call.callId() + "/" + call.waitNumber();
    }

    /** Read a list whole and in pages of a size. */
    private <F, T> List<String> paged(
            String what,
            int size,
            F filter,
            BiFunction<F, Integer, List<T>> read,
            BiFunction<F, T, F> after,
            Function<T, String> shown) {
        List<String> whole = read.apply(filter, Turn.ALL).stream().map(shown).toList();
        List<String> paged = new ArrayList<>();
        F page = filter;
        while (true) {
            List<T> next = read.apply(page, size);
            next.stream().map(shown).forEach(paged::add);
            if (next.size() < size || paged.size() > whole.size()) {
                break;
            }
            page = after.apply(page, next.getLast());
        }
        if (!whole.equals(paged)) {
            turn.faults().accept("pages of " + what + " have " + paged + " instead of " + whole);
        }
        return whole;
    }

    /** Read the events of a run at once, and of one that has ended also in pieces, each after the one before. */
    private Operation watch() {
        int number = choice.below(Turn.ALL);
        return new Operation("watch", () -> {
            RunId run = turn.id(number, RunFilter.ROOTS);
            List<String> whole = Shown.each(turn.tenant().history(run));
            boolean hasEnded = turn.tenant()
                    .findRun(run)
                    .filter(record -> record.status().isEnded())
                    .isPresent();
            if (hasEnded) {
                List<String> stored =
                        whole.stream().filter(ListOperations::isStored).toList();
                List<String> pieces = pieces(run, number, stored.size());
                if (!pieces.equals(stored)) {
                    turn.faults().accept("events of " + run + " in pieces are " + pieces + " instead of " + stored);
                }
            }
            return whole;
        });
    }

    private List<String> pieces(RunId run, int number, int most) {
        List<String> events = new ArrayList<>();
        @Nullable Cursor at = null;
        int before = -1;
        while (events.size() > before && events.size() <= most) {
            before = events.size();
            int size = 1 + (number + before) % 5;
            try (var watch = turn.tenant().watch(run, at)) {
                for (RunEvent event : watch) {
                    String shown = Shown.of(event);
                    if (isStored(shown)) {
                        events.add(shown);
                        at = watch.cursor().orElse(at);
                        if (events.size() == before + size) {
                            break;
                        }
                    }
                }
            }
        }
        return events;
    }

    private static boolean isStored(String event) {
        return event.contains("\"id\":");
    }

    Operation tasks() {
        int number = choice.below(Turn.ALL);
        int how = choice.below(6);
        String thread = choice.of(Choice.THREADS);
        return switch (choice.below(4)) {
            case 0 -> new Operation("tasks", () -> turn.tenant().tasks(TaskFilter.ALL));
            case 1 -> ofTask("filtered tasks", number, task -> turn.tenant().tasks(filter(task, thread, how)));
            case 2 -> new Operation("cancel tasks", () -> turn.tenant().cancelTasks(turn.id(number, RunFilter.ROOTS)));
            default ->
                ofTask("task", number, task -> {
                    var handle = turn.tenant().task(task.id());
                    return List.of(handle.runId(), handle.status(), handle.pendingApprovals());
                });
        };
    }

    private Operation ofTask(String name, int number, Function<Task, Object> body) {
        return new Operation(name, () -> {
            List<Task> tasks = turn.tenant().tasks(TaskFilter.ALL);
            return tasks.isEmpty() ? "none" : body.apply(tasks.get(number % tasks.size()));
        });
    }

    private static TaskFilter filter(Task task, String thread, int how) {
        return switch (how) {
            case 0 -> TaskFilter.of(task.originRunId());
            case 1 -> TaskFilter.ofThread(thread);
            case 2 -> TaskFilter.attemptsOf(task.id());
            default -> TaskFilter.ALL.unread(how == 3);
        };
    }
}
