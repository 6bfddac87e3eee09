package dev.chargehand.examples;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.spi.Instrumentation;
import dev.chargehand.spi.Outcome;
import java.util.function.Consumer;

/** How long every run and every call of a model, tool or hook took, as lines of a log. */
public final class CallTimes {

    private CallTimes() {}

    /** Run it against a real provider. */
    public static void main(String[] arguments) {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .addInstrumentation(timing(System.err::println))
                .agents(BailSavings.supervisor(Models.named(arguments)))
                .build()) {
            RunResult result = runtime.agent("supervisor").generate("Analyse 3, 4 and 9.");
            System.out.println(result.text());
        }
    }

    static Instrumentation timing(Consumer<String> log) {
        Instrumentation timing = call -> {
            long start = System.nanoTime();
            return new Instrumentation.Work() {
                @Override
                public void end(Outcome outcome) {
                    log.accept(call.kind() + " " + call.name() + " " + outcome.kind() + " after "
                            + (System.nanoTime() - start) / 1_000_000 + " ms");
                }
            };
        };
        return timing;
    }
}
