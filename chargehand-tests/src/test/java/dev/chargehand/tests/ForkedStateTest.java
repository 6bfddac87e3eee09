package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RunId;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The shared state with which a fork of a workflow's run continues. */
class ForkedStateTest {

    private final InMemoryStore store = InMemoryStore.keepingEndedRuns();

    record Signed(String by, int count) {}

    record Counted(int count) {}

    private static <S> Workflow<Integer, Integer> counting(String version, Class<S> state, S initial) {
        return Workflow.from("counting", Integer.class)
                .version(version)
                .state(state, initial)
                .then(Step.of("counts", Integer.class, Integer.class, (in, context) -> {
                    context.updateState(Map.of("count", in));
                    return in;
                }))
                .then(Step.of("ends", Integer.class, Integer.class, (in, context) -> in))
                .build(Integer.class);
    }

    @Test
    void aStateThatDoesNotFitIsRejectedWithItsFields() {
        Workflow<Integer, Integer> before = counting("1", Counted.class, new Counted(0));
        Workflow<Integer, Integer> after = counting("2", Signed.class, new Signed("", 0));
        try (AgentRuntime other =
                AgentRuntime.builder().store(store).workflows(before, after).build()) {
            RunId source = other.start(before, 1, o -> {}).result().runId();
            assertThatThrownBy(() -> other.fork(source, f -> f.before("ends").state(Map.of("count", "many"))))
                    .hasMessageContaining("Fork of run " + source + ": the state breaks its schema: /count: string"
                            + " found, integer expected. The schema is {\"type\":\"object\"");
            assertThatThrownBy(() -> other.fork(source, f -> f.before("ends").workflow(after)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessageContaining(
                            "breaks the schema of workflow 'counting' of version '2'; give another one with"
                                    + " state(...), or continue before an earlier entry:")
                    .hasMessageContaining("required property 'by' not found");
            assertThat(store.list(RunFilter.ALL)).hasSize(1);
            RunHandle given =
                    other.fork(source, f -> f.before("ends").workflow(after).state(new Signed("ann", 1)));
            assertThat(given.result().status()).isEqualTo(RunStatus.COMPLETED);
            RunHandle earlier =
                    other.fork(source, f -> f.before("counts").workflow(counting("3", Counted.class, new Counted(5))));
            assertThat(earlier.result().status()).isEqualTo(RunStatus.COMPLETED);
        }
    }
}
