package dev.chargehand.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunOptions;
import dev.chargehand.config.choice.CrewOption;
import dev.chargehand.config.choice.CrewOptionException;
import dev.chargehand.config.internal.file.MemoryEntry;
import dev.chargehand.document.DocumentException;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgentsFileReaderTest {

    @TempDir
    Path folder;

    private AgentsFile read(String text) {
        return read(text.getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }

    private AgentsFile read(byte[] bytes) {
        try {
            Files.write(folder.resolve("crew.yaml"), bytes);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        return AgentsFileReader.read(folder.resolve("crew.yaml"), "crew.yaml", Set.of("search-files"));
    }

    private void refuses(String text, String message) {
        assertThatThrownBy(() -> read(text))
                .isInstanceOfSatisfying(DocumentException.class, e -> assertThat(withoutColumns(e.getMessage()))
                        .isEqualTo(message));
    }

    private static String withoutColumns(String message) {
        return message.replaceAll("(crew\\.yaml:\\d+):\\d+", "$1");
    }

    @Test
    void everythingIsRead() {
        AgentsFile file = read("""
                model: ${MODEL:-offline}
                default: boss
                docs: papers
                store: crew.db
                agents:
                  boss:
                    instructions: |
                      Delegate.
                      Then answer.
                    agents: [finder]
                    maxSteps: 7
                    memory: { lastMessages: 0 }
                  finder: { description: Finds passages., tools: [ search-files ], model: openai/gpt-5-mini }
                """);

        assertThat(file.models()).containsExactly(new Setting("${MODEL:-offline}", new Position("crew.yaml", 1, 8)));
        assertThat(file.docs()).contains(new Setting("papers", new Position("crew.yaml", 3, 7)));
        assertThat(file.store()).contains(new Setting("crew.db", new Position("crew.yaml", 4, 8)));
        AgentEntry boss = file.agent(null);
        assertThat(boss.instructions()).isEqualTo("Delegate.\nThen answer.");
        assertThat(RunOptions.defaults().with(boss.definition().options()::set).changed())
                .containsEntry("maxSteps", 7);
        assertThat(boss.definition().memory()).isEqualTo(new MemoryEntry(0, null, null, null, null, null, null, null));
        AgentEntry finder = file.find(boss.agents().getFirst());
        assertThat(finder.description()).isEqualTo("Finds passages.");
        assertThat(finder.tools()).extracting(Setting::text).containsExactly("search-files");
        assertThat(finder.models()).extracting(Setting::text).containsExactly("openai/gpt-5-mini");
    }

    @Test
    void whatNeedsApprovalIsRead() {
        AgentsFile file = read("""
                agents:
                  boss: { agents: [finder] }
                  finder:
                    description: Finds passages.
                    tools:
                      - search-files: { approval: true }
                  free: { tools: [{ search-files: { approval: false } }] }
                  loose: { tools: [{ search-files: {} }], requireToolApproval: false }
                  strict: { requireToolApproval: true }
                """);

        AgentEntry finder = file.agents().get("finder");
        assertThat(finder.tools())
                .containsExactly(new Setting("search-files", new Position("crew.yaml", 6, 9)))
                .allMatch(tool -> file.waits(finder, tool))
                .noneMatch(tool -> file.waits(file.agents().get("free"), tool));
        assertThat(finder.requireToolApproval()).isFalse();
        assertThat(file.agents().values().stream().filter(file::mayWait).map(AgentEntry::id))
                .containsExactly("boss", "finder", "strict");
    }

    @Test
    void wrongSettingsOfToolsAreRefused() {
        refuses(
                "agents:\n  boss:\n    tools:\n      - search-files: { aproval: true }",
                "crew.yaml:4: unknown key 'aproval' in 'search-files' in 'tools' of agent 'boss'. Allowed: approval. Did"
                        + " you mean 'approval'?");
        refuses(
                "agents:\n  boss:\n    tools:\n      - search-files: { approval: maybe }",
                "crew.yaml:4: 'approval' of 'search-files' in 'tools' of agent 'boss' must be one of false, true, but is"
                        + " 'maybe'.");
        refuses(
                "agents:\n  boss:\n    tools:\n      - search: { approval: true }",
                "crew.yaml:4: unknown tool 'search' of agent 'boss'. There are: search-files. Did you mean"
                        + " 'search-files'?");
        refuses(
                "agents:\n  boss:\n    tools:\n      - search-files:\n        approval: true",
                "crew.yaml:4: an item of 'tools' of agent 'boss' must be a name, with its settings under it, but has the"
                        + " keys search-files, approval.");
        refuses(
                "agents:\n  boss:\n    tools: [search-files, { search-files: { approval: true } }]",
                "crew.yaml:3: 'search-files' stands twice in 'tools' of agent 'boss'. Leave one of them out.");
        refuses(
                "agents:\n  boss:\n    tools: search-files",
                "crew.yaml:3: 'tools' of agent 'boss' must be a list such as [search-files], but is 'search-files'.");
        refuses(
                "agents:\n  boss:\n    requireToolApproval: always",
                "crew.yaml:3: 'requireToolApproval' of agent 'boss' must be one of false, true, but is 'always'.");
    }

    @Test
    void theOnlyAgentNeedsNoDefault() {
        assertThat(read("agents: { boss: {} }").agent(null).id()).isEqualTo("boss");
    }

    @Test
    void severalAgentsNeedOne() {
        AgentsFile file = read("agents: { boss: {}, finder: {} }");

        assertThatThrownBy(() -> file.agent(null))
                .isInstanceOfSatisfying(
                        CrewOptionException.class, e -> assertThat(e.option()).isEqualTo(CrewOption.AGENT))
                .hasMessage("crew.yaml: has 2 agents, but does not name the one that runs. Add the line"
                        + " 'default: boss', or name one of the agents: boss, finder.");
        assertThatThrownBy(() -> file.agent(new Setting("bos", new Position("--agent"))))
                .hasMessage("--agent: unknown agent 'bos'. There are: boss, finder. Did you mean 'boss'?");
    }

    @Test
    void unknownKeysAreRefused() {
        refuses(
                "modell: offline\nagents: { boss: {} }",
                "crew.yaml:1: unknown key 'modell' in the file. Allowed: model, default, docs, store, agents, workflows, tools, limits, timeLimits, budget, prices, approvals, providers, server. Did you"
                        + " mean 'model'?");
        refuses(
                "agents:\n  boss:\n    color: red",
                "crew.yaml:3: unknown key 'color' in agent 'boss'. Allowed: description, instructions, model, agents, workflows, tools, maxSteps, retries, toolCallConcurrency, memory, modelSettings, requireToolApproval, completion, inputProcessors, outputProcessors, maxProcessorRetries, structuredOutput, subAgentContext, bailStrategy, cancelSiblings, includeSubAgentToolResultsInModelContext, enableResultReferences, delegationMemory, background, version, versions.");
    }

    @Test
    void unknownAgentsAndToolsAreRefused() {
        refuses(
                "default: bosss\nagents:\n  boss: {}",
                "crew.yaml:1: unknown agent 'bosss'. There are: boss. Did you mean 'boss'?");
        refuses(
                "agents:\n  boss:\n    agents:\n      - wirter\n  writer: { description: Writes. }",
                "crew.yaml:4: unknown agent 'wirter' among the agents of 'boss'. There are: boss, writer. Did you mean"
                        + " 'writer'?");
        refuses(
                "agents:\n  boss:\n    tools: [search]",
                "crew.yaml:3: unknown tool 'search' of agent 'boss'. There are: search-files. Did you mean"
                        + " 'search-files'?");
    }

    @Test
    void cyclesAreNamed() {
        refuses(
                """
                agents:
                  boss: { agents: [one] }
                  one: { description: One., agents: [two] }
                  two:
                    description: Two.
                    agents:
                      - one
                """,
                "crew.yaml:7: agents delegate in a circle: one > two > one. An agent cannot stand below itself; take"
                        + " one of them out.");
        refuses(
                "agents:\n  boss: { description: Me., agents: [boss] }",
                "crew.yaml:2: agents delegate in a circle: boss > boss. An agent cannot stand below itself; take one of"
                        + " them out.");
    }

    @Test
    void aSubAgentNeedsADescription() {
        refuses(
                "agents:\n  boss: { agents: [finder] }\n  finder: {}",
                "crew.yaml:3: agent 'finder' is a sub-agent of 'boss' and needs a description: the model decides by it"
                        + " when to delegate.");
    }

    @Test
    void agentsAreNeeded() {
        refuses("", "crew.yaml:1: is empty. It needs the key 'agents' with one agent under it.");
        refuses("model: offline", "crew.yaml:1: has no agents. Add the key 'agents' with one agent under it.");
        refuses("model: offline\nagents: {}", "crew.yaml:2: 'agents' is empty. Put at least one agent under it.");
    }

    @Test
    void idsThatNoToolCanHaveAreRefused() {
        refuses(
                "agents:\n  '': {}",
                "crew.yaml:2: agent '' has an id that cannot be used. Allowed are 1 to 58 letters, digits, '_' and '-'.");
        refuses(
                "agents:\n  the boss: {}",
                "crew.yaml:2: agent 'the boss' has an id that cannot be used. Allowed are 1 to 58 letters, digits, '_'"
                        + " and '-'.");
    }

    @Test
    void valuesOfAnotherKindAreRefused() {
        refuses(
                "agents: [boss]",
                "crew.yaml:1: 'agents' must have keys and values under it, but is a list. Write each as 'key: value' on a line of its own, indented; {} stands for none.");
        refuses(
                "agents:\n  boss:",
                "crew.yaml:2: agent 'boss' must have keys and values under it, but is empty. Write each as 'key: value' on a line of its own, indented; {} stands for none.");
        refuses(
                "model:\nagents: { boss: {} }",
                "crew.yaml:1: 'model' of the file must be a text, but is empty. Write it behind the ':', or leave the key out.");
        refuses(
                "agents:\n  boss:\n    agents: finder",
                "crew.yaml:3: 'agents' of agent 'boss' must be a list such as [finder], but is 'finder'.");
        refuses(
                "agents:\n  boss:\n    maxSteps: 0",
                "crew.yaml:3: 'maxSteps' of agent 'boss' must be a whole number from 1, but is '0'.");
        refuses(
                "agents:\n  boss:\n    memory: { lastMessages: many }",
                "crew.yaml:3: 'lastMessages' of 'memory' of agent 'boss' must be a whole number from 0, but is 'many'.");
    }

    @ParameterizedTest
    @CsvSource({
        "temperature, -0.1, a number from 0 to 2",
        "temperature, .nan, a number from 0 to 2",
        "temperature, .inf, a number from 0 to 2",
        "topP, 1.5, a number from 0 to 1",
        "maxOutputTokens, 0, a whole number from 1",
        "seed, 1.5, a whole number"
    })
    void settingsOfModelsThatNoModelTakesAreNamedWithTheirLine(String key, String value, String allowed) {
        refuses(
                "agents:\n  boss:\n    modelSettings:\n      " + key + ": " + value,
                "crew.yaml:4: '" + key + "' of 'modelSettings' of agent 'boss' must be " + allowed + ", but is '"
                        + value + "'.");
    }

    @Test
    void whatIsGivenTwiceIsRefused() {
        refuses(
                "agents:\n  boss: {}\n  boss: {}",
                "crew.yaml:3: 'boss' is given twice in 'agents', first at crew.yaml:2. Leave one of them out.");
        refuses(
                "agents:\n  boss: { agents: [one, one] }\n  one: { description: One. }",
                "crew.yaml:2: 'one' stands twice in 'agents' of agent 'boss'. Leave one of them out.");
    }

    @Test
    void whatIsNotYamlIsRefusedWithItsLine() {
        assertThatThrownBy(() -> read("agents:\n  boss: {}\n\tone: {}"))
                .hasMessageStartingWith("crew.yaml:3:1: is not valid YAML: ");
        assertThatThrownBy(() -> read("agents: [")).hasMessageStartingWith("crew.yaml:1:10: is not valid YAML: ");
        assertThatThrownBy(() -> read("agents: *nobody")).hasMessageStartingWith("crew.yaml:1:9: is not valid YAML: ");
        assertThatThrownBy(() -> read("a\u0000b")).hasMessageStartingWith("crew.yaml:1:2: is not valid YAML: ");
    }

    @Test
    void whatIsNotATextIsRefused() {
        assertThatThrownBy(() -> read(new byte[] {(byte) 0xff, (byte) 0xfe}))
                .hasMessage("crew.yaml:1:1: is not UTF-8 text from this point on. Save the file as UTF-8.");
        assertThatThrownBy(() -> AgentsFileReader.read(folder, "crew", Set.of()))
                .hasMessage("crew: is a folder. Name the file in it.");
    }
}
