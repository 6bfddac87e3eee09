package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentBuilder;
import dev.chargehand.AgentCatalog;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.background.Disposition;
import dev.chargehand.background.TaskFilter;
import dev.chargehand.message.Role;
import dev.chargehand.model.Model;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.processor.Processor;
import dev.chargehand.run.Limit;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.StopReason;
import dev.chargehand.testkit.ScriptedModel;
import dev.chargehand.version.AgentVersion;
import dev.chargehand.version.Version;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What the agent in code decides holds for its stored versions too. */
class StoredVersionFrameTest extends VersionFixture {

    private final List<String> heard = new CopyOnWriteArrayList<>();

    /** An agent that calls a tool and then says its version, with changes. */
    private static Agent agent(String version, boolean approval, UnaryOperator<AgentBuilder> changes) {
        AgentBuilder builder = builder("deleter", version)
                .tools(
                        approval
                                ? Steps.approvedTool("delete", (in, ctx) -> "deleted")
                                : Steps.tool("delete", (in, ctx) -> "deleted"))
                .model(ScriptedModel.script()
                        .on("deleter")
                        .answers(request -> request.messages().getLast().role() == Role.TOOL
                                ? Steps.said("deleter " + version)
                                : Steps.calling("delete", "{}"))
                        .forever()
                        .modelFor("deleter"));
        return changes.apply(builder).build();
    }

    private Processor noting(String name) {
        return InputProcessor.of(name, (context, messages) -> {
            heard.add(name);
            return Processed.unchanged();
        });
    }

    private AgentRuntime with(Agent code, boolean approval, UnaryOperator<AgentBuilder> version) {
        return building(code)
                .catalog(AgentCatalog.stored((id, name, document) -> agent(name, approval, version)))
                .build();
    }

    /** Saves a version and calls it. */
    private static RunResult run(AgentRuntime runtime) {
        AgentVersion saved = runtime.versions().save("deleter", "a document");
        return runtime.agent("deleter").generate("Go", o -> o.version("deleter", Version.id(saved.id())));
    }

    private void assertRejected(
            UnaryOperator<AgentBuilder> code, UnaryOperator<AgentBuilder> version, String... words) {
        try (AgentRuntime runtime = with(agent("1", false, code), false, version)) {
            Steps.assertMisconfigured(() -> runtime.versions().save("deleter", "a document"), words);
            assertThat(runtime.versions().list("deleter", null, 10)).isEmpty();
        }
    }

    @Test
    void aVersionThatRaisesALimitIsNotSaved() {
        assertRejected(b -> b, b -> b.defaultOptions(o -> o.maxSteps(6)), "deleter", "maxSteps is 6", "at most 5");
        assertRejected(
                b -> b.defaultOptions(o -> o.maxSteps(7)),
                b -> b.defaultOptions(o -> o.maxSteps(8)),
                "maxSteps is 8",
                "at most 7");
        assertRejected(b -> b, b -> b.defaultOptions(o -> o.retries(3)), "retries is 3", "at most 2");
        assertRejected(
                b -> b,
                b -> b.defaultOptions(o -> o.toolCallConcurrency(11).maxProcessorRetries(2)),
                "toolCallConcurrency is 11",
                "maxProcessorRetries is 2");
    }

    @Test
    void aVersionThatHasOtherProcessorsIsNotSaved() {
        assertRejected(b -> b, b -> b.inputProcessors(noting("mine")), "inputProcessors are mine", "leave them out");
        assertRejected(
                b -> b.inputProcessors(noting("one"), noting("two")),
                b -> b.inputProcessors(noting("one")),
                "inputProcessors are one");
    }

    @Test
    void aVersionThatLetsOtherCallsBeTasksIsNotSaved() {
        UnaryOperator<AgentBuilder> helped = b -> b.agents(worker("helper", ""));
        UnaryOperator<AgentBuilder> always =
                b -> helped.apply(b).background(o -> o.agent("helper", Disposition.ALWAYS));
        String[] words = {"background has other settings", "leave it out"};
        assertRejected(helped, always, words);
        assertRejected(b -> helped.apply(b).background(o -> o.agents("helper")), always, words);
        assertRejected(always, b -> helped.apply(b).background(o -> o.all()), words);
        assertRejected(
                always,
                b -> helped.apply(b)
                        .background(o -> o.agent("helper", Disposition.ALWAYS).retries(1)),
                words);
        try (AgentRuntime runtime = with(agent("1", false, always), false, always)) {
            assertThat(runtime.versions().save("deleter", "a document").id()).isEqualTo("stored-1");
        }
    }

