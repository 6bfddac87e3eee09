package dev.chargehand.examples;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunListener;
import java.util.function.Consumer;

/** US-5 and US-9: every delegation of every run as a line of a log, with how long it took and what it used. */
public final class DelegationLog {

    private DelegationLog() {}

    /** Run it against a real provider. */
    public static void main(String[] arguments) {
        try (AgentRuntime runtime = AgentRuntime.builder()
                .addListener(listener(System.err::println))
                .agents(BailSavings.supervisor(Models.named(arguments)))
                .build()) {
            RunResult result = runtime.agent("supervisor")
                    .generate(
                            "Analyse 3, 4 and 9.",
                            o -> o.observeDelegationStart(d -> System.err.println(
                                    "step " + d.step() + " of " + d.run().path() + ": " + d.prompt())));
            System.out.println(result.text());
        }
    }

    static RunListener listener(Consumer<String> log) {
        return event -> {
            switch (event) {
                case RunEvent.DelegationStart d -> log.accept("-> " + d.path() + "/" + d.agentId());
                case RunEvent.DelegationEnd d ->
                    log.accept("<- " + d.path() + "/" + d.agentId() + " "
                            + d.stopReason().code() + " " + d.duration().toMillis() + " ms "
                            + d.usage().totalTokens() + " tokens");
                case RunEvent.DelegationRejected d ->
                    log.accept("!! " + d.path() + "/" + d.agentId() + " rejected: " + d.reason());
                case RunEvent.DelegationBail d -> log.accept("== " + d.path() + "/" + d.agentId() + " gave the answer");
                case RunEvent.HookError e -> log.accept("!! hook " + e.hook() + " of " + e.path() + ": " + e.message());
                default -> {}
            }
        };
    }
}
