package dev.chargehand.tests.golden;

import dev.chargehand.Agent;
import dev.chargehand.ForkBuilder;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.event.RunEvent;
import dev.chargehand.message.Message;
import dev.chargehand.message.Part;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.testkit.replay.Recording;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Writes the corpus of a version, once, before it is released: {@code CorpusWriter src/test/resources/golden/0.1.0}; with
 * names of cases after the folder, those cases only, each ended and killed between any two facts.
 *
 * <p>Never run by the build, and never again for a version that is released: what counts is what that version wrote.
 */
final class CorpusWriter {

    private static final Instant THEN = Instant.parse("2026-01-05T09:00:00Z");
    private static final int MANY = 200;
    private static final int PROOFS = 3;

    private final Path folder;

    private CorpusWriter(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[0]);
        if (Files.exists(folder)) {
            throw new IllegalArgumentException(folder + " is there already; a corpus is written once.");
        }
        List<Case> only = Stream.of(args).skip(1).map(Case::valueOf).toList();
        CorpusWriter writer = new CorpusWriter(folder);
        if (only.isEmpty()) {
            writer.write();
        }
        for (Case asked : only) {
            if (asked == Case.SUBMITTED) {
                writer.submitted();
            } else if (asked == Case.APPROVED_WITH_REASON) {
                writer.approvedWithReason();
            } else if (LongCorpus.has(asked)) {
                new LongCorpus(writer::save).write(asked);
            } else {
                writer.ended(asked);
                writer.killed(asked);
            }
        }
    }

    private void write() throws Exception {
        for (Case asked : Case.values()) {
            if (LongCorpus.has(asked)) {
                new LongCorpus(this::save).write(asked);
            } else if (asked != Case.SUBMITTED && asked != Case.APPROVED_WITH_REASON) {
                ended(asked);
            }
        }
        for (Case asked : List.of(Case.FINISHED, Case.HOOKS, Case.BAILED, Case.SPECIALIST, Case.UNSAFE)) {
            killed(asked);
        }
        answeredOnce();
        approvedWithReason();
        interruptedAndParked();
        forks();
        submitted();
    }

    static String nameOf(Case asked) {
        return asked.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static TestRuntime runtime(Store store, String prefix) {
        AtomicLong count = new AtomicLong();
        IdSource ids = kind -> kind + prefix + count.incrementAndGet();
        return TestRuntime.builder(Crew.script())
                .store(store)
                .ids(ids)
                .time(new ManualClock(THEN))
                .agents(Crew.agents().toArray(Agent[]::new))
                .build();
    }

    /** A picture beside the task, which every message form must survive. */
    private static List<Message> input(Case asked) {
        Part text = new Part.Text(asked.task());
        return List.of(
                asked == Case.FINISHED
                        ? Message.of(Role.USER, text, new Part.Image("image/png", "https://example.org/a.png"))
                        : Message.of(Role.USER, text));
    }

    /** Makes a store; a conversation has begun in it where the case goes on with one. */
    private static InMemoryStore store(Case asked) {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        if (asked == Case.FINISHED || asked == Case.SUBMITTED) {
            TestRuntime earlier = runtime(store, "earlier");
            earlier.agent("boss").generate("look:earlier", o -> o.thread("t").resource("u"));
        }
        return store;
    }

    @SuppressWarnings("deprecation") // networks of this version go on in later ones too
    private static RunStream run(Agent boss, Case asked) {
        return asked.isNetwork()
                ? boss.network(input(asked), asked.options())
                : boss.stream(input(asked), asked.options());
    }

    private static RunId start(TestRuntime test, Case asked) throws InterruptedException {
        try (RunStream run = run(test.agent("boss"), asked)) {
            for (RunEvent event : run) {
                if (event instanceof RunEvent.StepStart && event.path().leaf().equals("sleeper")) {
                    run.cancel();
                }
            }
            return run.runId();
        }
    }

    private void ended(Case asked) throws InterruptedException {
        InMemoryStore store = store(asked);
        try (TestRuntime test = runtime(store, "")) {
            save(nameOf(asked), asked, Recording.of(store, start(test, asked)));
        }
    }

    private void killed(Case asked) throws InterruptedException {
        FaultyStore counted = FaultyStore.over(store(asked));
        int before;
        try (TestRuntime test = runtime(counted, "")) {
            start(test, asked);
            before = counted.count(FaultyStore.Operation.APPEND);
        }
        for (int append = 2; append <= before; append++) {
            InMemoryStore store = store(asked);
            FaultyStore dying = FaultyStore.over(store);
            IntStream.range(append, append + MANY).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
            try (TestRuntime test = runtime(dying, "")) {
                start(test, asked);
            } catch (RunFailedException e) {
                // its store is gone
            }
            int nth = append;
            root(store, RunStatus.RUNNING)
                    .ifPresent(run -> save(nameOf(asked) + "-killed-" + nth, asked, Recording.of(store, run)));
        }
    }

    private static Optional<RunId> root(Store store, RunStatus status) {
        return store.list(RunFilter.ROOTS.statuses(status)).stream().findFirst().map(run -> run.runId());
    }

    private void answeredOnce() throws InterruptedException {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (TestRuntime test = runtime(store, "")) {
            RunId run = start(test, Case.TWO_APPROVALS);
            test.runtime()
                    .answer(
                            test.runtime().handle(run).pendingApprovals().getLast(),
                            ApprovalAnswer.decline(Approver.of("bob"), "Keep it."),
                            o -> {})
                    .result();
            save("two-approvals-one-answered", Case.TWO_APPROVALS, Recording.of(store, run));
        }
    }

    private void approvedWithReason() throws InterruptedException {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (TestRuntime test = runtime(store, "")) {
            RunId run = start(test, Case.APPROVED_WITH_REASON);
            for (String name : List.of("approved-with-reason-once", "approved-with-reason")) {
                RunResult ignored = test.runtime()
                        .answer(
                                test.runtime().handle(run).pendingApprovals().getFirst(),
                                ApprovalAnswer.approve(Approver.of("bob"), "Ticket 7."),
                                o -> {})
                        .result();
                save(name, Case.APPROVED_WITH_REASON, Recording.of(store, run));
            }
        }
    }

    /** Killed while a tool was paying: taken up again, the call waits for a human. */
    private void interruptedAndParked() {
        for (Path file : Saved.files(folder)) {
            Saved saved = Saved.read(file);
            if (saved.asked() == Case.UNSAFE && saved.endings().size() > 1) {
                InMemoryStore store = InMemoryStore.keepingEndedRuns();
                saved.recording().restore(store);
                try (TestRuntime test = runtime(store, "again")) {
                    RunResult waiting = test.runtime()
                            .resume(saved.recording().root(), o -> {})
                            .result();
                    save("unsafe-interrupted-and-parked", Case.UNSAFE, Recording.of(store, waiting.runId()));
                    return;
                }
            }
        }
        throw new IllegalStateException("No run of " + Case.UNSAFE + " was killed while it was paying.");
    }

    private void forks() throws InterruptedException {
        Consumer<ForkBuilder> changes = fork -> fork.addMessage("look:z").model("scripted/boss");
        for (int last : List.of(3, MANY)) {
            InMemoryStore store = store(Case.FINISHED);
            FaultyStore dying = FaultyStore.over(store);
            try (TestRuntime test = runtime(dying, "")) {
                RunId old = start(test, Case.FINISHED);
                int stored = dying.count(FaultyStore.Operation.APPEND);
                IntStream.range(stored + last, stored + last + MANY)
                        .forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
                RunResult fork = test.runtime().fork(old, 1, changes).result();
                save("fork", Case.FINISHED, Recording.of(store, fork.runId()));
            } catch (RunFailedException e) {
                save(
                        "fork-killed",
                        Case.FINISHED,
                        Recording.of(store, root(store, RunStatus.RUNNING).orElseThrow()));
            }
        }
    }

    /** Before a process has begun it, and with nothing but its beginning. */
    private void submitted() {
        InMemoryStore store = store(Case.SUBMITTED);
        FaultyStore dying = FaultyStore.over(store);
        IntStream.range(3, MANY).forEach(nth -> dying.failOn(FaultyStore.Operation.APPEND, nth));
        try (TestRuntime test = runtime(dying, "")) {
            RunId run = test.runtime().submit(test.agent("boss"), input(Case.SUBMITTED), Case.SUBMITTED.options());
            save("submitted", Case.SUBMITTED, Recording.of(store, run));
            try {
                RunResult ignored =
                        test.runtime().resume(run, Case.SUBMITTED.options()).result();
            } catch (RunFailedException e) {
                save("submitted-begun", Case.SUBMITTED, Recording.of(store, run));
            }
        }
    }

    private void save(String name, Case asked, Recording recording) {
        save(name, asked, recording, Map.of());
    }

    /** What is saved must go on to the same ending every time. */
    private void save(String name, Case asked, Recording recording, Map<String, String> readers) {
        List<Ending> endings = Going.on(recording, readers, asked, InMemoryStore.keepingEndedRuns());
        for (int i = 0; i < PROOFS; i++) {
            List<Ending> again = Going.on(recording, readers, asked, InMemoryStore.keepingEndedRuns());
            if (!again.equals(endings)) {
                throw new IllegalStateException(name + " does not always end alike:\n" + endings + "\n" + again);
            }
        }
        new Saved(name, asked, recording, readers, endings).write(folder);
    }
}
