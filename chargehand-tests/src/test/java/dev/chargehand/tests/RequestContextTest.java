package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.error.HookException;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.RequestContext;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Both.Ran;
import dev.chargehand.tool.Tool;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Values of a request, and what is made of them: instructions, models, tools. */
class RequestContextTest {

    record User(String name, boolean premium) {}

    private static final RequestContext.Key<User> USER = RequestContext.Key.of("user", User.class);
    private static final RequestContext.Key<Object> HANDLE = RequestContext.Key.transientOf("handle", Object.class);
    private static final RequestContext ANN =
            RequestContext.of(USER, new User("Ann", true)).with(HANDLE, new Object());

    private static final Agent DYNAMIC = Agent.builder("solo")
            .instructionsFrom(
                    context -> "Serve " + context.get(USER).map(User::name).orElse("anybody") + ".")
            .modelFrom(context -> ModelChoice.of(
                    context.get(USER).map(User::premium).orElse(false) ? "scripted/premium" : "scripted/plain"))
            .toolsFrom(context -> context.get(USER).isPresent() ? List.of(Crew.OK, Crew.LOOK) : List.of(Crew.OK))
            .build();

    @Test
    void instructionsModelAndToolsAreMadeForEachRequest() {
        Script script = Scripts.of(Turns.saying("premium", "Hi Ann"), Turns.saying("plain", "Hi"));
        try (TestRuntime test = TestRuntime.with(script)) {
            Agent agent = test.bind(DYNAMIC);
            assertThat(agent.generate("Go", o -> o.requestContext(ANN))).hasText("Hi Ann");
            assertThat(agent.generate("Go")).hasText("Hi");
            assertThat(Wire.lines(script.requestsOf("premium").getFirst()))
                    .first()
                    .isEqualTo("system: Serve Ann.");
            assertThat(Wire.tools(script.requestsOf("premium").getFirst())).containsExactly("ok", "look");
            assertThat(Wire.lines(script.requestsOf("plain").getFirst()))
                    .first()
                    .isEqualTo("system: Serve anybody.");
            assertThat(Wire.tools(script.requestsOf("plain").getFirst())).containsExactly("ok");
        }
    }

    @Test
    void dynamicToolsOfTheSameNameAreRefused() {
        Agent agent = Crew.agent("solo", builder -> builder.toolsFrom(context -> List.of(Crew.OK, Crew.OK)));
        try (TestRuntime test = TestRuntime.with(Scripts.on("solo"))) {
            Agent bound = test.bind(agent);
            Steps.assertMisconfigured(() -> bound.generate("Go"), "'ok' is used twice");
        }
    }

    @Test
    void toolsAndHooksAndSubAgentsSeeTheValuesAndNoModelDoes() {
        List<String> seen = new ArrayList<>();
        Tool tool = Steps.tool("who", (in, ctx) -> {
            seen.add(ctx.requestContext().get(USER).orElseThrow().name());
            seen.add(ctx.requestContext().get(HANDLE).isPresent() ? "handle" : "no handle");
            return "seen";
        });
        Ran ran = Both.run(
                Crew.supervisorOf(Crew.member("researcher", tool)),
                o -> o.requestContext(ANN).stopWhen(step -> {
                    seen.add("hook "
                            + step.run()
                                    .requestContext()
                                    .get(USER)
                                    .orElseThrow()
                                    .name());
                    return false;
                }),
                Turns.of("supervisor", Turn.delegates("researcher", "P"), Turn.says("Done")),
                Turns.of("researcher", Turn.calls("who", "{}"), Turn.says("Fact")));
        assertThat(ran.result()).finished();
        assertThat(seen).contains("Ann", "hook Ann", "handle").doesNotContain("no handle");
        assertThat(ran.script().requests().toString()).doesNotContain("Ann");
    }

    @Test
    void storedValuesAreOnRecordAndTransientOnesAreNot() {
        Ran ran = Both.run(Crew.supervisor(), o -> o.requestContext(ANN), Scripts::oneDelegation);
        assertThat(ran.facts())
                .filteredOn(fact -> fact.contains(" started "))
                .hasSize(2)
                .allMatch(fact -> fact.contains("\"requestContext\":{\"user\":{\"name\":\"Ann\",\"premium\":true}}"));
        assertThat(ran.facts()).noneMatch(fact -> fact.contains("java.lang.Object"));
        assertThat(ran.facts()) // its name is: it must be given again
                .filteredOn(fact -> fact.contains("handle"))
                .singleElement()
                .asString()
                .contains("\"hooks\":[\"requestContext handle\"]");
    }

    @Test
    void aValueThatCannotBeStoredIsRefusedAtOnce() {
        RequestContext.Key<Object> key = RequestContext.Key.of("socket", Object.class);
        Map<String, Object> circle = new HashMap<>();
        circle.put("self", circle);
        Steps.assertMisconfigured(() -> RequestContext.of(key, circle), "'socket'");
    }

    @Test
    void valuesAreMergedByNameAndTheCallsWin() {
        RequestContext.Key<String> tenant = RequestContext.Key.of("tenant", String.class);
        List<String> seen = new ArrayList<>();
        Agent agent = Crew.agent(
                "solo",
                builder -> builder.defaultOptions(o ->
                        o.requestContext(RequestContext.of(tenant, "default").with(USER, new User("Nobody", false)))));
        Both.run(
                agent,
                o -> o.requestContext(ANN).stopWhen(step -> {
                    seen.add(step.run().requestContext().get(tenant).orElseThrow()
                            + step.run()
                                    .requestContext()
                                    .get(USER)
                                    .orElseThrow()
                                    .name());
                    return false;
                }),
                Turns.saying("solo", "Hi"));
        assertThat(seen).containsOnly("defaultAnn");
    }

    @Test
    void aContextIsImmutable() {
        RequestContext before = RequestContext.empty();
        assertThat(before.with(USER, new User("Ann", true)).get(USER)).isPresent();
        assertThat(before.get(USER)).isEmpty();
    }

    @Test
    void dynamicSettingsThatThrowFailTheCall() {
        Agent agent = Crew.agent(
                "solo",
                builder ->
                        builder.instructionsFrom(context -> Steps.failing(new IllegalStateException("no settings"))));
        try (TestRuntime test = TestRuntime.with(Scripts.on("solo"))) {
            Agent bound = test.bind(agent);
            assertThatThrownBy(() -> bound.generate("Go"))
                    .isInstanceOf(HookException.class)
                    .hasMessageContaining("solo")
                    .hasMessageContaining("no settings");
            assertThat(test.runtime().runs(RunFilter.ROOTS)).isEmpty();
        }
    }

    @Test
    void aRunKeepsItsContextWhenItIsResumed() {
        assertThat(RequestContext.restore(ANN.stored()).get(USER)).contains(new User("Ann", true));
        assertThat(RequestContext.restore(ANN.stored()).get(HANDLE)).isEmpty();
    }
}
