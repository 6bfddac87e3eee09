package dev.chargehand.tests.faults;

import static dev.chargehand.tests.faults.FaultyWorld.failure;
import static dev.chargehand.tests.faults.FaultyWorld.later;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorers;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.StopReason;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.provider.reply.Reply;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A provider's own words reach the application, and neither a model nor a client. */
class ProviderWordsTest {

    record Nothing() {}

    private static final String WORDS = "Unsupported parameter: use max_completion_tokens";

    @RegisterExtension
    final FaultyWorld world = new FaultyWorld();

    private final List<RunEvent> events = new ArrayList<>();

    private RunFailedException fail(Agent agent) {
        return (RunFailedException)
                failure(later(() -> agent.generate("Go", o -> o.retries(0).addListener(events::add))));
    }

    private <E extends RunEvent> E event(Class<E> type) {
        return events.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void theExceptionTheErrorEventAndTheStoreHaveThem() {
        world.provider.always(Reply.error(400, WORDS));
        RunFailedException e = fail(world.single());
        assertThat(e).hasMessageEndingWith("The provider says: \"" + WORDS + "\"");
        assertThat(e.publicMessage()).contains("400").doesNotContain(WORDS);
        assertThat(((StopReason.Failed) e.result().stopReason()).providerMessage())
                .isEqualTo(WORDS);
        assertThat(event(RunEvent.Error.class).providerMessage()).isEqualTo(WORDS);
        assertThat(world.runtime().history(e.result().runId()))
                .filteredOn(RunEvent.Error.class::isInstance)
                .as("the same as live")
                .singleElement()
                .isInstanceOfSatisfying(RunEvent.Error.class, error -> assertThat(error.providerMessage())
                        .isEqualTo(WORDS));
    }

    @Test
    void whatIsForClientsHasThemNot() {
        world.provider.always(Reply.error(400, WORDS));
        RunFailedException e = fail(world.single());
        StopReason reason = e.result().stopReason();
        assertThat(reason.explanation()
                        + event(RunEvent.Error.class).message()
                        + event(RunEvent.RunFinish.class).toJson())
                .doesNotContain(WORDS);
    }

    @Test
    void noModelReceivesThem() {
        world.provider.forbid(WORDS);
        world.provider.onModel(
                "boss",
                Reply.toolCalls(Reply.call("c1", "agent-w", "{\"prompt\":\"x\"}"), Reply.call("c2", "nested", "{}")),
                Reply.text("first"),
                Reply.text("second"));
        world.provider.onModel("w", Reply.error(400, WORDS));
        world.provider.onModel("judge", Reply.error(400, WORDS), Reply.text("{\"score\":1,\"reason\":\"ok\"}"));
        world.provider.onModel("solo", Reply.error(400, WORDS));
        Agent solo = world.single();
        Tool nested = Tool.builder("nested", "Runs an agent.")
                .input(Nothing.class)
                .exposeErrors()
                .handler((in, context) -> solo.generate("Go", o -> o.retries(0)).text())
                .build();
        Agent boss = world.bind(world.agent("boss")
                .agents(world.agent("w").build())
                .tools(nested)
                .build());
        RunResult result = boss.generate("Go", o -> o.retries(0)
                .addListener(events::add)
                .completion(Completion.all(Scorers.judge("judge", ModelChoice.of("loop/judge"), "Is it good?"))));
        assertThat(result.text()).isEqualTo("second");
        assertThat(events)
                .filteredOn(RunEvent.DelegationEnd.class::isInstance)
                .singleElement()
                .satisfies(end -> assertThat(end.toJson().text()).doesNotContain(WORDS));
        assertThat(events)
                .filteredOn(RunEvent.Error.class::isInstance)
                .extracting(error -> ((RunEvent.Error) error).providerMessage())
                .contains(WORDS);
    }

    @Test
    void aSecretThatAProviderRepeatsShowsNowhere() {
        world.provider.always(Reply.error(400, "You sent Authorization: Bearer " + FaultyWorld.KEY));
        RunFailedException e = fail(world.single());
        String facts = world.runtime().store().list(RunFilter.ROOTS).stream()
                .flatMap(run -> world.runtime().store().read(run.runId(), 0).stream())
                .map(fact -> fact.text())
                .collect(Collectors.joining());
        assertThat(e).hasStackTraceContaining("You sent Authorization: Bearer [redacted]");
        assertThat(facts).contains("You sent Authorization: Bearer [redacted]");
        assertThat(e + " " + e.getCause() + events + facts + e.result()).doesNotContain(FaultyWorld.KEY);
    }
}
