package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.run.RunId;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Steps that end though they were not executed. */
class WorkflowUnexecutedStepTest {

    record In(int number) {}

    record Out(int number) {}

    private static final Json MISFIT = Json.parse("{\"number\":\"many\"}");

    private final AgentRuntime runtime = AgentRuntime.builder().build();
    private final ConcurrentLinkedQueue<String> done = new ConcurrentLinkedQueue<>();

    @AfterEach
    void close() {
        runtime.close();
    }

    @Test
    void anInputThatBreaksItsSchemaIsAFailureAsOthers() {
        Step<Json, Json> strict =
                Step.of("strict", JsonSchema.of(In.class), JsonSchema.of(Json.parse("{}")), (in, context) -> {
                    done.add("strict");
                    return in;
                });
        Workflow<In, Json> replaced = Workflow.from("replaced", In.class)
                .map("open", Json.class, (in, context) -> MISFIT)
                .then(strict.fallback((in, error, context) -> Json.of(in.text() + error)))
                .build(Json.class);
        assertThat(runtime.run(replaced, new In(1), options -> {}).output().string())
                .hasValueSatisfying(text -> assertThat(text)
                        .startsWith("{\"number\":\"many\"}The input of step 'strict' breaks its schema"));

        Workflow<In, Boolean> leftOut = Workflow.from("left-out", In.class)
                .map("open", Json.class, (in, context) -> MISFIT)
                .then(strict.optional())
                .map("there", Boolean.class, (out, context) -> out.isPresent())
                .build(Boolean.class);
        assertThat(runtime.run(leftOut, new In(1), options -> {}).output()).isFalse();
        assertThat(done).isEmpty();
    }

    @Test
    void aStepThatWaitsIsOverWhenAnotherBails() {
        Step<In, Out> asks = Step.of("asks", In.class, Out.class, (in, context) -> context.suspend("how many?"));
        Step<In, Out> early = Step.of("early", In.class, Out.class, (in, context) -> context.bail(new Out(7)));
        Step<In, Out> sleeps = Workflow.from("sleeps", In.class)
                .sleep("nap", Duration.ofHours(1))
                .map("woken", Out.class, (in, context) -> new Out(0))
                .build(Out.class)
                .asStep();
        Workflow<In, Out> workflow = Workflow.from("flow", In.class)
                .parallel(asks, early, sleeps)
                .map("never", Out.class, (out, context) -> new Out(0))
                .build(Out.class);
        WorkflowResult<Out> result = runtime.run(workflow, new In(1), options -> {});
        assertThat(result.output()).isEqualTo(new Out(7));
        assertThat(result.steps())
                .filteredOn(step -> step.error().isPresent())
                .isNotEmpty()
                .allSatisfy(step -> assertThat(step.error())
                        .contains("This call was not executed: another step has ended the run."));
    }

    @Test
    void aFallbackOfARunThatCannotStartIsCalledAgainAfterACrash(@TempDir Path folder) throws Exception {
        CountDownLatch called = new CountDownLatch(1);
        Agent writer =
                Agent.builder("writer").model(Scripts.of().modelFor("writer")).build();
        Step<In, String> blank = writer.asStep("blank", In.class, (in, context) -> " ")
                .fallback((in, error, context) -> {
                    done.add(error);
                    called.countDown();
                    if (done.size() == 1) {
                        new CountDownLatch(1).await(); // until the process is gone
                    }
                    return "instead";
                });
        Workflow<In, String> workflow =
                Workflow.from("flow", In.class).then(blank).build(String.class);
        RunId run;
        try (AgentRuntime dies = AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("runs.db")))
                .workflows(workflow)
                .closeGrace(Duration.ofMillis(1))
                .build()) {
            run = dies.start(workflow, new In(1), options -> options.onError(ended -> called.countDown()))
                    .runId();
            called.await();
        }
        try (AgentRuntime next = AgentRuntime.builder()
                .store(JdbcStore.sqlite(folder.resolve("runs.db")))
                .workflows(workflow)
                .build()) {
            assertThat(next.recover().runIds()).containsExactly(run);
            assertThat(next.handle(run).result().object(String.class)).isEqualTo("instead");
        }
        assertThat(done)
                .containsExactly(
                        "The prompt that step 'blank' made is empty.", "The run of step 'blank' could not start.");
    }
}
