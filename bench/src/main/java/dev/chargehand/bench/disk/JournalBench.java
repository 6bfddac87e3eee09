package dev.chargehand.bench.disk;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.approval.Approver;
import dev.chargehand.internal.fact.CallKind;
import dev.chargehand.internal.fact.ClosedCalls;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.internal.fact.RequestedCall;
import dev.chargehand.internal.fact.Spending;
import dev.chargehand.internal.fact.task.Background;
import dev.chargehand.internal.journal.Journal;
import dev.chargehand.internal.journal.RunOpening;
import dev.chargehand.internal.option.OptionValues;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Measures what the journal costs: the time of one fact in memory, the transactions of one step on SQLite, and the heap
 * that suspended runs take, of which a file holds many.
 */
public final class JournalBench {

    private static final int STEPS = 10;
    private static final int WARM_UP = 20_000;
    private static final int BLOCK = 5_000;
    private static final int BLOCKS = 7;
    private static final int SUSPENDED = 100_000;

    private JournalBench() {}

    public static void main(List<String> arguments) throws IOException {
        int suspended = arguments.isEmpty() ? SUSPENDED : Integer.parseInt(arguments.getFirst());
        double micros = microsPerFact();
        Path folder = Folders.temporary();
        try {
            int plain = transactionsOfOneStep(folder.resolve("plain.db"), withoutTools());
            int tools = transactionsOfOneStep(folder.resolve("tools.db"), withTools());
            double heap = heapOfSuspendedRuns(folder.resolve("suspended.db"), suspended);
            System.out.printf(
                    Locale.ROOT,
                    "journal: us_per_fact=%.2f transactions_plain_step=%d transactions_two_tools_step=%d "
                            + "suspended=%d heap_bytes_per_suspended_run=%.1f%n",
                    micros,
                    plain,
                    tools,
                    suspended,
                    heap);
        } finally {
            Folders.delete(folder);
        }
    }

    private static double microsPerFact() {
        facts(WARM_UP);
        double[] micros = new double[BLOCKS];
        System.out.printf(Locale.ROOT, "%5s %12s%n", "block", "µs per fact");
        for (int i = 0; i < BLOCKS; i++) {
            long began = System.nanoTime();
            long facts = facts(BLOCK);
            micros[i] = (System.nanoTime() - began) / 1_000.0 / facts;
            System.out.printf(Locale.ROOT, "%5d %12.2f%n", i + 1, micros[i]);
        }
        return Median.of(micros);
    }

    /** Write the facts of runs of ten steps with two calls each, committed as the loop commits them. */
    private static long facts(int runs) {
        InMemoryStore store = InMemoryStore.create();
        Instant at = Instant.parse("2026-01-01T00:00:00Z");
        long facts = 0;
        for (int i = 0; i < runs; i++) {
            Journal journal = begun(store, new RunId("run_" + i), at);
            facts++;
            for (int step = 1; step <= STEPS; step++) {
                List<RequestedCall> calls = List.of(
                        new RequestedCall("call_" + step + "a", "c1", "look", "{\"q\":\"a\"}"),
                        new RequestedCall("call_" + step + "b", "c2", "look", "{\"q\":\"b\"}"));
                journal.add(new Fact.Answered(
                        step,
                        "bench/model",
                        "I look.",
                        "",
                        calls,
                        FinishReason.TOOL_CALLS,
                        Usage.of(10, 5),
                        1,
                        BigDecimal.ZERO,
                        null,
                        null,
                        at,
                        at));
                for (RequestedCall call : calls) {
                    journal.add(new Fact.CallOpened(call.callId(), CallKind.UNSAFE, "digest", null, at));
                }
                facts += journal.commit().size();
                for (RequestedCall call : calls) {
                    journal.add(ClosedCalls.succeeded(call.callId(), Json.of("seen"), at));
                    facts += journal.commit().size();
                }
                StopReason stop = step == STEPS ? new StopReason.Finished() : null;
                journal.add(new Fact.StepClosed(
                        step, stop, null, null, List.of(), null, false, Spending.NOTHING, null, null, List.of(), at));
                facts += journal.commit().size();
            }
        }
        return facts;
    }

