package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.chargehand.Agent;
import dev.chargehand.AgentCatalog;
import dev.chargehand.AgentRuntime;
import dev.chargehand.AgentRuntimeBuilder;
import dev.chargehand.approval.ApprovalAnswer;
import dev.chargehand.approval.Approver;
import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.message.Message;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.FinishReason;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelProvider;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.processor.InputProcessor;
import dev.chargehand.processor.Processed;
import dev.chargehand.processor.Processor;
import dev.chargehand.processor.ProcessorContext;
import dev.chargehand.run.RunId;
import dev.chargehand.run.StructuredOutput;
import dev.chargehand.run.Usage;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.tool.Tool;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A null from code of the user's is the user's mistake, and the error says whose. */
@SuppressWarnings({"NullAway", "DataFlowIssue"}) // that a null is returned is what is tested
class NullsOfTheUserTest {

    private static final Model FINE = model(Steps.said("Done"));

    private static Model model(ModelResponse answer) {
        return new Model() {
            @Override
            public String name() {
                return "own/model";
            }

            @Override
            public ModelResponse ask(ModelRequest request, ModelCall call) {
                return answer;
            }
        };
    }

    private static void blames(Agent agent, AgentRuntimeBuilder builder, String code, String... words) {
        Throwable thrown = catchThrowable(() -> {
            try (AgentRuntime runtime = builder.build()) {
                runtime.bind(agent).generate("Go");
            }
        });
        assertThat(thrown).isInstanceOf(ChargehandException.class);
        assertThat(thrown.getMessage()).contains(words).doesNotContain("Chargehand itself");
        assertThat(((ChargehandException) thrown).code()).isEqualTo(code);
    }

    private static void blames(Agent agent, String... words) {
        blames(agent, AgentRuntime.builder(), "configuration", words);
    }

    @Test
    void ofAModel() {
        blames(Agent.builder("a").model(model(null)).build(), "Agent 'a'", "'own/model'", "returned null from ask");
    }

    @Test
    void ofThePartsOfAnAnswer() {
        blamesTheAnswer(() -> ModelResponse.text(null, Usage.NONE), "The text of an answer is null; give an empty one");
        blamesTheAnswer(() -> ModelResponse.text("Done", null), "The usage of an answer is null; give Usage.NONE");
        blamesTheAnswer(
                () -> new ModelResponse("Done", "", List.of(), null, Usage.NONE),
                "The finish reason of an answer is null; give FinishReason.STOP");
        blamesTheAnswer(
                () -> new ModelResponse("Done", null, List.of(), FinishReason.STOP, Usage.NONE),
                "The reasoning of an answer is null; give an empty one");
        blamesTheAnswer(
                () -> new ModelResponse("Done", "", null, FinishReason.STOP, Usage.NONE),
                "The calls of an answer are null; give an empty list");
    }

    private static void blamesTheAnswer(Supplier<ModelResponse> answer, String words) {
        Model model = new Model() {
            @Override
            public String name() {
                return "own/model";
            }

            @Override
            public ModelResponse ask(ModelRequest request, ModelCall call) {
                return answer.get();
            }
        };
        blames(Agent.builder("a").model(model).build(), AgentRuntime.builder(), "model-protocol", "'own/model'", words);
    }

    @Test
    void ofTheSettingsThatAreMadeForEachRequest() {
        blames(
                Agent.builder("a").model(FINE).instructionsFrom(context -> null).build(),
                "Agent 'a'",
                "instructionsFrom returned null",
                "empty text");
        blames(Agent.builder("a").modelFrom(context -> null).build(), "Agent 'a'", "modelFrom returned null");
        blames(
                Agent.builder("a").model(FINE).toolsFrom(context -> null).build(),
                "Agent 'a'",
                "toolsFrom returned null");
        blames(
                Agent.builder("a")
                        .model(FINE)
                        .toolsFrom(context -> Collections.singletonList(null))
                        .build(),
                "Agent 'a'",
                "toolsFrom returned null");
    }

    @Test
    void ofAModelProvider() {
        ModelProvider provider = new ModelProvider() {
            @Override
            public Optional<Model> find(String name) {
                return null;
            }

            @Override
            public Set<String> names() {
                return Set.of();
            }
        };
        blames(
                Agent.builder("a").model("own/model").build(),
                AgentRuntime.builder().providers(provider),
                "configuration",
                provider.getClass().getName(),
                "'own/model'");
    }

    @Test
    void ofAnIdSource() {
        blames(
                Agent.builder("a").model(FINE).build(),
                AgentRuntime.builder().idSource(prefix -> null),
                "configuration",
                "Id source",
                "returned no id");
    }

    @Test
    void ofHooksThatFailTheRun() {
        blames(
                Agent.builder("a")
                        .model(FINE)
                        .defaultOptions(o -> o.prepareStep(context -> null))
                        .build(),
                AgentRuntime.builder(),
                "hook-failed",
                "prepareStep",
                "'a'",
                "returned null");
        InputProcessor processor = new InputProcessor() {
            @Override
            public String name() {
                return "own";
            }

            @Override
            public Processed<List<Message>> processInput(ProcessorContext context, List<Message> messages) {
                return Processed.rewritten(Collections.singletonList(null));
            }
        };
        blames(
                Agent.builder("a").model(FINE).inputProcessors(processor).build(),
                AgentRuntime.builder(),
                "hook-failed",
                "'own'",
                "'a'",
                "a null in it");
    }

