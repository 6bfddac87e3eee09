package dev.chargehand.config.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.document.DocumentException;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.memory.Ancestor;
import dev.chargehand.memory.Scope;
import dev.chargehand.memory.WorkingMemory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an agent of the file says about what it remembers. */
class MemoryEntryTest {

    @TempDir
    Path folder;

    /** Reads an agent {@code boss}, whose keys begin at line 3 of the file. */
    private MemoryEntry memory(String keys) {
        Path written = folder.resolve("crew.yaml");
        try {
            Files.writeString(written, "agents:\n  boss:\n" + keys.strip().indent(4));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return FileReader.read(written, "crew.yaml", Set.of())
                .agent(new Setting("boss", new Position("test")))
                .memory();
    }

    private MemoryEntry.Recall recall(String keys) {
        MemoryEntry.Recall recall = memory("memory: { semanticRecall: { model: offline, %s } }".formatted(keys))
                .recall();
        assertThat(recall).isNotNull();
        return recall;
    }

    private void refuses(String keys, String message) {
        assertThatThrownBy(() -> memory(keys))
                .isInstanceOfSatisfying(
                        DocumentException.class, e -> assertThat(e.getMessage()).startsWith("crew.yaml:" + message));
    }

    @Test
    void withoutTheKeyNothingIsSet() {
        assertThat(memory("maxSteps: 1")).isEqualTo(MemoryEntry.NONE);
        assertThat(memory("memory: {}")).isEqualTo(MemoryEntry.NONE);
    }

    @Test
    void everyPartIsRead() {
        MemoryEntry memory = memory("""
                memory:
                  lastMessages: 3
                  historyTokens: 8000
                  title: openai/gpt-5-nano
                  titleInstructions: In Latin.
                  semanticRecall:
                    model: openai/text-embedding-3-small
                    topK: 7
                    messageRange: { before: 2, after: 0 }
                    scope: thread
                    threshold: -0.5
                    alsoToolResults: true
                  workingMemory:
                    template: |
                      # Reader
                      - Name:
                    scope: thread
                    wholeText: true
                  observations:
                    model: openai/gpt-5-nano
                    reflector: openai/gpt-5-mini
                    instructions: What they eat.
                    scope: resource
                    messageTokens: 100
                    observationTokens: 200
                    recallTool: true
                  readsWorkingMemoryOf: root
                  dailyTokens: 50000000000
                """);

        assertThat(memory)
                .isEqualTo(new MemoryEntry(
                        3,
                        8_000,
                        new MemoryEntry.Recall(
                                new Setting("openai/text-embedding-3-small", new Position("crew.yaml", 9, 16)),
                                7,
                                2,
                                0,
                                Scope.THREAD,
                                -0.5,
                                true),
                        WorkingMemory.template("# Reader\n- Name:\n")
                                .scope(Scope.THREAD)
                                .wholeText(),
                        new MemoryEntry.Observer(
                                new Setting("openai/gpt-5-nano", new Position("crew.yaml", 22, 16)),
                                new Setting("openai/gpt-5-mini", new Position("crew.yaml", 23, 20)),
                                new Setting("What they eat.", new Position("crew.yaml", 24, 23)),
                                Scope.RESOURCE,
                                100,
                                200,
                                true),
                        new MemoryEntry.Title(
                                new Setting("openai/gpt-5-nano", new Position("crew.yaml", 6, 14)),
                                new Setting("In Latin.", new Position("crew.yaml", 7, 26))),
                        Ancestor.ROOT,
                        50_000_000_000L));
    }

    @Test
    void aRangeIsANumberForBothSidesOrOneForEach() {
        assertThat(recall("messageRange: 3"))
                .extracting(MemoryEntry.Recall::before, MemoryEntry.Recall::after)
                .containsExactly(3, 3);
        assertThat(recall("messageRange: { after: 3 }"))
                .extracting(MemoryEntry.Recall::before, MemoryEntry.Recall::after)
                .containsExactly(null, 3);
        assertThat(recall("scope: resource"))
                .extracting(MemoryEntry.Recall::before, MemoryEntry.Recall::after, MemoryEntry.Recall::scope)
                .containsExactly(null, null, Scope.RESOURCE);
    }

    @Test
    void aWorkingMemoryIsATextUnlessItHasASchema() {
        assertThat(memory("memory: { workingMemory: {} }").working()).isEqualTo(WorkingMemory.template());
        assertThat(memory("memory: { workingMemory: { schema: { type: object, required: [ name ] } } }")
                        .working())
                .isEqualTo(WorkingMemory.schema(
                        JsonSchema.of(Json.parse("{\"type\":\"object\",\"required\":[\"name\"]}"))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                lastMessages: 3 | 3:5: unknown key 'lastMessages' in agent 'boss'. It is a key of 'memory': memory: { lastMessages: … }.
                semanticRecall: { model: a/b } | 3:5: unknown key 'semanticRecall' in agent 'boss'. It is a key of 'memory': memory: { semanticRecall: … }.
                memory: 10 | 3:5: 'memory' of agent 'boss' must have keys and values under it, but is '10'.
                memory: { lastMessages: -1 } | 3:29: 'lastMessages' of 'memory' of agent 'boss' must be a whole number from 0, but is '-1'.
                memory: { lastMesages: 1 } | 3:15: unknown key 'lastMesages' in 'memory' of agent 'boss'. Allowed: lastMessages, historyTokens, semanticRecall, workingMemory, observations, title, titleInstructions, readsWorkingMemoryOf, dailyTokens. Did you mean 'lastMessages'?
                memory: { historyTokens: 0 } | 3:30: 'historyTokens' of 'memory' of agent 'boss' must be a whole number from 1, but is '0'.
                memory: { dailyTokens: 0 } | 3:28: 'dailyTokens' of 'memory' of agent 'boss' must be a whole number from 1, but is '0'.
                memory: { title: '' } | 3:15: 'title' of 'memory' of agent 'boss' must be a text, but is empty.
                memory: { titleInstructions: short } | 3:15: 'titleInstructions' of 'memory' of agent 'boss' has no meaning without 'title'
                memory: { workingMemory: { wholeText: true, schema: { type: object } } } | 3:32: 'wholeText' of 'workingMemory' of agent 'boss' has no meaning together with 'schema', whose changes are a JSON merge patch. Leave one of them out.
                memory: { semanticRecall: {} } | 3:15: 'semanticRecall' of agent 'boss' needs 'model', the embedding model: such as model: openai/text-embedding-3-small, or model: offline for a stand-in that finds common words, not meaning.
                memory: { semanticRecall: { topK: 3 } } | 3:15: 'semanticRecall' of agent 'boss' needs 'model'
                memory: { semanticRecall: offline } | 3:15: 'semanticRecall' of agent 'boss' must have keys and values under it, but is 'offline'.
                memory: { semanticRecall: { model: [ a/b ] } } | 3:40: 'model' of 'semanticRecall' of agent 'boss' must be a text, but is a list.
                memory: { semanticRecall: { model: a/b, topK: 51 } } | 3:51: 'topK' of 'semanticRecall' of agent 'boss' must be a whole number from 1 to 50, but is '51'.
                memory: { semanticRecall: { model: a/b, messageRange: 21 } } | 3:59: 'messageRange' of 'semanticRecall' of agent 'boss' must be a whole number from 0 to 20, but is '21'.
                memory: { semanticRecall: { model: a/b, messageRange: { befor: 1 } } } | 3:61: unknown key 'befor' in 'messageRange' of agent 'boss'. Allowed: before, after. Did you mean 'before'?
                memory: { semanticRecall: { model: a/b, messageRange: { before: -1 } } } | 3:69: 'before' of 'messageRange' of agent 'boss' must be a whole number from 0 to 20, but is '-1'.
                memory: { semanticRecall: { model: a/b, scope: user } } | 3:52: 'scope' of 'semanticRecall' of agent 'boss' must be one of resource, thread, but is 'user'.
                memory: { semanticRecall: { model: a/b, threshold: 2 } } | 3:56: 'threshold' of 'semanticRecall' of agent 'boss' must be a number from -1 to 1, but is '2'.
                memory: { workingMemory: { template: '' } } | 3:32: 'template' of 'workingMemory' of agent 'boss' must be a text, but is empty.
                memory: { workingMemory: { template: a, schema: { type: object } } } | 3:45: 'schema' of 'workingMemory' of agent 'boss' has no meaning together with 'template'. Leave one of them out.
                memory: { workingMemory: { schema: { type: string } } } | 3:32: 'schema' of 'workingMemory' of agent 'boss': The schema of a working memory must allow an object.
                memory: { workingMemory: { schema: { type: 7 } } } | 3:32: 'schema' of 'workingMemory' of agent 'boss' is no JSON schema
                memory: { observations: {} } | 3:15: 'observations' of agent 'boss' needs 'model', the model that writes them: such as model: openai/gpt-5-nano, or model: offline, with which nothing is observed.
                memory: { observations: { scope: thread } } | 3:15: 'observations' of agent 'boss' needs 'model'
                memory: { observations: openai/m } | 3:15: 'observations' of agent 'boss' must have keys and values under it, but is 'openai/m'.
                memory: { observations: { model: [ a/b ] } } | 3:38: 'model' of 'observations' of agent 'boss' must be a text, but is a list.
                memory: { observations: { model: a/b, reflector: '' } } | 3:43: 'reflector' of 'observations' of agent 'boss' must be a text, but is empty.
                memory: { observations: { model: a/b, messageTokens: 99 } } | 3:58: 'messageTokens' of 'observations' of agent 'boss' must be a whole number from 100, but is '99'.
                memory: { observations: { model: a/b, observationTokens: 99 } } | 3:62: 'observationTokens' of 'observations' of agent 'boss' must be a whole number from 100, but is '99'.
                memory: { observations: { model: a/b, scope: user } } | 3:50: 'scope' of 'observations' of agent 'boss' must be one of resource, thread, but is 'user'.
                memory: { observations: { model: a/b, recallTool: often } } | 3:55: 'recallTool' of 'observations' of agent 'boss' must be one of false, true, but is 'often'.
                memory: { observations: { model: a/b, reflectr: a/c } } | 3:43: unknown key 'reflectr' in 'observations' of agent 'boss'. Allowed: model, reflector, instructions, scope, messageTokens, observationTokens, recallTool. Did you mean 'reflector'?
                observations: { model: a/b } | 3:5: unknown key 'observations' in agent 'boss'. It is a key of 'memory': memory: { observations: … }.
                memory: { workingMemory: { scope: user } } | 3:39: 'scope' of 'workingMemory' of agent 'boss' must be one of resource, thread, but is 'user'.
                """)
    void aMistakeIsNamedWithItsPlace(String keys, String message) {
        refuses(keys, message);
    }
}
