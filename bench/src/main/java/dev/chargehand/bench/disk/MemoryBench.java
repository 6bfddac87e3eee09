package dev.chargehand.bench.disk;

import com.sun.management.OperatingSystemMXBean;
import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.model.HashedWords;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.thread.ThreadOwner;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Measures the processor time of what memory adds to a turn on a SQLite file: recall among 10,000 passages, with the work
 * after it, compared with a turn that recalls nothing; and a turn on a thread of 100,000 messages, compared with one on a
 * thread of 100 to 300; and a turn with observations on a thread of 300 to 500 messages, none of which is observed yet, compared with one
 * that shows them all. The kinds take turns, so that all see the same machine.
 */
public final class MemoryBench {

    private static final int WARM_UP_ROUNDS = 3;
    private static final int ROUNDS = 11;
    private static final int TURNS = 100;

    private static final int PASSAGES = 10_000;

    /** So many older messages get their vectors after one run. */
    private static final int INDEXED_AT_ONCE = 500;

    /** More messages than a thread has that is shown whole; it has fewer tokens than are observed. */
    private static final int WHOLE = 10_000;

    private static final int SHOWN = 300;

    private static final int LONG = 100_000;
    private static final int SHORT = 100;
    private static final int APPENDED_AT_ONCE = 1_000;
    private static final Duration LONGEST = Duration.ofMinutes(10);
    private static final String ANN = "ann";
    private static final String LONG_THREAD = "long";

    private final AgentRuntime runtime;
    private int threads;
    private int wrong;

    private MemoryBench(AgentRuntime runtime) {
        this.runtime = runtime;
    }

    public static void main(List<String> arguments) throws IOException {
        int turns = arguments.isEmpty() ? TURNS : Integer.parseInt(arguments.getFirst());
        Path folder = Folders.temporary();
        Answering model = new Answering(new AtomicInteger());
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("memory.db")))
                .providers()
                .agents(
                        Agent.builder("plain").model(model).build(),
                        Agent.builder("recalling")
                                .model(model)
                                .memory(memory -> memory.semanticRecall(recall -> recall.by(new HashedWords())))
                                .build(),
                        Agent.builder("whole")
                                .model(model)
                                .memory(memory -> memory.lastMessages(WHOLE))
                                .build(),
                        Agent.builder("observing")
                                .model(model)
                                .memory(memory -> memory.observations(observations -> observations.model(model)))
                                .build())
                .build()) {
            new MemoryBench(runtime).measure(turns, model);
        } finally {
            Folders.delete(folder);
        }
    }

    private void measure(int turns, Answering model) {
        remember();
        append(LONG_THREAD, LONG);
        double[] more = new double[ROUNDS];
        double[] timesAsMuch = new double[ROUNDS];
        double[] longer = new double[ROUNDS];
        double[] observed = new double[ROUNDS];
        System.out.printf(
                Locale.ROOT,
                "%5s %10s %10s %10s %10s %10s %10s  (ms of processor time for each turn)%n",
                "round",
                "plain",
                "recall",
                "short",
                "long",
                "whole",
                "observing");
        for (int round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
            String shortThread = newThread();
            append(shortThread, SHORT);
            int before = model.recalled().get();
            double plain = millis(turns, "plain", this::newThread);
            wrong += model.recalled().get() - before;
            double recall = millis(turns, "recalling", this::newThread);
            wrong += turns - (model.recalled().get() - before);
            double onShort = millis(turns, "plain", () -> shortThread);
            double onLong = millis(turns, "plain", () -> LONG_THREAD);
            String wholeThread = newThread();
            append(wholeThread, SHOWN);
            double whole = millis(turns, "whole", () -> wholeThread);
            String observedThread = newThread();
            append(observedThread, SHOWN);
            double observing = millis(turns, "observing", () -> observedThread);
            if (round >= 0) {
                more[round] = recall - plain;
                timesAsMuch[round] = recall / plain;
                longer[round] = onLong / onShort;
                observed[round] = observing / whole;
                System.out.printf(
                        Locale.ROOT,
                        "%5d %10.2f %10.2f %10.2f %10.2f %10.2f %10.2f%n",
                        round + 1,
                        plain,
                        recall,
                        onShort,
                        onLong,
                        whole,
                        observing);
            }
        }
        System.out.printf(
                Locale.ROOT,
                "warm-up: %d rounds of %d turns of each kind; a turn with recall takes %.1f times as much as one without%n",
                WARM_UP_ROUNDS,
                turns,
                Median.of(timesAsMuch));
        System.out.printf(
                Locale.ROOT,
                "memory: recall_ms=%.1f long_thread=%.2f observing=%.2f wrong=%d%n",
                Median.of(more),
                Median.of(longer),
                Median.of(observed),
                wrong);
    }

    /** Index the passages, in conversations that a run indexes whole. */
    private void remember() {
        for (int i = 0; i < PASSAGES / INDEXED_AT_ONCE; i++) {
            String thread = newThread();
            append(thread, INDEXED_AT_ONCE);
            turn("recalling", thread);
            settle();
        }
    }

    private String newThread() {
        threads++;
        return "thread-" + threads;
    }

    private void append(String thread, int count) {
        for (int from = 0; from < count; from += APPENDED_AT_ONCE) {
            List<Message> messages = new ArrayList<>();
            for (int i = from; i < Math.min(count, from + APPENDED_AT_ONCE); i++) {
                messages.add(Message.user("On day " + i + " of " + thread + " we saw " + (i * 7919L % 10_007)
                        + " apples and spoke of the harvest, the weather and the way home."));
            }
            var ignored = runtime.threads().append(ThreadOwner.of(ANN), thread, messages);
        }
    }

    private double millis(int turns, String agent, Supplier<String> thread) {
        long cpu = cpuNanos();
        for (int i = 0; i < turns; i++) {
            turn(agent, thread.get());
        }
        settle();
        return (cpuNanos() - cpu) / 1e6 / turns;
    }

    private void turn(String agent, String thread) {
        RunResult result = runtime.agent(agent)
                .generate("How many apples did we see on the way home?", o -> o.thread(thread)
                        .resource(ANN));
        if (result.status() != RunStatus.COMPLETED) {
            throw new IllegalStateException("A run ended as " + result.stopReason());
        }
    }

    private void settle() {
        if (!runtime.memory().settled(LONGEST)) {
            throw new IllegalStateException("The work on memory does not end.");
        }
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /**
     * Answers at once.
     *
     * @param recalled counts the requests with recalled messages
     */
    private record Answering(AtomicInteger recalled) implements Model {

        @Override
        public String name() {
            return "bench/answering";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            if (request.messages().stream().anyMatch(Message::internal)) {
                recalled.incrementAndGet();
            }
            return ModelResponse.text("Many.", Usage.of(10, 5));
        }
    }
}
