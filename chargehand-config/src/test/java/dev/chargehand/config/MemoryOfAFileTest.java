package dev.chargehand.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.Agent;
import dev.chargehand.config.choice.ModelNote;
import dev.chargehand.config.internal.key.Key;
import dev.chargehand.config.internal.key.MemoryKeys;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.memory.Ancestor;
import dev.chargehand.memory.Memory;
import dev.chargehand.memory.Observations;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.SemanticRecall;
import dev.chargehand.memory.ThreadTitles;
import dev.chargehand.memory.WorkingMemory;
import dev.chargehand.model.HashedWords;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agents of a file remember what the file says, as those of a builder do. */
class MemoryOfAFileTest {

    private static final String RECALL = "memory: { semanticRecall: { model: \"%s\" } }";

    @TempDir
    Path folder;

    private final Map<String, String> environment = new HashMap<>();
    private String top = "model: offline\n";

    private AgentsFile file(String keys) {
        Path written = folder.resolve("crew.yaml");
        try {
            Files.writeString(written, top + "agents:\n  boss:\n" + keys.strip().indent(4));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return AgentsFileReader.read(written, "crew.yaml", Set.of());
    }

    private <T> T crew(String keys, Function<Crew, T> use) {
        try (Crew crew = Crew.builder(file(keys)).environment(environment::get).build()) {
            return use.apply(crew);
        }
    }

    private AgentEntry boss(String keys) {
        return file(keys).agent(null);
    }

    private Memory memory(String keys) {
        return crew(keys, crew -> crew.agent(boss(keys)).memory());
    }

    private SemanticRecall recall(String model) {
        return memory(RECALL.formatted(model)).semanticRecall().orElseThrow();
    }

    private void refuses(String model, String message) {
        assertThatThrownBy(() -> recall(model))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(message);
    }

    @Test
    void withoutTheKeyTheDefaultsAreThoseOfABuilder() {
        assertThat(memory("maxSteps: 1")).isEqualTo(Memory.DEFAULT);
        assertThat(memory("memory: { semanticRecall: { model: openai/e }, workingMemory: {} }"))
                .isEqualTo(Memory.builder()
                        .semanticRecall(recall -> recall.by("openai/e"))
                        .workingMemory(WorkingMemory.template())
                        .build());
        assertThat(memory("memory: { semanticRecall: { model: openai/e, messageRange: { before: 3 } } }"))
                .isEqualTo(Memory.builder()
                        .semanticRecall(recall -> recall.by("openai/e").messageRange(3, 1))
                        .build());
    }

    @Test
    void everyKeyIsThatOfABuilder() {
        assertThat(memory("""
                memory:
                  lastMessages: 3
                  semanticRecall:
                    { model: openai/e, topK: 7, messageRange: { before: 2, after: 0 }, scope: thread, threshold: 0.25,
                      alsoToolResults: true }
                  workingMemory: { template: "- Name:", scope: thread }
                  readsWorkingMemoryOf: root
                """))
                .isEqualTo(Memory.builder()
                        .lastMessages(3)
                        .semanticRecall(recall -> recall.by("openai/e")
                                .topK(7)
                                .messageRange(2, 0)
                                .scope(Scope.THREAD)
                                .threshold(0.25)
                                .alsoToolResults())
                        .workingMemory(WorkingMemory.template("- Name:").scope(Scope.THREAD))
                        .readsWorkingMemoryOf(Ancestor.ROOT)
                        .build());
    }

    @Test
    void offlineFindsCommonWordsAndSaysSo() {
        assertThat(recall("offline").model()).containsInstanceOf(HashedWords.class);
        assertThat(recall("${EMBEDDINGS:-offline}").modelName()).contains(new HashedWords().name());
        environment.put("EMBEDDINGS", "openai/e");
        assertThat(recall("${EMBEDDINGS:-offline}").modelName()).contains("openai/e");

        top = "model: openai/gpt-5-mini\n";
        String keys = RECALL.formatted("offline");
        List<ModelNote> notes = crew(keys, crew -> {
            crew.agent(boss(keys));
            return crew.notes();
        });
        assertThat(notes)
                .containsExactly(new ModelNote(
                        ModelNote.Kind.OFFLINE, "offline: recall by a stand-in that finds common words, not meaning"));
    }

    @Test
    void aModelOfTheWholeCrewLeavesTheEmbeddingModelAlone() {
        String keys = RECALL.formatted("openai/e");
        try (Crew crew = Crew.builder(file(keys))
                .environment(environment::get)
                .model(new Setting("offline", new Position("--model")))
                .build()) {
            assertThat(crew.agent(boss(keys)).memory().semanticRecall())
                    .hasValueSatisfying(recall -> assertThat(recall.modelName()).contains("openai/e"));
        }
    }

    @Test
    void aProviderOfTheFileHasEmbeddingModels() {
        top = "model: offline\nproviders: { mine: { baseUrl: \"http://localhost:1/v1\" } }\n";

        assertThat(recall("mine/e").modelName()).contains("mine/e");
    }

    @Test
    void aModelThatCannotBeCalledIsRefusedWithItsPlace() {
        refuses(
                "text-embedding-3-small",
                "crew.yaml:4:40: embedding model 'text-embedding-3-small' must be 'offline' or named provider/name, for"
                        + " example openai/text-embedding-3-small.");
        refuses(
                "deepseek/e",
                "crew.yaml:4:40: provider 'deepseek' has no embedding model 'deepseek/e'. Name one of another provider,"
                        + " such as openai/text-embedding-3-small, or offline.");
        refuses(
                "anthropic/e",
                "crew.yaml:4:40: provider 'anthropic' has no embedding model 'anthropic/e'. Name one of another"
                        + " provider, such as openai/text-embedding-3-small, or offline.");
        assertThatThrownBy(() -> recall("opnai/e"))
                .hasMessageStartingWith(
                        "crew.yaml:4:40: no provider 'opnai' is known for the embedding model 'opnai/e'."
                                + " Known are:")
                .hasMessageEndingWith("Did you mean 'openai'?");
        assertThat(CrewCheck.of(file(RECALL.formatted("deepseek/e")), environment::get, folder))
                .singleElement()
                .asString()
                .startsWith("crew.yaml:4:40: provider 'deepseek' has no embedding model");
    }

    @Test
    void whatAnAgentRemembersCanBeReadWithoutWhatItNeedsToRun() {
        top = "";
        String keys = RECALL.formatted("openai/e") + "\nagents: []";

        Agent rememberer = crew(keys, crew -> crew.rememberer(boss(keys)));

        assertThat(rememberer.id()).isEqualTo("boss");
        assertThat(rememberer.memory())
                .isEqualTo(Memory.builder()
                        .semanticRecall(recall -> recall.by("openai/e"))
                        .build());
        assertThatThrownBy(() -> memory(keys)).hasMessageContaining("agent 'boss' has no model");
    }

    @Test
    void aModelWritesTitlesUnlessItIsTheStandIn() {
        assertThat(memory("memory: { title: openai/gpt-5-nano, historyTokens: 100, dailyTokens: 9000 }"))
                .isEqualTo(Memory.builder()
                        .title("openai/gpt-5-nano")
                        .historyTokens(100)
                        .dailyTokens(9_000)
                        .build());
        assertThat(memory("memory: { title: openai/gpt-5-nano, titleInstructions: In Latin. }")
                        .title())
                .contains(ThreadTitles.by("openai/gpt-5-nano").instructions("In Latin."));
        assertThat(memory("memory: { title: offline }").title()).isEmpty();
        assertThatThrownBy(() -> memory("memory: { title: opnai/m }"))
                .hasMessageStartingWith("crew.yaml:4:22: no provider 'opnai' is known for the model 'opnai/m'.");
    }

    @Test
    void observationsHaveTheDefaultsOfABuilder() {
        Memory memory = memory("memory: { observations: { model: openai/gpt-5-nano } }");

        assertThat(memory)
                .isEqualTo(Memory.builder()
                        .observations(notes -> notes.model("openai/gpt-5-nano"))
                        .build());
        assertThat(memory.lastMessages()).isEqualTo(Integer.MAX_VALUE);
        assertThat(memory.observations()).hasValueSatisfying(notes -> assertThat(notes)
                .extracting(Observations::scope, Observations::messageTokens, Observations::observationTokens)
                .containsExactly(
                        shown(MemoryKeys.Observations.SCOPE, Map.of("thread", Scope.THREAD)),
                        shown(MemoryKeys.Observations.MESSAGE_TOKENS, Map.of()),
                        shown(MemoryKeys.Observations.OBSERVATION_TOKENS, Map.of())));
    }

    /** Return the default that the reference page has of a key. */
    private static @Nullable Object shown(Key<?> key, Map<Object, Object> words) {
        return words.getOrDefault(key.byDefault(), key.byDefault());
    }

    @Test
    void everyKeyOfObservationsIsThatOfABuilder() {
        environment.put("OBSERVER", "openai/gpt-5-nano");

        assertThat(memory("""
                memory:
                  lastMessages: 50
                  observations:
                    model: ${OBSERVER}
                    reflector: ${REFLECTOR:-openai/gpt-5-mini}
                    instructions: What they eat.
                    scope: resource
                    messageTokens: 100
                    observationTokens: 200
                    recallTool: true
                """))
                .isEqualTo(Memory.builder()
                        .lastMessages(50)
                        .observations(notes -> notes.model("openai/gpt-5-nano")
                                .reflector("openai/gpt-5-mini")
                                .instructions("What they eat.")
                                .scope(Scope.RESOURCE)
                                .messageTokens(100)
                                .observationTokens(200)
                                .recallTool())
                        .build());
    }

    @Test
    void nothingIsObservedByTheStandIn() {
        top = "model: openai/gpt-5-mini\n";
        String keys =
                "memory: { observations: { model: \"${OBSERVER:-offline}\", reflector: \"${OBSERVER:-offline}\" } }";

        assertThat(memory(keys)).isEqualTo(Memory.DEFAULT);
        List<ModelNote> notes = crew(keys, crew -> {
            crew.agent(boss(keys));
            return crew.notes();
        });
        assertThat(notes)
                .containsExactly(new ModelNote(
                        ModelNote.Kind.OFFLINE_BY_DEFAULT, "offline: a rule-based stand-in, not a language model"));
        environment.put("OBSERVER", "openai/gpt-5-nano");
        assertThat(memory(keys).observations()).isPresent();
        try (Crew crew = Crew.builder(file(keys))
                .environment(environment::get)
                .model(new Setting("offline", new Position("--model")))
                .build()) {
            assertThat(crew.agent(boss(keys)).memory()).isEqualTo(Memory.DEFAULT);
        }
    }

    @Test
    void aModelThatCannotObserveIsRefusedWithItsPlace() {
        String observations = "memory: { observations: { model: %s } }";

        assertThatThrownBy(() -> memory(observations.formatted("opnai/m")))
                .hasMessageStartingWith("crew.yaml:4:38: no provider 'opnai' is known for the model 'opnai/m'.");
        assertThatThrownBy(() -> memory(observations.formatted("nano")))
                .hasMessage("crew.yaml:4:38: model 'nano' must be 'offline' or named provider/name, for example"
                        + " openai/gpt-5-mini.");
        assertThatThrownBy(() -> memory(observations.formatted("offline, reflector: opnai/m")))
                .hasMessageStartingWith("crew.yaml:4:58: no provider 'opnai' is known for the model 'opnai/m'.");
        assertThat(CrewCheck.of(file(observations.formatted("openai/m, reflector: offline")), environment::get, folder))
                .containsExactly(
                        "crew.yaml:4:59: 'reflector' of 'observations' is 'offline', a rule-based stand-in that"
                                + " shortens nothing. Leave it out, so that 'model' shortens them too, or name another model,"
                                + " such as openai/gpt-5-mini.");
    }

    @Test
    void instructionsOfObservationsThatAreTooLongAreRefusedWithTheirPlace() {
        String keys = "memory: { observations: { model: openai/m, instructions: " + "a".repeat(10_001) + " } }";

        assertThatThrownBy(() -> memory(keys))
                .hasMessage("crew.yaml:4:62: observations: instructions have 1 to 10000 characters that are not all"
                        + " blank.");
    }

    @Test
    void whatIsRememberedIsReadWithoutWritingObservations() {
        String keys = "memory: { observations: { model: openai/m }, title: openai/m }";

        assertThat(crew(keys, crew -> crew.rememberer(boss(keys))).memory()).isEqualTo(Memory.DEFAULT);
    }

    @Test
    void theEntrySaysWhatItRemembers() {
        assertThat(List.of(boss("maxSteps: 1"), boss("memory: { lastMessages: 3 }")))
                .allSatisfy(entry -> {
                    assertThat(entry.recalls()).isFalse();
                    assertThat(entry.observes()).isFalse();
                    assertThat(entry.workingMemory()).isEmpty();
                });
        assertThat(boss(RECALL.formatted("offline")).recalls()).isTrue();
        assertThat(boss("memory: { observations: { model: offline } }").observes())
                .isTrue();
        assertThat(boss("memory: { workingMemory: { template: a, scope: thread } }")
                        .workingMemory())
                .contains(WorkingMemory.template("a").scope(Scope.THREAD));
    }
}
