package dev.chargehand.bench.disk;

import com.sun.management.OperatingSystemMXBean;
import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.jdbc.SqliteOptions;
import dev.chargehand.jdbc.SqliteOptions.Synchronous;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.message.Role;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.tool.Tool;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Measures what it costs to survive a power cut: runs with one tool call that is not repeatable, on a SQLite file, one
 * after the other and side by side, at each level of syncing. The levels take turns, so that all see the same machine.
 */
public final class SyncBench {

    private static final int ROUNDS = 9;
    private static final int RUNS = 100;
    private static final int[] SIDE_BY_SIDE = {1, 16};

    private SyncBench() {}

    /** The cost of one run. */
    private record Cost(double wallMicros, double cpuMicros) {}

    public static void main(List<String> arguments) throws IOException, InterruptedException {
        int runs = arguments.isEmpty() ? RUNS : Integer.parseInt(arguments.getFirst());
        Path folder = Folders.temporary();
        StringBuilder line = new StringBuilder("sync:");
        try {
            for (int sideBySide : SIDE_BY_SIDE) {
                Map<Synchronous, List<Cost>> costs = new EnumMap<>(Synchronous.class);
                for (int round = 0; round <= ROUNDS; round++) {
                    for (Synchronous level : Synchronous.values()) {
                        Path file = folder.resolve(level + "-" + sideBySide + ".db");
                        Cost cost = measured(file, level, runs, sideBySide);
                        if (round > 0) { // the first one warms up
                            costs.computeIfAbsent(level, l -> new ArrayList<>()).add(cost);
                        }
                    }
                }
                tell(line, sideBySide, costs);
            }
        } finally {
            Folders.delete(folder);
        }
        System.out.println(line);
    }

    private static void tell(StringBuilder line, int sideBySide, Map<Synchronous, List<Cost>> costs) {
        System.out.printf(
                Locale.ROOT, "%d at once: %-14s %12s %12s%n", sideBySide, "level", "wall µs/run", "cpu µs/run");
        double[] normal = median(costs.getOrDefault(Synchronous.NORMAL, List.of()));
        for (Synchronous level : Synchronous.values()) {
            double[] median = median(costs.getOrDefault(level, List.of()));
            System.out.printf(Locale.ROOT, "%11s %-14s %12.0f %12.0f%n", "", level, median[0], median[1]);
            if (level != Synchronous.NORMAL) {
                String name = level.name().toLowerCase(Locale.ROOT) + "_" + sideBySide;
                line.append(String.format(
                        Locale.ROOT,
                        " wall_%s=%.2f cpu_%s=%.2f",
                        name,
                        median[0] / normal[0],
                        name,
                        median[1] / normal[1]));
            }
        }
    }

    private static double[] median(List<Cost> costs) {
        return new double[] {
            Median.of(costs.stream().mapToDouble(Cost::wallMicros).toArray()),
            Median.of(costs.stream().mapToDouble(Cost::cpuMicros).toArray())
        };
    }

    private static Cost measured(Path file, Synchronous level, int runs, int sideBySide) throws InterruptedException {
        SqliteOptions options = SqliteOptions.DEFAULT.synchronous(level);
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(JdbcStore.sqlite(file, options))
                .providers()
                .agents(Agent.builder("solo").model(new Booking()).tools(book()).build())
                .build()) {
            long cpu = cpuNanos();
            long wall = System.nanoTime();
            Thread[] callers = new Thread[sideBySide];
            Arrays.setAll(callers, i -> Thread.ofVirtual().start(() -> run(runtime, runs / sideBySide)));
            for (Thread caller : callers) {
                caller.join();
            }
            int each = runs / sideBySide;
            double done = 1_000.0 * each * sideBySide;
            return new Cost((System.nanoTime() - wall) / done, (cpuNanos() - cpu) / done);
        }
    }

    private static void run(AgentRuntime runtime, int runs) {
        for (int i = 0; i < runs; i++) {
            RunStatus status = runtime.agent("solo").generate("Go").status();
            if (status != RunStatus.COMPLETED) {
                throw new IllegalStateException("A run ended as " + status + ".");
            }
        }
    }

    private static long cpuNanos() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime();
    }

    private static Tool book() {
        return Tool.builder("book", "Books.")
                .input(JsonSchema.of(Json.of(Map.of("type", "object"))))
                .handler((in, context) -> "booked")
                .build();
    }

    /** Books once. */
    private record Booking() implements Model {

        @Override
        public String name() {
            return "bench/booking";
        }

        @Override
        public ModelResponse ask(ModelRequest request, ModelCall call) {
            return request.messages().getLast().role() == Role.TOOL
                    ? ModelResponse.text("Booked", Usage.of(10, 5))
                    : new ModelResponse(
                            "",
                            "",
                            List.of(new ModelResponse.RequestedCall("c1", "book", "{}")),
                            FinishReason.TOOL_CALLS,
                            Usage.of(10, 5));
        }
    }
}
