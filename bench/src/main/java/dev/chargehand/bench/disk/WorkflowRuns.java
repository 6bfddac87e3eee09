package dev.chargehand.bench.disk;

import com.sun.management.OperatingSystemMXBean;
import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.tool.Tool;
import dev.chargehand.workflow.Each;
import dev.chargehand.workflow.Repeat;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowBuilder;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A process that makes runs of workflows, and of an agent that calls tools, and reads their events. To each line {@code KIND SIZE RUNS} it answers the
 * processor time of the process in nanoseconds, the transactions, and the number of runs that ended wrongly.
 */
public final class WorkflowRuns implements AutoCloseable {

    /** The steps and tool calls of a run of the kinds that are compared. */
    public static final int STEPS = 20;

    /** The calls of a run of the kinds that are compared in which all are made at once: as many as an answer may have. */
    public static final int AT_ONCE = 16;

    private static final int CONCURRENCY = 10;

    private final AgentRuntime runtime;
    private final FaultyStore counted;
    private final @Nullable Path folder;

    private WorkflowRuns(@Nullable Path folder) {
        this.folder = folder;
        this.counted = FaultyStore.over(
                folder == null ? InMemoryStore.create() : JdbcStore.sqlite(folder.resolve("workflows.db")));
        this.runtime = AgentRuntime.builder()
                .store(counted)
                .providers()
                .agents(agent("steps", 1, STEPS), agent("calls", AT_ONCE, 1))
                .build();
    }

    /** Run in the process; the argument is {@code memory} or {@code sqlite}. */
    public static void main(List<String> arguments) throws IOException {
        boolean onDisk = arguments.getFirst().equals("sqlite");
        try (WorkflowRuns runs = new WorkflowRuns(onDisk ? Folders.temporary() : null);
                BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                String[] order = line.split(" ", -1);
                System.out.println(runs.made(order[0], Integer.parseInt(order[1]), Integer.parseInt(order[2])));
            }
        }
    }

    private String made(String kind, int size, int runs) {
        int transactions = counted.count(FaultyStore.Operation.APPEND);
        int wrong = 0;
        long cpu = cpuNanos();
        for (int i = 0; i < runs; i++) {
            wrong += isRight(kind, size) ? 0 : 1;
        }
        cpu = cpuNanos() - cpu;
        return cpu + " " + (counted.count(FaultyStore.Operation.APPEND) - transactions) + " " + wrong;
    }

    private boolean isRight(String kind, int size) {
        return switch (kind) {
            case "agent-steps" -> read(runtime.agent("steps").stream("Go")) == STEPS;
            case "agent-calls" -> read(runtime.agent("calls").stream("Go")) == AT_ONCE;
            case "steps" -> read(runtime.stream(steps(size), 0, o -> {})) == size;
            case "items" -> read(runtime.stream(items(), size, o -> {})) == size;
            case "loop" -> read(runtime.stream(loop(size), 0, o -> {})) == size;
            default -> throw new IllegalArgumentException(kind);
        };
    }

    /** Read all events, and return how many of them are the end of a call; -1 if the run has not completed. */
    private static int read(RunStream run) {
        int ends = 0;
        try (run) {
            for (RunEvent event : run) {
                ends += event.type().equals("tool-result") || event.type().equals("workflow-step-result") ? 1 : 0;
            }
            return run.result().status() == RunStatus.COMPLETED ? ends : -1;
        }
    }

    private static Step<Integer, Integer> step(String id) {
        return Step.of(id, Integer.class, Integer.class, (in, context) -> in + 1);
    }

    private static Workflow<Integer, Integer> steps(int count) {
        WorkflowBuilder<Integer, Integer> builder =
                Workflow.from("steps-of-it", Integer.class).then(step("step-1"));
        for (int i = 2; i <= count; i++) {
            builder = builder.then(step("step-" + i));
        }
        return builder.build(Integer.class);
    }

    private static Workflow<Integer, Integer> items() {
        return Workflow.from("items-of-it", Integer.class)
                .foreach(
                        "items",
                        (count, context) -> IntStream.range(0, count).boxed().toList(),
                        step("item"),
                        Each.concurrency(CONCURRENCY))
                .map("size", Integer.class, (outs, context) -> outs.size())
                .build(Integer.class);
    }

    private static Workflow<Integer, Integer> loop(int iterations) {
        return Workflow.from("loop-of-it", Integer.class)
                .doUntil(step("again"), (out, context) -> out == iterations, Repeat.atMost(iterations))
                .build(Integer.class);
    }

    /** What the tool takes. */
    record Number(int number) {}

    private static Agent agent(String id, int calls, int steps) {
        return Agent.builder(id)
                .model(new Calling(id, calls, steps))
                .tools(Tool.of("add", "Adds one.", Number.class, (in, context) -> in.number() + 1))
                .defaultOptions(o -> o.maxSteps(steps + 1))
                .build();
    }

    /** Calls the tool in each step but the last, at once, with another argument each time. */
    private record Calling(String id, int calls, int steps) implements Model {

        @Override
        public String name() {
            return "bench/" + id;
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            int done = (int) request.messages().stream()
                    .filter(message -> message.role() == Role.ASSISTANT)
                    .count();
            if (done == steps) {
                return ModelResponse.text("done", Usage.of(10, 5));
            }
            List<ModelResponse.RequestedCall> all = new ArrayList<>();
            for (int i = 0; i < calls; i++) {
                int number = done * calls + i;
                all.add(new ModelResponse.RequestedCall("c" + i, "add", "{\"number\":" + number + "}"));
            }
            return new ModelResponse("", "", all, FinishReason.TOOL_CALLS, Usage.of(10, 5));
        }
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    @Override
    public void close() {
        runtime.close();
        if (folder != null) {
            Folders.delete(folder);
        }
    }
}
