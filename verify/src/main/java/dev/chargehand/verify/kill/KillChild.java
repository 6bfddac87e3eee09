package dev.chargehand.verify.kill;

import dev.chargehand.AgentRuntime;
import dev.chargehand.Recovery;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunHandle;
import dev.chargehand.RunResult;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.StoreException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.verify.harness.SteppedClock;
import dev.chargehand.verify.kill.KillPoint.Place;
import dev.chargehand.verify.kill.KillPoint.Signal;
import dev.chargehand.verify.kill.plan.Effect;
import dev.chargehand.verify.kill.plan.Scenario;
import dev.chargehand.verify.kill.plan.Subject;
import dev.chargehand.verify.stores.StoreAddress;
import dev.chargehand.verify.workflows.RandomWorkflow;
import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * A process that runs a scenario, or continues it if another has started, and that may be killed or stopped at any time.
 *
 * <p>What it acknowledges and what its tools do are lines on its output, so they are known when it is gone: a line is in
 * the pipe when the write returns. It reports the waiting calls of its run to its parent, which decides the answers.
 */
public final class KillChild {

    /** The exit code of a process that SIGTERM ended. */
    private static final int TERMINATED = 143;

    /** How far a clock is set. */
    private static final Duration STEP = Duration.ofHours(1);

    private static final Approver ANN = Approver.of("ann");

    private final ReentrantLock lock = new ReentrantLock();
    private final FileOutputStream output = new FileOutputStream(FileDescriptor.out);
    private final BlockingQueue<String> orders = new LinkedBlockingQueue<>();
    private final SteppedClock clock = new SteppedClock();
    private final Places places;
    private final Subject subject;
    private volatile boolean closing;
    private final KillPoint point;

    private KillChild(Subject subject, KillPoint point) {
        this.point = point;
        this.subject = subject;
        this.places = new Places(point, this::reached);
        Thread.ofPlatform().daemon().name("orders").start(this::readOrders);
    }

    /**
     * Run in the process.
     *
     * @param arguments the address of the store, the name of what is run, when it is to be killed, and {@code exit} if it is to end
     *     the slow way
     */
    @SuppressWarnings("CatchingUnchecked") // whatever it is, the parent must hear of it
    public static void main(String[] arguments) throws InterruptedException {
        KillChild child = new KillChild(subject(arguments[1]), KillPoint.parse(arguments[2]));
        try {
            child.run(new StoreAddress(arguments[0]).open());
        } catch (Throwable t) {
            child.awaitClosed();
            child.send(Line.of(Line.BROKE, described(t)));
        }
        if (arguments.length > 3) {
            System.exit(0);
        }
        Runtime.getRuntime().halt(0);
    }

    private static Subject subject(String name) {
        return RandomWorkflow.isName(name) ? RandomWorkflow.of(name) : Scenario.valueOf(name);
    }

    private void reached(Place place) {
        switch (place) {
            case CLOCK_FORWARD, CLOCK_BACK -> {
                clock.set(place == Place.CLOCK_BACK ? STEP.negated() : STEP);
                send(Line.of(Line.CLOCK));
            }
            default -> send(Line.of(Line.HOLDS, place));
        }
    }

