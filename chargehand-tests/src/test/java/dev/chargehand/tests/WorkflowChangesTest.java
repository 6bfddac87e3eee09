package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.json.JsonType;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.workflow.Step;
import dev.chargehand.workflow.StepHandler;
import dev.chargehand.workflow.Workflow;
import dev.chargehand.workflow.WorkflowBuilder;
import dev.chargehand.workflow.WorkflowResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Several changes of the shared state by one step have the effect of each, one after the other. */
class WorkflowChangesTest {

    private static final JsonSchema ANY = JsonSchema.of(Json.parse("{}"));

    private final AgentRuntime runtime =
            AgentRuntime.builder().store(InMemoryStore.keepingEndedRuns()).build();

    @AfterEach
    void close() {
        runtime.close();
    }

    private static Step<String, String> step(String id, StepHandler<String, String> handler) {
        return Step.of(id, String.class, String.class, handler);
    }

    private static WorkflowBuilder<String, String> startingWith(Json state) {
        return Workflow.from("flow", String.class).state(ANY, state);
    }

    /** Makes changes in one step, which returns what it then sees. */
    private WorkflowResult<String> changed(Json state, List<Json> changes) {
        Workflow<String, String> workflow = startingWith(state)
                .then(step("changes", (in, context) -> {
                    changes.forEach(context::updateState);
                    return context.state().text();
                }))
                .build(String.class);
        return runtime.run(workflow, "x", o -> {});
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'m':{'old':1}}           | {'m':null}                | {'m':{'a':2}}                   | {'m':{'a':2}}",
                "{'m':{'old':1}}           | {'m':'none'}              | {'m':{'a':2}}                   | {'m':{'a':2}}",
                "{'m':{'old':1}}           | {'m':[1]}                 | {'m':{}}                        | {'m':{}}",
                "{'m':{'o':{'old':1,'b':1}}} | {'m':null}              | {'m':{'o':{'b':2}}}             | {'m':{'o':{'b':2}}}",
                "{'m':{'o':{'old':1}}}     | {'m':{'o':null,'p':1}}    | {'m':{'o':{'a':{'n':null}}}}    | {'m':{'o':{'a':{}},'p':1}}",
                "{'m':5}                   | {'m':null}                | {'m':{'a':2}}                   | {'m':{'a':2}}",
                "{'n':1}                   | {'m':null}                | {'m':{'a':2}}                   | {'n':1,'m':{'a':2}}"
            })
    void anObjectInPlaceOfARemovedOneHasNothingOfThat(String before, String first, String second, String after) {
        WorkflowResult<String> result = changed(json(before), List.of(json(first), json(second)));
        assertThat(values(result.state())).isEqualTo(values(json(after)));
        assertThat(values(Json.parse(result.output()))).isEqualTo(values(json(after)));
    }

    /** The order of fields is of no meaning. */
    private static Map<String, Object> values(Json object) {
        return object.as(new JsonType<>() {});
    }

    private static Json json(String text) {
        return Json.parse(text.replace('\'', '"'));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void anyChangesAreMadeOneAfterTheOther(long seed) {
        Random random = new Random(seed);
        for (int i = 0; i < 40; i++) {
            Json before = Json.of(object(random, 3, false));
            List<Json> changes = new ArrayList<>();
            Json expected = before;
            for (int change = 0; change < 1 + random.nextInt(4); change++) {
                changes.add(Json.of(object(random, 3, true)));
                expected = merged(expected, changes.getLast());
            }
            WorkflowResult<String> result = changed(before, changes);
            assertThat(values(result.state())).as("%s with %s", before, changes).isEqualTo(values(expected));
            assertThat(values(Json.parse(result.output()))).isEqualTo(values(expected));
        }
    }

    private static Map<String, Json> object(Random random, int depth, boolean withNulls) {
        Map<String, Json> fields = new LinkedHashMap<>();
        for (String key : List.of("a", "b", "c")) {
            int kind = random.nextInt(5);
            if (kind == 0) {
                fields.put(key, Json.of(random.nextInt(9)));
            } else if (kind == 1 && withNulls) {
                fields.put(key, Json.of(null));
            } else if (kind > 1 && kind < 4 && depth > 0) {
                fields.put(key, Json.of(object(random, depth - 1, withNulls)));
            }
        }
        return fields;
    }

    /** The function of RFC 7396, section 2. */
    private static Json merged(Json target, Json patch) {
        if (!patch.isObject()) {
            return patch;
        }
        Map<String, Json> result = new LinkedHashMap<>(target.isObject() ? target.fields() : Map.of());
        patch.fields().forEach((name, value) -> {
            if (value.equals(Json.of(null))) {
                result.remove(name);
            } else {
                result.put(name, merged(result.getOrDefault(name, Json.of(Map.of())), value));
            }
        });
        return Json.of(result);
    }

    @Test
    void whatASiblingAddsToAnObjectThatIsReplacedIsKept() {
        CyclicBarrier both = new CyclicBarrier(2);
        Workflow<String, String> workflow = startingWith(json("{'m':{'old':1}}"))
                .parallel(
                        step("replaces", (in, context) -> {
                            both.await();
                            context.updateState(json("{'m':null}"));
                            context.updateState(json("{'m':{'a':1}}"));
                            return in;
                        }),
                        step("adds", (in, context) -> {
                            both.await();
                            context.updateState(json("{'m':{'b':1}}"));
                            return in;
                        }))
                .map("end", String.class, (outputs, context) -> context.state().text())
                .build(String.class);
        assertThat(values(runtime.run(workflow, "x", o -> {}).state())).isEqualTo(values(json("{'m':{'a':1,'b':1}}")));
    }

    @Test
    void theStateThatADefinitionOrAForkStartsWithIsAnObject() {
        for (String wrong : List.of("[1]", "5", "null")) {
            assertThatThrownBy(() -> startingWith(Json.parse(wrong)))
                    .isInstanceOf(ConfigurationException.class)
                    .hasMessage("Workflow 'flow': its initial state must be a JSON object, but is " + wrong + ".");
        }
        Json large = Json.of(Map.of("text", "x".repeat(300_000)));
        Workflow<String, String> workflow = startingWith(json("{'n':1}"))
                .then(step("only", (in, context) -> context.state().text()))
                .build(String.class);
        WorkflowResult<String> source = runtime.run(workflow, "x", o -> {});
        assertThatThrownBy(() -> runtime.fork(
                        source.runId(), f -> f.before("only").workflow(workflow).state(List.of(1))))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage("Fork of run " + source.runId() + ": the state must be a JSON object, but is [1].");
        assertThatThrownBy(() -> runtime.fork(
                        source.runId(), f -> f.before("only").workflow(workflow).state(large)))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("the state has 300011 bytes, but at most 262144 are allowed");
    }
}
