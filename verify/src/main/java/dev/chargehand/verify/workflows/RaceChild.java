package dev.chargehand.verify.workflows;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.RunReleasedException;
import dev.chargehand.RunResult;
import dev.chargehand.RunTakenOverException;
import dev.chargehand.Until;
import dev.chargehand.Wakeups;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.store.RunFilter;
import dev.chargehand.verify.harness.SteppedClock;
import dev.chargehand.verify.stores.StoreAddress;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowContext;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One of two processes that work on the same runs, as each line of its input says, all at once. The effects of its steps and the results of its callers
 * are lines on its output, so they are known when it is gone: a line is in the pipe when the write returns.
 */
public final class RaceChild {

    /** Each order has a name of a workflow after it, and perhaps a detail. */
    static final String START = "start";

    static final String RESUME = "resume";
    static final String ADVANCE = "advance";
    static final String RECOVER = "recover";
    static final String CANCEL = "cancel";
    static final String WAKE = "wake";
    static final String ANSWER = "answer";
    static final String REPORT = "report";
    static final String CLOSE = "close";

    /** Lets time pass, by its clock. */
    static final String PASS = "pass";

    /** What it says. */
    static final String READY = "ready";

    static final String EFFECT = "effect";
    static final String ONCE = "once";
    static final String AGAIN = "again";
    static final String SAW = "saw";
    static final String ODD = "odd";

    /** What a cancel of a run says that its own process executes: it returns at once, when the run may be about to end. */
    static final String HERE = "here";

    private static final Duration LONGEST = Duration.ofDays(1);

    /** What a step takes at most before and after its effect, so that others run meanwhile. */
    private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final ReentrantLock lock = new ReentrantLock();
    private final FileOutputStream output = new FileOutputStream(FileDescriptor.out);
    private final SteppedClock clock = new SteppedClock();
    private final Map<String, RacedWorkflow> raced;
    private final Map<String, Workflow<Long, Long>> workflows;
    private final AgentRuntime runtime;

    private RaceChild(String address, boolean wakesAll, List<String> names) {
        raced = names.stream()
                .map(RacedWorkflow::of)
                .collect(Collectors.toMap(RacedWorkflow::name, Function.identity()));
        workflows = raced.values().stream()
                .collect(Collectors.toMap(
                        RacedWorkflow::name,
                        workflow -> workflow.definition(
                                (work, call, context) -> work(workflow.name(), work, call, context))));
        runtime = AgentRuntime.builder()
                .store(new SlowStore(new StoreAddress(address).open()))
                .timeSource(clock)
                .providers()
                .anyoneMayApprove()
                .wakeups(wakesAll ? Wakeups.all() : Wakeups.own())
                .workflows(workflows.values().toArray(Workflow[]::new))
                .build();
    }