    private void readOrders() {
        try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String order = input.readLine(); order != null; order = input.readLine()) {
                if (order.startsWith(Line.WAKE)) {
                    clock.pass(Duration.parse(order.substring(Line.WAKE.length() + 1)));
                    places.wake();
                } else {
                    orders.add(order);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Close the runtime when the process is called to terminate, as a service does. */
    private void closeWhenAsked(AgentRuntime runtime) {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            closing = true;
            runtime.close();
            Runtime.getRuntime().halt(TERMINATED);
        }));
    }

    /** What breaks because the runtime is closed says nothing; the process ends when it is. */
    private void awaitClosed() throws InterruptedException {
        while (closing) {
            Thread.sleep(Duration.ofMinutes(1)); // the hook that closes the runtime halts the process
        }
    }

    private static String described(Throwable t) {
        StringBuilder text = new StringBuilder();
        for (Throwable at = t; at != null; at = at.getCause()) {
            text.append(at)
                    .append(" at ")
                    .append(List.of(at.getStackTrace()).stream().limit(8).toList())
                    .append("; ");
        }
        return text.toString().replaceAll("\\s", " ");
    }

    private void run(Store store) throws InterruptedException {
        Store failing = new FailingStore(store, point, () -> send(Line.of(Line.OUTAGE)));
        Store placed = new PlacedStore(
                failing, places, append -> Acknowledged.of(append).forEach(this::send));
        AgentRuntime runtime = subject.runtime(this::carryOut, placed, clock, this::hear);
        closeWhenAsked(runtime);
        send(Line.of(Line.READY));
        while (!isOver(runtime, store)) {
            // The store has failed, and answers again at last.
        }
    }

    /** Continue what there is; false if the store failed. */
    private boolean isOver(AgentRuntime runtime, Store store) throws InterruptedException {
        try {
            goOn(runtime, store);
            return true;
        } catch (RunFailedException e) {
            requireOutage(e);
        } catch (StoreException e) {
            requireOutage(e);
        }
        return false;
    }

    private void requireOutage(ChargehandException e) {
        if (!point.isOutage() || !e.code().startsWith("store-") || !e.retryable()) {
            throw e;
        }
    }

    private void goOn(AgentRuntime runtime, Store store) throws InterruptedException {
        List<RunRecord> roots = store.list(RunFilter.ROOTS);
        if (roots.isEmpty()) {
            report(ended(() -> subject.run(runtime)));
        } else {
            Recovery recovery;
            do { // as long as a stopped process holds a row
                recovery = runtime.recover();
                recovery.await().forEach(this::report);
            } while (!recovery.timedOut().isEmpty());
        }
        RunId root = store.list(RunFilter.ROOTS).getFirst().runId();
        RunResult last;
        do { // what is resumed may ask: after an outage its own process may not have released it when it looked what to
            // recover
            while (store.find(root).orElseThrow().status() == RunStatus.SUSPENDED) {
                if (!answersOne(runtime, root)) {
                    return;
                }
            }
            last = ended(() -> continued(runtime, root).result());
        } while (last.status() == RunStatus.SUSPENDED);
        report(last);
    }

    /** Continue a run; after an outage its own process may have woken it meanwhile. */
    private RunHandle continued(AgentRuntime runtime, RunId root) {
        try {
            return runtime.resume(root, options -> {});
        } catch (StoreException e) {
            if (!point.isOutage() || e.kind() != StoreException.Kind.FENCED) {
                throw e;
            }
            return runtime.handle(root);
        }
    }

    /** Return how a run has ended, failed too, unless it was its store that failed. */
    private static RunResult ended(Supplier<RunResult> run) {
        try {
            return run.get();
        } catch (RunFailedException e) {
            if (e.code().startsWith("store-")) {
                throw e;
            }
            return e.result();
        }
    }

    /** Answer a call, unless another process was faster, or continue what is answered; false if it is left to another. */
    private boolean answersOne(AgentRuntime runtime, RunId root) throws InterruptedException {
        List<PendingApproval> waiting = runtime.handle(root).pendingApprovals();
        if (waiting.isEmpty()) { // its answer is stored, and the store failed before the run continued
            runtime.recover().await().forEach(this::report);
            return true;
        }
        send(Line.of(
                Line.WAITS,
                Json.of(waiting.stream().map(PendingApproval::toJson).toList()).text()));
        String text = orders.take();
        if (text.equals(Line.LEAVE)) {
            return false;
        }
        String[] order = text.split(" ", -1);
        PendingApproval approval = waiting.get(Integer.parseInt(order[0]));
        places.answering();
        try {
            RunResult result = ended(() -> runtime.answer(approval, answer(order[1], approval), o -> {})
                    .result());
            send(Line.of(Line.ANSWERED, approval.callId(), approval.waitNumber(), order[1]));
            report(result);
        } catch (ApprovalException e) {
            if (point.signal() != Signal.STOP) {
                throw e;
            }
            send(Line.of(Line.REFUSED, e.kind()));
        }
        return true;
    }

    private ApprovalAnswer answer(String order, PendingApproval approval) {
        return switch (order) {
            case "approve" -> ApprovalAnswer.approve(ANN);
            case "decline" -> ApprovalAnswer.decline(ANN, "no");
            case "data" -> ApprovalAnswer.data(ANN, dataOf(approval));
            default -> throw new IllegalArgumentException(order);
        };
    }

    /** An interrupted call gets its result; no step of a workflow is one. */
    private Object dataOf(PendingApproval approval) {
        return approval.kind() == PendingApproval.Kind.DATA ? subject.data(approval) : "ok";
    }

    private void carryOut(Effect effect) {
        places.at(Place.BEFORE_EFFECT);
        send(Line.of(
                Line.EFFECT,
                effect.tool(),
                effect.slot(),
                effect.key(),
                effect.callId(),
                effect.attempt(),
                ProcessHandle.current().pid()));
        places.at(Place.AFTER_EFFECT);
    }

    private void hear(RunEvent event) {
        send(Line.of(Line.EVENT, event.toJson().text()));
        places.at(Place.EVENT);
    }

    /** A run whose store failed has not ended. */
    private void report(RunResult result) {
        if (result.stopReason() instanceof StopReason.Failed failed
                && failed.error().startsWith("store-")
                && point.isOutage()) {
            return;
        }
        send(Line.of(
                Line.RESULT,
                result.status(),
                Json.of(subject.text(result)).text(),
                result.stopReason().code()));
    }

    private void send(Line line) {
        byte[] bytes = line.text().getBytes(StandardCharsets.UTF_8);
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
