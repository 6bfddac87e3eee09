package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.RunEvent;
import dev.chargehand.hook.StepPlan;
import dev.chargehand.json.Description;
import dev.chargehand.json.Json;
import dev.chargehand.message.Part;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.ToolChoice;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.step.ToolOutcome;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.Tool;
import dev.chargehand.tool.ToolContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What tools get, and when they are executed. */
class ToolsTest extends ToolsFixture {

    enum Unit {
        CELSIUS,
        KELVIN
    }

    record Weather(
            @Description("Which city") String city,
            @Nullable Integer days,
            Unit unit) {}

    @ParameterizedTest
    @EnumSource(
            value = FinishReason.class,
            names = {"LENGTH", "CONTENT_FILTER", "UNKNOWN", "MISSING"})
    void noToolOfAnAnswerThatIsNotCompleteIsExecuted(FinishReason finish) {
        AtomicInteger executed = new AtomicInteger();
        Tool tool = Tool.of("look", "Looks.", Crew.Query.class, (in, ctx) -> executed.incrementAndGet());
        Ran ran = Both.run(Crew.solo(tool), Turn.of(t -> t.callsRaw("look", "{\"q\":\"whole\"}")
                .finishes(finish)));
        assertThat(ran.result().status()).isEqualTo(RunStatus.INCOMPLETE);
        assertThat(executed).hasValue(0);
        assertThatEvents(ran.events()).arePaired();
    }

