package dev.chargehand.examples.start;

import dev.chargehand.AgentRuntime;
import dev.chargehand.spi.CallInfo;
import dev.chargehand.spi.Instrumentation;
import dev.chargehand.spi.Outcome;
import dev.chargehand.workflow.Workflow;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A runtime whose events are printed, and whose calls are measured. */
public final class Watched {

    private static final Set<CallInfo.Kind> MEASURED =
            Set.of(CallInfo.Kind.RUN, CallInfo.Kind.MODEL, CallInfo.Kind.TOOL, CallInfo.Kind.STEP);

    private Watched() {}

    /** Measures runs and calls; here you would record a timer or end a span. */
    static Instrumentation measuring(Queue<String> measured) {
        return call -> {
            if (!MEASURED.contains(call.kind())) {
                return Instrumentation.Work.NONE;
            }
            long start = System.nanoTime();
            return new Instrumentation.Work() {
                @Override
                public void end(Outcome outcome) {
                    long millis = (System.nanoTime() - start) / 1_000_000;
                    measured.add(call.kind() + " " + call.name() + " " + outcome.kind() + " in " + millis + " ms");
                }
            };
        };
    }

    public static void main(String[] arguments) {
        Queue<String> measured = new ConcurrentLinkedQueue<>();
        Workflow<Ordering.Order, String> ordering = Ordering.workflow();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .workflows(ordering)
                .addListener(event -> System.out.println(event.path() + " " + event.type()))
                .addInstrumentation(measuring(measured))
                .build()) {
            runtime.run(ordering, new Ordering.Order("cup", 2), o -> {});
        }
        measured.forEach(System.out::println);
    }
}
