package dev.chargehand.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.error.StoreException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.spi.ContextPropagator;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.ScriptedModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Who calls, and what they may open; see docs/concepts.md. */
class CallersTest {

    static final ThreadLocal<String> USER = new ThreadLocal<>();

    static final ContextPropagator CALLER = () -> {
        String user = USER.get();
        return () -> {
            String before = USER.get();
            USER.set(user);
            return () -> USER.set(before);
        };
    };

    private final Script script =
            ScriptedModel.script().on("assistant").says("Noted.").forever();
    private final Agent assistant =
            Agent.builder("assistant").model(script.modelFor("assistant")).build();

    @AfterEach
    void noUser() {
        USER.remove();
    }

    @Test
    void aRunIsOpenedByItsOwnerOnly() {
        try (AgentRuntime runtime = runtime()) {
            USER.set("ann");
            RunId run = runtime.agent("assistant")
                    .generate("My dog is Fido.", o -> o.thread("t1").resource("ann"))
                    .runId();
            RunId alone = runtime.agent("assistant")
                    .generate("My dog is Fido.", o -> o.resource("ann"))
                    .runId();

            assertThat(runtime.handle(run).status()).isEqualTo(RunStatus.COMPLETED);
            assertThat(runtime.handle(alone).status()).isEqualTo(RunStatus.COMPLETED);

            USER.set("bob");
            assertThatThrownBy(() -> runtime.handle(run)).isInstanceOf(StoreException.class);
            assertThatThrownBy(() -> runtime.handle(alone)).isInstanceOf(StoreException.class);
        }
    }

    @Test
    void aHookSeesTheCaller() {
        List<Optional<String>> seen = new ArrayList<>();
        try (AgentRuntime runtime = runtime()) {
            USER.set("ann");
            runtime.agent("assistant").generate("Hello.", o -> o.resource("ann")
                    .onStepFinish(step -> seen.add(Optional.ofNullable(USER.get()))));
        }
        assertThat(seen).containsExactly(Optional.of("ann"));
    }

    private AgentRuntime runtime() {
        return AgentRuntime.builder()
                .store(InMemoryStore.keepingEndedRuns())
                .agents(assistant)
                .addContextPropagator(CALLER)
                .addContextPropagator(ContextPropagator.loggingContext())
                .accessCheck(access -> access.resourceId()
                        .filter(owner -> owner.equals(USER.get()))
                        .isPresent())
                .build();
    }
}