    @Test
    void theModelSeesTheSchemaOfTheRecord() {
        Tool tool = Tool.of("weather", "Tells the weather.", Weather.class, (in, ctx) -> in.city() + in.unit());
        Ran ran = call(tool, "{\"city\":\"Bern\",\"unit\":\"KELVIN\"}");
        Json schema =
                ran.script().requests().getFirst().tools().getFirst().input().json();
        assertThat(schema.at("/properties/city/description").orElseThrow().string())
                .contains("Which city");
        assertThat(schema.at("/required").orElseThrow().text())
                .contains("city", "unit")
                .doesNotContain("days");
        assertThat(schema.at("/properties/unit/enum").orElseThrow().text()).isEqualTo("[\"CELSIUS\",\"KELVIN\"]");
        assertThat(shown(ran)).isEqualTo("tool: weather = BernKELVIN");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"n\":1}}",
                "nonsense",
                "{\"n\":1,\"n\":2}",
                "[]",
                "\"text\"",
                "{}",
                "{\"n\":null}",
                "{\"n\":\"1\"}",
                "{\"n\":1.5}",
                "{\"n\":99999999999999999999}"
            })
    void argumentsThatAreNotWhatTheToolTakesAreNeverExecuted(String arguments) {
        List<Integer> executed = new ArrayList<>();
        Tool tool =
                Tool.of("count", "Counts.", Crew.Number.class, (in, ctx) -> Steps.noted(executed, in.n(), "counted"));
        Ran ran = call(tool, arguments);
        assertThat(executed).isEmpty();
        assertThat(ran.result()).finished().hasText("Done");
        assertThat(ran.result().toolResults().getFirst().error().orElseThrow()).contains("'count'");
    }

    @Test
    void anInactiveToolIsUnknownAndNotListed() {
        Ran ran = Both.run(
                Crew.solo(Crew.LOOK, Crew.OK), o -> o.activeTools("ok"), Turn.calls("look", "{}"), Turn.says("Done"));
        assertThat(Wire.tools(ran.script().requests().getFirst())).containsExactly("ok");
        assertThat(shown(ran)).isEqualTo("tool: look error: There is no tool 'look'. Available tools: ok.");
    }

    @Test
    void aMisspeltActiveToolIsRefusedBeforeAnythingIsStored() {
        Script script = Scripts.on("solo").says("never");
        try (TestRuntime test = TestRuntime.with(script)) {
            assertThatThrownBy(() -> test.bind(Crew.solo(Crew.OK)).generate("Go", o -> o.activeTools("oke")))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage("There is no tool 'oke' to be active, as option 'activeTools' asks for; "
                            + "the agent has: ok.");
            assertThat(test.store().list(RunFilter.ROOTS)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"oke", "look"})
    void aToolChoiceThatTheModelCannotMakeIsRefusedBeforeAnythingIsStored(String chosen) {
        Script script = Scripts.on("solo").says("never");
        try (TestRuntime test = TestRuntime.with(script)) {
            assertThatThrownBy(() -> test.bind(Crew.solo(Crew.LOOK, Crew.OK))
                            .generate("Go", o -> o.activeTools("ok").toolChoice(ToolChoice.tool(chosen))))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage("There is no tool '" + chosen + "' for the model to call, as option 'toolChoice' asks"
                            + " for; the model can call: ok.");
            assertThat(test.store().list(RunFilter.ROOTS)).isEmpty();
        }
    }

    @Test
    void aToolChoiceOfAPreparedStepThatTheModelCannotMakeFailsTheRun() {
        Ran ran = Both.run(
                Crew.solo(Crew.LOOK, Crew.OK),
                o -> o.prepareStep(
                        step -> StepPlan.unchanged().withActiveTools("ok").withToolChoice(ToolChoice.tool("look"))),
                Turn.says("never"));
        assertThat(ran.failure()).hasMessageContaining("no tool 'look'").hasMessageContaining("prepareStep");
        assertThat(ran.script().requests()).isEmpty();
    }

    @Test
    void aMisspeltActiveToolOfAPreparedStepFailsTheRun() {
        Ran ran = Both.run(
                Crew.solo(Crew.OK),
                o -> o.prepareStep(step -> StepPlan.unchanged().withActiveTools("oke")),
                Turn.says("never"));
        assertThat(ran.failure()).hasMessageContaining("no tool 'oke'").hasMessageContaining("prepareStep");
        assertThat(ran.script().requests()).isEmpty();
    }

    @Test
    void aToolThatTakesTooLongIsGivenUpAndInterrupted() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(2);
        Tool tool = Steps.tool("slow", (in, ctx) -> {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
            return "never";
        });
        Ran ran = Both.ways(() -> Scripts.on("solo").calls("slow", "{}").then().says("Done"))
                .agent(Crew.solo(tool))
                .options(o -> o.timeLimit(TimeLimit.TOOL, Duration.ofSeconds(50)))
                .passing(Duration.ofSeconds(50))
                .run();
        assertThat(ran.result()).finished().toolFailed("slow", "took longer than 50 s; its outcome is unknown.");
        interrupted.await();
    }

    @Test
    void aToolsOwnTimeLimitWins() {
        Tool tool = Tool.builder("slow", "Slow.")
                .input(Crew.ANYTHING)
                .timeout(Duration.ofSeconds(3))
                .handler((in, ctx) -> {
                    new CountDownLatch(1).await();
                    return "never";
                })
                .build();
        Ran ran = Both.ways(() -> Scripts.on("solo").calls("slow", "{}").then().says("Done"))
                .agent(Crew.solo(tool))
                .options(o -> o.timeLimit(TimeLimit.TOOL, Duration.ofSeconds(9)))
                .passing(Duration.ofSeconds(3))
                .run();
        assertThat(ran.result()).finished().toolFailed("slow", "took longer than 3 s");
    }

    @Test
    void everyCallHasAnIdAndAnIdempotencyKeyOfItsOwn() {
        List<String> ids = new ArrayList<>();
        List<String> keys = new ArrayList<>();
        List<String> again = new ArrayList<>();
        List<String> paths = new ArrayList<>();
        Tool tool = Steps.tool("note", (in, ctx) -> {
            synchronized (ids) {
                ids.add(ctx.callId());
                keys.add(ctx.idempotencyKey());
                again.add(ctx.idempotencyKey());
                paths.add(ctx.path().toString());
            }
            return "noted";
        });
        Script script = Scripts.on(
                "solo",
                Turn.of(t -> t.calls("note", "{}")
                        .withCallId("same")
                        .and()
                        .calls("note", "{}")
                        .withCallId("same")
                        .and()
                        .calls("note", "{}")
                        .withCallId("")
                        .and()
                        .calls("note", "{}")
                        .withCallId(null)),
                Turn.of(t -> t.calls("note", "{\"n\":1}").withCallId("same")),
                Turn.says("Done"));
        try (TestRuntime test = TestRuntime.with(script)) {
            assertThat(test.bind(Crew.solo(tool)).generate("Go")).finished();
            assertThat(again).isEqualTo(keys);
            assertThat(paths).hasSize(5).containsOnly("solo");
        }
        assertThat(ids).hasSize(5).doesNotHaveDuplicates();
        assertThat(keys).hasSize(5).doesNotHaveDuplicates();
        script.requests().forEach(Wire::assertWellFormed);
        List<Part.ToolCall> sent = script.requests().getLast().messages().stream()
                .flatMap(message -> message.toolCalls().stream())
                .toList();
        assertThat(sent).extracting(Part.ToolCall::providerId).containsExactly("same", "same", "", null, "same");
    }

    @Test
    void resultsStandInCallOrderThoughToolsFinishInAnother() {
        // a permit for each of the two ways of running; the result of the second is stored when its event is emitted
        Semaphore second = new Semaphore(0);
        Tool first = Steps.tool("first", (in, ctx) -> {
            second.acquire();
            return "1";
        });
        Ran ran = Both.run(
                Crew.solo(first, Steps.tool("second", (in, ctx) -> "2")),
                o -> o.addListener(event -> {
                    if (event instanceof RunEvent.ToolResult result
                            && result.toolName().equals("second")) {
                        second.release();
                    }
                }),
                Turn.calls("first", "{}").and(Turn.calls("second", "{}")),
                Turn.says("Done"));
        assertThat(ran.result().toolResults()).extracting(ToolOutcome::toolName).containsExactly("first", "second");
        List<String> finished = ran.events().stream()
                .filter(RunEvent.ToolResult.class::isInstance)
                .map(event -> ((RunEvent.ToolResult) event).toolName())
                .toList();
        assertThat(finished).containsExactly("second", "first");
    }

    @Test
    void atMostSoManyToolsRunAtOnce() {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CyclicBarrier two = new CyclicBarrier(2);
        Tool tool = Steps.tool("busy", (in, ctx) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            two.await();
            running.decrementAndGet();
            return "ok";
        });
        Ran ran = Both.run(Crew.solo(tool), o -> o.toolCallConcurrency(2), () -> {
            Script script = Scripts.on("solo");
            for (int i = 0; i < 6; i++) {
                script.calls("busy", "{\"n\":" + i + "}").and();
            }
            return script.says("").then().says("Done");
        });
        assertThat(ran.result()).finished();
        assertThat(most.get()).isEqualTo(2);
    }

    @Test
    void aToolTellsDataUntilItsCallIsOver() {
        ToolContext[] kept = new ToolContext[1];
        Ran ran = call(
                Steps.tool("tell", (in, ctx) -> {
                    ctx.emit("progress", Map.of("percent", 50));
                    kept[0] = ctx;
                    return "told";
                }),
                "{}");
        kept[0].emit("progress", Map.of("percent", 100));
        List<RunEvent.Data> data = ran.events().stream()
                .filter(RunEvent.Data.class::isInstance)
                .map(RunEvent.Data.class::cast)
                .toList();
        assertThat(data).singleElement().satisfies(event -> {
            assertThat(event.type()).isEqualTo("data-progress");
            assertThat(event.value().text()).isEqualTo("{\"percent\":50}");
        });
        assertThatEvents(ran.events()).areInOrder("tool-call", "data-progress", "tool-result");
    }
}