    private static Journal begun(InMemoryStore store, RunId runId, Instant at) {
        Fact.Started started = new Fact.Started(
                "bench",
                null,
                AgentPath.root("bench"),
                runId,
                null,
                null,
                null,
                null,
                List.of(),
                List.of(Message.user("Go")),
                null,
                OptionValues.DEFAULT,
                List.of(),
                Map.of(),
                null,
                null,
                null,
                false,
                null,
                Background.NONE,
                at);
        return Journal.start(store, runId, "owner", 1, RunOpening.of(started, List.of()));
    }

    private static Script withoutTools() {
        return ScriptedModel.script().on("solo").says("Done");
    }

    private static Script withTools() {
        return ScriptedModel.script()
                .on("solo")
                .calls("look", Map.of("q", "a"))
                .and()
                .calls("look", Map.of("q", "b"))
                .then()
                .says("Done");
    }

    /** Return the transactions of the first step: all of the run, without its start and without a plain last step. */
    private static int transactionsOfOneStep(Path file, Script script) {
        FaultyStore counting = FaultyStore.over(JdbcStore.sqlite(file));
        try (TestRuntime test = TestRuntime.builder(script)
                .store(counting)
                .unrecorded()
                .agents(Agent.builder("solo")
                        .model("bench/solo")
                        .tools(tool("look").build())
                        .build())
                .build()) {
            RunResult result =
                    test.agent("solo").generate("Go", o -> o.thread("t").resource("u"));
            int others = result.steps().size(); // its beginning, and each step after the first
            return counting.count(FaultyStore.Operation.APPEND) - others;
        }
    }

    private static Tool.Builder<Json> tool(String name) {
        return Tool.builder(name, "Does " + name + ".")
                .input(JsonSchema.of(Json.of(Map.of("type", "object"))))
                .handler((in, context) -> "done");
    }

    /** Pays once, and stores nothing of its input. */
    private record Paying() implements Model {

        @Override
        public String name() {
            return "bench/paying";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            return request.messages().getLast().role() == Role.TOOL
                    ? ModelResponse.text("Paid", Usage.of(10, 5))
                    : new ModelResponse(
                            "",
                            "",
                            List.of(new ModelResponse.RequestedCall("c1", "pay", "{}")),
                            FinishReason.TOOL_CALLS,
                            Usage.of(10, 5));
        }
    }

    /**
     * Return by how many bytes the heap grew for each run that waits in the file, in a process that started them all.
     */
    private static double heapOfSuspendedRuns(Path file, int runs) {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file))
                .providers()
                .anyoneMayApprove()
                .agents(Agent.builder("solo")
                        .model(new Paying())
                        .tools(tool("pay").requiresApproval().build())
                        .build())
                .build()) {
            int few = Math.max(1, runs / 10);
            RunResult first = suspend(runtime, few);
            long before = usedHeap();
            suspend(runtime, runs - few);
            long after = usedHeap();
            RunResult done = runtime.approve(first.pendingApprovals().getFirst(), Approver.of("ann"))
                    .result();
            System.out.printf(
                    Locale.ROOT,
                    "heap with %d suspended runs: %d KB, with %d: %d KB; the first, approved: %s%n",
                    few,
                    before / 1024,
                    runs,
                    after / 1024,
                    done.status());
            return (double) (after - before) / (runs - few);
        }
    }

    private static RunResult suspend(AgentRuntime runtime, int runs) {
        RunResult last = null;
        for (int i = 0; i < runs; i++) {
            last = runtime.agent("solo").generate("Go");
            if (last.status() != RunStatus.SUSPENDED) {
                throw new IllegalStateException("A run did not wait: " + last.stopReason());
            }
        }
        return Objects.requireNonNull(last);
    }

    private static long usedHeap() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