    /**
     * Run in the process.
     *
     * @param arguments the address of the store, whether it wakes the runs of others, and the names of the workflows
     */
    public static void main(String[] arguments) throws IOException {
        RaceChild child = new RaceChild(
                arguments[0],
                Boolean.parseBoolean(arguments[1]),
                Stream.of(arguments).skip(2).toList());
        child.say(READY);
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null && !line.equals(CLOSE); line = input.readLine()) {
            child.obey(line.split(" ", -1));
        }
        child.runtime.close();
        Runtime.getRuntime().halt(0);
    }

    private void work(String name, Part.Work work, String call, WorkflowContext context) {
        long pause = Math.floorMod((name + call).hashCode() * 7_919L, MOST_NANOS);
        LockSupport.parkNanos(pause);
        say(String.join(
                " ",
                EFFECT,
                name,
                call,
                context.idempotencyKey(),
                context.callId().orElseThrow(),
                String.valueOf(context.attempt()),
                work.once() ? ONCE : AGAIN));
        if (context.attempt() > work.attempts()) {
            say(ODD + " " + name + " attempt " + context.attempt() + " of " + call);
        }
        LockSupport.parkNanos(MOST_NANOS - pause);
    }

    private void obey(String[] order) {
        if (order[0].equals(PASS)) {
            clock.pass(Duration.parse(order[1]));
            return;
        }
        Thread.ofVirtual()
                .start(() ->
                        attempt(order[1], order[0], () -> obey(order[0], order[1], order.length > 2 ? order[2] : "")));
    }

    @SuppressWarnings("CatchingUnchecked") // whatever it is, it is what the harness looks for
    private void attempt(String name, String order, Runnable work) {
        try {
            work.run();
        } catch (RunReleasedException | RunTakenOverException e) {
            // closed, or the other process is slow: it is reported at the end
        } catch (Exception e) {
            if (!isExpected(e)) {
                say(ODD + " " + name + " " + order + " threw "
                        + String.valueOf(e).replaceAll("\\s+", " "));
            }
        }
    }

    /** The other process executes the run, the store is held by a stopped process, or nothing sleeps or asks. */
    private static boolean isExpected(Exception e) {
        return switch (e) {
            case StoreException store -> store.kind() == StoreException.Kind.FENCED || store.retryable();
            case ApprovalException late ->
                late.kind() == ApprovalException.Kind.UNKNOWN || late.kind() == ApprovalException.Kind.ALREADY_DECIDED;
            default -> false;
        };
    }

    private void obey(String order, String name, String detail) {
        if (order.equals(START)) {
            see(name, runtime.start(workflow(name), raced(name).input(), o -> o.idempotencyKey(name)
                    .timeLimit(TimeLimit.RUN, LONGEST)));
            return;
        }
        if (order.equals(RECOVER)) {
            List<RunResult> ignored = runtime.recover().await();
            return;
        }
        Optional<RunId> found = find(name);
        if (found.isEmpty()) {
            return;
        }
        RunId run = found.get();
        switch (order) {
            case RESUME -> see(name, runtime.resume(run, o -> {}));
            case ADVANCE -> {
                Instant until = clock.now().plusMillis(Long.parseLong(detail));
                Until.Advanced ignored = runtime.advance(run, Until.at(until));
            }
            case CANCEL -> {
                boolean here = isHere(run);
                boolean taken = runtime.cancel(run);
                say(CANCEL + " " + name + " " + (here || isHere(run) ? HERE + " " : "") + taken);
            }
            case WAKE -> see(name, runtime.wake(run, detail));
            case ANSWER -> runtime.handle(run).pendingApprovals().forEach(waiting -> answer(name, waiting));
            case REPORT ->
                say(REPORT + " " + name + " " + RacedWorkflow.text(WorkflowsHarness.result(runtime.handle(run))));
            default -> throw new IllegalArgumentException(order);
        }
    }

    private void answer(String name, PendingApproval waiting) {
        Thread.ofVirtual().start(() -> attempt(name, ANSWER, () -> see(name, Answerer.answer(runtime, waiting))));
    }

    /** Say how a run has ended for a caller; one whose store failed has not ended. */
    private void see(String name, RunHandle run) {
        RunResult result = WorkflowsHarness.result(run);
        boolean failed = result.stopReason() instanceof StopReason.Failed reason
                && reason.error().startsWith("store-");
        if (result.status().isEnded() && !failed) {
            say(SAW + " " + name + " " + RacedWorkflow.text(result));
        }
    }

    private boolean isHere(RunId run) {
        String process = ":" + ProcessHandle.current().pid() + ":";
        return runtime.findRun(run)
                .filter(record -> record.owner().contains(process))
                .isPresent();
    }

    private Optional<RunId> find(String name) {
        return runtime.runs(RunFilter.ROOTS.agent(name).limit(1)).stream()
                .map(run -> run.runId())
                .findFirst();
    }

    private RacedWorkflow raced(String name) {
        return Optional.ofNullable(raced.get(name)).orElseThrow();
    }

    private Workflow<Long, Long> workflow(String name) {
        return Optional.ofNullable(workflows.get(name)).orElseThrow();
    }

    private void say(String line) {
        byte[] bytes = (line.replace('\n', ' ') + "\n").getBytes(StandardCharsets.UTF_8);
        lock.lock();
        try {
            output.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }
}