    @Test
    void whatAModelThrowsWhenItIsAskedForItsFormatIsItsOwnFailure() {
        Model broken = new Model() {
            @Override
            public String name() {
                return "own/model";
            }

            @Override
            public boolean hasFormatFor(JsonSchema schema) {
                throw new IllegalStateException("no format");
            }

            @Override
            public ModelResponse ask(ModelRequest request, ModelCall call) {
                return Steps.said("{}");
            }
        };
        blames(
                Agent.builder("a")
                        .model(broken)
                        .defaultOptions(o -> o.structuredOutput(StructuredOutput.of(Crew.Number.class)))
                        .build(),
                AgentRuntime.builder(),
                "model-protocol",
                "own/model",
                "no format");
    }

    @Test
    void aNullInAMemory() {
        List<ThrowingCallable> calls = List.of(
                () -> Memory.builder().semanticRecall(null),
                () -> Memory.builder().semanticRecall(recall -> recall.by((String) null)),
                () -> Memory.builder().semanticRecall(recall -> recall.by((EmbeddingModel) null)),
                () -> Memory.builder().semanticRecall(recall -> recall.by("a/b").scope(null)),
                () -> Memory.builder().workingMemory(null),
                () -> WorkingMemory.template(null),
                () -> WorkingMemory.schema((JsonSchema) null),
                () -> WorkingMemory.template().scope(null),
                () -> Agent.builder("a").memory((Memory) null));
        assertThat(calls).allSatisfy(call -> assertThat(catchThrowable(call))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("must not be null"));
    }

    @Test
    void ofAnAnswer() {
        assertThatNullPointerException()
                .isThrownBy(() -> ApprovalAnswer.approve(null))
                .withMessageContaining("approver of an answer must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> ApprovalAnswer.decline(null, "No"))
                .withMessageContaining("approver of an answer must not be null");
        Agent agent = Agent.builder("a").model(FINE).build();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .agents(agent)
                .catalog(AgentCatalog.stored((id, version, document) -> agent))
                .build()) {
            RunId run = RunId.of("run-1");
            assertThatNullPointerException()
                    .isThrownBy(() -> runtime.storeAnswer(null, ApprovalAnswer.approve(Approver.of("ann"))))
                    .withMessageContaining("approval to answer must not be null");
            assertThatNullPointerException()
                    .isThrownBy(() -> runtime.wake(run, null))
                    .withMessageContaining("path of the step must not be null");
            assertThatNullPointerException()
                    .isThrownBy(() -> runtime.threads().append(ThreadOwner.of("ann"), "t", null))
                    .withMessageContaining("messages for a thread must not be null");
            assertThatNullPointerException()
                    .isThrownBy(
                            () -> runtime.threads().append(ThreadOwner.of("ann"), "t", Collections.singletonList(null)))
                    .withMessageContaining("No message for a thread may be null");
            assertThatNullPointerException()
                    .isThrownBy(() -> runtime.versions().save("a", null))
                    .withMessageContaining("document of a version must not be null");
            assertThatNullPointerException()
                    .isThrownBy(() -> runtime.versions().find("a", null))
                    .withMessageContaining("version must not be null");
        }
    }

    @Test
    void ofAnIdOrAnElementIsAnErrorOfTheConfigurationThatSaysWhere() {
        Tool fine = Tool.of("fine", "Fine.", Crew.Sum.class, (input, context) -> "fine");
        Agent agent = Agent.builder("a").model(FINE).build();
        record Refused(ThrowingCallable call, String says) {}
        assertThat(List.of(
                        new Refused(() -> Approver.of(null), "An approver needs an id"),
                        new Refused(() -> Approver.of(" "), "An approver needs an id"),
                        new Refused(() -> RunId.of(null), "A run id must not be null or blank"),
                        new Refused(() -> new RunId(""), "A run id must not be null or blank"),
                        new Refused(() -> JdbcStore.sqlite(null), "file of a store must not be null"),
                        new Refused(
                                () -> Agent.builder("a").tools(fine, null),
                                "Agent 'a': tools: element 2 must not be null"),
                        new Refused(
                                () -> agent.effectiveOptions(o -> o.activeTools((String) null)),
                                "Option 'activeTools': element 1 must not be null"),
                        new Refused(
                                () -> agent.effectiveOptions(o -> o.inputProcessors((Processor[]) null)),
                                "Option 'inputProcessors' must not be null"),
                        new Refused(
                                () -> agent.effectiveOptions(o -> o.outputProcessors((Processor[]) null)),
                                "Option 'outputProcessors' must not be null"),
                        new Refused(
                                () -> Agent.builder("a").tools((List<Tool>) null),
                                "Agent 'a': tools must not be null")))
                .allSatisfy(refused -> assertThat(catchThrowable(refused.call()))
                        .isInstanceOf(ConfigurationException.class)
                        .hasMessageContaining(refused.says()));
    }
}