    @Test
    void aVersionWithinTheLimitsRunsWithItsOwn() {
        try (AgentRuntime runtime = with(
                agent("1", false, b -> b.defaultOptions(o -> o.maxSteps(7))),
                false,
                b -> b.defaultOptions(o -> o.maxSteps(1)))) {
            assertThat(run(runtime).stopReason()).isEqualTo(new StopReason.MaxStepsReached(1));
        }
    }

    @Test
    void backgroundTasksAreThoseOfTheAgentInCode() {
        Agent helper = worker("helper", "");
        Agent code = builder("deleter", "1")
                .agents(helper)
                .model(Scripts.on("deleter").says("Never.").forever().modelFor("deleter"))
                .background(b -> b.agent("helper", Disposition.ALWAYS))
                .build();
        Model calling = ScriptedModel.script()
                .on("deleter")
                .answers(request -> request.messages().getLast().role() == Role.TOOL
                        ? Steps.said("started")
                        : Steps.calling("agent-helper", "{\"prompt\":\"Help\"}"))
                .forever()
                .modelFor("deleter");
        try (AgentRuntime runtime = building(code)
                .catalog(AgentCatalog.stored((id, version, document) ->
                        builder(id, version).agents(helper).model(calling).build()))
                .build()) {
            AgentVersion saved = runtime.versions().save("deleter", "a document");
            RunResult run = runtime.agent("deleter")
                    .generate("Go", o -> o.thread("t").version("deleter", Version.id(saved.id())));
            assertThat(runtime.tasks(TaskFilter.of(run.runId()))).hasSize(1);
        }
    }

    @Test
    void limitsThatWereLoweredLaterHold() {
        try (AgentRuntime runtime = with(
                agent("1", false, b -> b.defaultOptions(o -> o.maxSteps(5))),
                false,
                b -> b.defaultOptions(o -> o.maxSteps(5)))) {
            assertThat(run(runtime).text()).isEqualTo("deleter stored-1");
        }
        try (AgentRuntime runtime = with(
                agent("1", false, b -> b.defaultOptions(o -> o.maxSteps(1))),
                false,
                b -> b.defaultOptions(o -> o.maxSteps(5)))) {
            RunResult result = runtime.agent("deleter").generate("Go", o -> o.version("deleter", Version.latest()));
            assertThat(result.stopReason()).isEqualTo(new StopReason.MaxStepsReached(1));
        }
    }

    @Test
    void limitsOfTheRunAreThoseOfTheAgentInCode() {
        try (AgentRuntime runtime = with(
                agent("1", false, b -> b.defaultOptions(o -> o.limit(Limit.MODEL_CALLS, 1))),
                false,
                b -> b.defaultOptions(o -> o.limit(Limit.MODEL_CALLS, 100)))) {
            assertThat(run(runtime).stopReason()).isInstanceOf(StopReason.LimitReached.class);
        }
    }

    @Test
    void aToolThatNeedsApprovalInCodeNeedsIt() {
        try (AgentRuntime runtime = with(agent("1", true, b -> b), false, b -> b)) {
            assertThat(run(runtime).status()).isEqualTo(RunStatus.SUSPENDED);
        }
        try (AgentRuntime runtime = with(agent("1", false, b -> b), true, b -> b)) {
            assertThat(run(runtime).status()).as("a version may be stricter").isEqualTo(RunStatus.SUSPENDED);
        }
    }

    @Test
    void theApprovalPolicyIsThatOfTheAgentInCode() {
        try (AgentRuntime runtime =
                with(agent("1", false, b -> b.defaultOptions(o -> o.requireToolApproval(true))), false, b -> b)) {
            assertThat(run(runtime).status()).isEqualTo(RunStatus.SUSPENDED);
        }
        try (AgentRuntime runtime = with(
                agent("1", false, b -> b.defaultOptions(o -> o.requireToolApproval(call -> true))), false, b -> b)) {
            assertThat(run(runtime).status()).isEqualTo(RunStatus.SUSPENDED);
        }
    }

    @Test
    void hooksAndProcessorsAreThoseOfTheAgentInCode() {
        Agent code = agent("1", false, b -> b.inputProcessors(noting("guard"))
                .defaultOptions(o -> o.onStepFinish(step -> heard.add("step"))));
        try (AgentRuntime runtime = with(code, false, b -> b)) {
            assertThat(run(runtime).text()).isEqualTo("deleter stored-1");
            assertThat(heard).containsExactly("guard", "step", "step");
        }
        heard.clear();
        try (AgentRuntime runtime = with(code, false, b -> b.inputProcessors(noting("guard")))) {
            assertThat(run(runtime).text()).isEqualTo("deleter stored-1");
            assertThat(heard).as("once, not twice").containsExactly("guard", "step", "step");
        }
    }
}
