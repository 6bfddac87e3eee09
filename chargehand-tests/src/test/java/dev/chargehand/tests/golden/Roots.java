package dev.chargehand.tests.golden;

import dev.chargehand.background.TaskLink;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.fact.task.TaskOrigin;
import dev.chargehand.internal.journal.FactCodec;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.Delivery;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import dev.chargehand.store.ThreadEntry;
import dev.chargehand.testkit.replay.Recording;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The root runs of a conversation with background tasks as one recording, whose root is the first of them.
 *
 * <p>A recording has no rows of tasks. Where a task comes from is in the first facts of its runs, and its result is in the thread;
 * only which run has read the result is saved beside it.
 */
final class Roots {

    private static final String RESULT = "task-";

    private Roots() {}

    /** Returns the root runs of a store in the order in which they were stored. */
    static List<RunRecord> of(Store store) {
        return store.list(RunFilter.ROOTS).stream()
                .sorted(Comparator.comparing(RunRecord::startedAt)
                        .thenComparing(run -> run.runId().value()))
                .toList();
    }

    static Recording collect(Store store) {
        List<Recording.Run> runs = new ArrayList<>();
        Map<String, ThreadAppend> threads = new TreeMap<>();
        List<RunRecord> roots = of(store);
        for (RunRecord root : roots) {
            Recording recording = Recording.of(store, root.runId());
            runs.addAll(recording.runs());
            recording.threads().forEach(thread -> threads.putIfAbsent(thread.threadId(), whole(thread, store)));
        }
        return new Recording(roots.getFirst().runId(), runs, List.copyOf(threads.values()), Map.of());
    }

    /** Returns which run has read the result of each task. */
    static Map<String, String> readers(Store store) {
        Map<String, String> readers = new TreeMap<>();
        for (RunRecord root : of(store)) {
            TaskLink task = root.task().orElse(null);
            RunId reader = task == null ? null : task.readBy();
            if (task != null && reader != null) {
                readers.put(task.taskId().value(), reader.value());
            }
        }
        return readers;
    }

    /** Puts the runs and threads into a store that has none of them. The origin of a task with a result must have ended. */
    static void restore(Recording recording, Map<String, String> readers, Store store) {
        Map<RunId, RunRecord> records = new TreeMap<>(Comparator.comparing(RunId::value));
        for (Recording.Run run :
                recording.runs()) { // before any of them ends: a task starts while its origin is executed
            store.append(Append.start(starting(run), run.facts().subList(0, 1)));
        }
        for (Recording.Run run : recording.runs().reversed()) {
            RunRecord starting = starting(run);
            RunRecord record = run.record();
            List<FactEntry> rest = run.facts().subList(1, run.facts().size());
            boolean first = record.runId().equals(recording.root());
            store.append(Append.to(record.runId(), starting.epoch(), 1, rest, record.status(), record.updatedAt())
                    .rootRunId(record.rootRunId())
                    .threads(
                            first
                                    ? recording.threads().stream()
                                            .map(Roots::beforeResults)
                                            .toList()
                                    : List.of())
                    .expiresAt(record.expiresAt().orElse(null)));
            records.put(
                    starting.runId(),
                    starting.advanced(record.status(), run.facts().size(), record.updatedAt()));
        }
        for (ThreadAppend thread : recording.threads()) {
            int before = beforeResults(thread).entries().size();
            thread.entries().stream()
                    .skip(before)
                    .forEach(entry -> append(with(thread, List.of(entry)), entry.messageId(), records, store));
        }
        readers.forEach((task, reader) ->
                store.append(nothing(records.get(new RunId(reader))).results(List.of(new RunId(task)))));
    }

    private static void append(ThreadAppend message, String id, Map<RunId, RunRecord> records, Store store) {
        RunRecord task = id.startsWith(RESULT) ? records.get(new RunId(id.substring(RESULT.length()))) : null;
        if (task == null) {
            store.appendToThread(message, records.values().iterator().next().updatedAt());
        } else {
            RunId origin = task.task().orElseThrow().originRunId();
            Delivery end = new Delivery(origin, id, Delivery.Kind.TASK_ENDED, Json.of(Map.of()), task.updatedAt());
            store.append(nothing(task).taskEnd(new Append.TaskEnd(task.runId(), message, end)));
        }
    }

    /** Makes an append that adds no fact to a run. */
    private static Append nothing(RunRecord run) {
        return Append.to(run.runId(), run.epoch(), run.length(), List.of(), run.status(), run.updatedAt())
                .rootRunId(run.rootRunId());
    }

    private static RunRecord starting(Recording.Run run) {
        RunRecord record = run.record();
        Background background = ((Fact.Started) FactCodec.read(run.facts().getFirst())).background();
        return RunRecord.builder(record.runId(), record.agentId(), "recorded", record.startedAt())
                .rootRunId(record.rootRunId())
                .parentRunId(record.parentRunId().orElse(null))
                .parentCallId(record.parentCallId().orElse(null))
                .path(record.path())
                .threadId(record.threadId().orElse(null))
                .resourceId(record.resourceId().orElse(null))
                .task(link(background.origin()))
                .untilIdle(background.firstTurn())
                .build();
    }

    private static @Nullable TaskLink link(@Nullable TaskOrigin origin) {
        return origin == null
                ? null
                : new TaskLink(origin.taskId(), origin.runId(), origin.callId(), origin.threadId(), origin.attempt());
    }

    private static ThreadAppend whole(ThreadAppend thread, Store store) {
        return with(thread, store.readThread(thread.threadId(), thread.owner(), Long.MAX_VALUE, Integer.MAX_VALUE));
    }

    private static ThreadAppend beforeResults(ThreadAppend thread) {
        return with(
                thread,
                thread.entries().stream()
                        .takeWhile(entry -> !entry.messageId().startsWith(RESULT))
                        .toList());
    }

    private static ThreadAppend with(ThreadAppend thread, List<ThreadEntry> entries) {
        return new ThreadAppend(
                thread.threadId(), thread.owner(), thread.parentRunId(), thread.parentCallId(), entries);
    }
}
