package dev.chargehand.config.internal.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.RunOptions;
import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Scorer;
import dev.chargehand.document.DocumentException;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.hook.SubAgentContext;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.BailStrategy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an agent of the file says about its completion and about how it delegates. */
class CompletionReaderTest {

    @TempDir
    Path folder;

    /** Reads an agent {@code boss}, whose keys begin at line 3 of the file. */
    private AgentDefinition boss(String keys) {
        String text = "agents:\n  boss:\n" + keys.strip().indent(4)
                + "    agents: [finder]\n    tools: [search-files]\n" + "  finder: { description: Finds. }\n";
        try {
            Files.writeString(folder.resolve("crew.yaml"), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        FileDefinition file = FileReader.read(folder.resolve("crew.yaml"), "crew.yaml", Set.of("search-files"));
        return file.agent(new Setting("boss", new Position("test")));
    }

    private Scorer made(ScorerEntry entry) {
        return switch (entry) {
            case ScorerEntry.Plain plain -> plain.scorer();
            case ScorerEntry.OfDocuments ofDocuments -> ofDocuments.in(folder);
            case ScorerEntry.Judged judged -> judged.by(ModelChoice.of("a/b"));
        };
    }

    private Completion completion(String keys) {
        CompletionEntry completion = boss(keys).completion();
        assertThat(completion).isNotNull();
        return completion.with(this::made);
    }

    private static String withoutColumns(String message) {
        return message.replaceAll("(crew\\.yaml:\\d+):\\d+", "$1");
    }

    private void refuses(String keys, String message) {
        assertThatThrownBy(() -> completion(keys))
                .isInstanceOfSatisfying(DocumentException.class, e -> assertThat(withoutColumns(e.getMessage()))
                        .isEqualTo(message));
    }

    @Test
    void everyScorerThatMakesSenseInAFileIsThere() {
        Completion completion = completion("""
                completion:
                  scorers:
                    - contains: [Summary, Sources]
                      threshold: 0.5
                    - contains: Boats
                    - matches: (?m)^## Sources
                      name: heading
                    - minLength: 200
                    - maxLength: 2000
                    - jsonSchema:
                        type: object
                        required: [a]
                        properties: { a: { type: integer, minimum: 1 } }
                    - citations: 3
                    - citedFilesExist
                    - citedSourcesWereSeen:
                      threshold: 0.9
                    - toolCalled: search-files
                    - toolNotCalled: agent-finder
                    - judge: Is it polite?
                      name: polite
                      threshold: 0.8
                      model: openai/gpt-5-mini
                    - rubric:
                        required: { sources: Every claim has a source. }
                        optional: { style: The language is plain. }
                """);

        assertThat(completion.scorers())
                .extracting(Scorer::name)
                .containsExactly(
                        "contains(Summary, Sources)",
                        "contains(Boats)",
                        "heading",
                        "minLength",
                        "maxLength",
                        "jsonSchema",
                        "citations",
                        "citedFilesExist",
                        "citedSourcesWereSeen",
                        "toolCalled(search-files)",
                        "toolNotCalled(agent-finder)",
                        "polite",
                        "rubric");
        assertThat(completion.scorers())
                .extracting(Scorer::threshold)
                .containsExactly(0.5, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.9, 1.0, 1.0, 0.8, 0.5);
    }

    @Test
    void anAgentThatSaysNothingHasNoCompletionAndNoSettingsOfItsOwn() {
        AgentDefinition boss = boss("maxSteps: 3");
        assertThat(boss.completion()).isNull();
        assertThat(options(boss).changed()).isEmpty();
    }

    private static RunOptions options(AgentDefinition entry) {
        return RunOptions.defaults().with(entry.delegation()::set);
    }

    @Test
    void howAnAgentDelegatesIsRead() {
        AgentDefinition boss = boss("""
                subAgentContext: { lastMessages: 3 }
                bailStrategy: last
                cancelSiblings: true
                includeSubAgentToolResultsInModelContext: true
                enableResultReferences: true
                """);
        assertThat(options(boss))
                .isEqualTo(RunOptions.defaults().with(o -> o.subAgentContext(SubAgentContext.lastMessages(3))
                        .bailStrategy(BailStrategy.LAST)
                        .cancelSiblings(true)
                        .includeSubAgentToolResultsInModelContext(true)
                        .enableResultReferences(true)));
    }

    @Test
    void theContextOfSubAgentsMayBeAWord() {
        assertThat(options(boss("subAgentContext: promptOnly")).changed())
                .containsEntry("subAgentContext", SubAgentContext.promptOnly());
        assertThat(options(boss("subAgentContext: fullHistory")).changed()).isEmpty();
        assertThat(options(boss("subAgentContext: lastMessages")).changed())
                .containsEntry("subAgentContext", SubAgentContext.lastMessages());
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = '|',
            value = {
                "bailStrategy: frist | 'bailStrategy' of agent 'boss' must be one of first, last, but is 'frist'. Did you mean 'first'?",
                "cancelSiblings: yes | 'cancelSiblings' of agent 'boss' must be one of false, true, but is 'yes'. Did you mean 'true'?",
                "cancelSiblings: [true] | 'cancelSiblings' of agent 'boss' must be a text, but is a list.",
                "includeSubAgentToolResultsInModelContext: ture | 'includeSubAgentToolResultsInModelContext' of agent 'boss' must be one of false, true, but is 'ture'. Did you mean 'true'?",
                "enableResultReferences: 1 | 'enableResultReferences' of agent 'boss' must be one of false, true, but is '1'.",
                "subAgentContext: fullHistry | 'subAgentContext' of agent 'boss' must be one of fullHistory, lastMessages, promptOnly, but is 'fullHistry'. Did you mean 'fullHistory'?",
                "subAgentContext: { lastMessages: -1 } | 'lastMessages' of 'subAgentContext' must be a whole number from 0, but is '-1'.",
                "subAgentContext: { lastMesages: 1 } | unknown key 'lastMesages' in 'subAgentContext'. Allowed: lastMessages. Did you mean 'lastMessages'?",
                "subAgentContext: {} | 'subAgentContext' needs a number of messages: lastMessages: 20.",
                "bailStrateggy: first | unknown key 'bailStrateggy' in agent 'boss'. Allowed: description, instructions, model, agents, workflows, tools, maxSteps, retries, toolCallConcurrency, memory, modelSettings, requireToolApproval, completion, inputProcessors, outputProcessors, maxProcessorRetries, structuredOutput, subAgentContext, bailStrategy, cancelSiblings, includeSubAgentToolResultsInModelContext, enableResultReferences, delegationMemory, background, version, versions. Did you mean 'bailStrategy'?",
            })
    void aMistakeInHowAnAgentDelegatesIsNamed(String key, String message) {
        assertThatThrownBy(() -> boss(key))
                .isInstanceOfSatisfying(DocumentException.class, e -> assertThat(withoutColumns(e.getMessage()))
                        .isEqualTo("crew.yaml:3: " + message));
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = '|',
            value = {
                "strategy: both | 'strategy' of 'completion' of agent 'boss' must be one of all, any, but is 'both'.",
                "continueOnFail: no | 'continueOnFail' of 'completion' of agent 'boss' must be one of false, true, but is 'no'. Did you mean 'false'?",
                "feedbackToLLM: fals | 'feedbackToLLM' of 'completion' of agent 'boss' must be one of false, true, but is 'fals'. Did you mean 'false'?",
                "sequential: { a: b } | 'sequential' of 'completion' of agent 'boss' must be a text, but is keys and values.",
                "everyStep: always | 'everyStep' of 'completion' of agent 'boss' must be one of false, true, but is 'always'.",
                "keepScores: 2 | 'keepScores' of 'completion' of agent 'boss' must be one of false, true, but is '2'.",
                "timeout: 30 | 'timeout' of 'completion' of agent 'boss' must be a time above zero such as 500ms, 30s, 2m or 1h, but is '30'.",
                "timeout: 0s | 'timeout' of 'completion' of agent 'boss' must be a time above zero such as 500ms, 30s, 2m or 1h, but is '0s'.",
                "scorerTimeout: soon | 'scorerTimeout' of 'completion' of agent 'boss' must be a time above zero such as 500ms, 30s, 2m or 1h, but is 'soon'.",
                "scorerTimout: 3s | unknown key 'scorerTimout' in 'completion' of agent 'boss'. Allowed: scorers, strategy, continueOnFail, feedbackToLLM, sequential, everyStep, keepScores, timeout, scorerTimeout. Did you mean 'scorerTimeout'?",
            })
    void aMistakeInAnOptionIsNamed(String key, String message) {
        refuses("completion:\n  " + key + "\n  scorers: [ minLength: 2 ]", "crew.yaml:4: " + message);
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = '|',
            value = {
                "minLenght: 2 | unknown scorer 'minLenght' of agent 'boss'. There are: contains, matches, minLength, maxLength, jsonSchema, citations, citedFilesExist, citedSourcesWereSeen, toolCalled, toolNotCalled, judge, rubric. Did you mean 'minLength'?",
                "minLength: 0 | 'minLength' of a scorer of agent 'boss' must be a whole number from 1, but is '0'.",
                "maxLength: long | 'maxLength' of a scorer of agent 'boss' must be a whole number from 1, but is 'long'.",
                "citations: [3] | 'citations' of a scorer of agent 'boss' must be a text, but is a list.",
                "citations: | 'citations' of a scorer of agent 'boss' must be a whole number from 1, but is empty. Write it behind the ':', or leave the key out.",
                "contains: [] | Scorer 'contains' has no text to look for; give at least one, such as contains(\"Summary\").",
                "contains: [A, A] | 'A' stands twice in 'contains' of a scorer of agent 'boss'. Leave one of them out.",
                "matches: '(' | Scorer 'matches': '(' is not a regular expression (Unclosed group near index 1); see java.util.regex.Pattern for what is allowed.",
                "jsonSchema: Report | 'jsonSchema' of a scorer of agent 'boss' must be a JSON schema, written as keys and values, but is 'Report'.",
                "citedFilesExist: docs | 'citedFilesExist' of a scorer of agent 'boss' must be without a value, but is 'docs'.",
                "citedSourcesWereSeen: [a] | 'citedSourcesWereSeen' of a scorer of agent 'boss' must be without a value, but is a list.",
                "toolCalled: search | agent 'boss' has no tool 'search'. It has: search-files, agent-finder. Did you mean 'search-files'?",
                "toolNotCalled: finder | agent 'boss' has no tool 'finder'. It has: search-files, agent-finder.",
                "judge: { question: Why? } | 'judge' of a scorer of agent 'boss' must be a text, but is keys and values.",
                "rubric: {} | 'rubric' of agent 'boss' has no criteria. Put them below 'required' or 'optional', such as sources: Every claim has a source.",
                "rubric: { requird: { a: A. } } | unknown key 'requird' in 'rubric' of agent 'boss'. Allowed: required, optional. Did you mean 'required'?",
                "rubric: { required: [a] } | 'required' of 'rubric' must have keys and values under it, but is a list. Write each as 'key: value' on a line of its own, indented; {} stands for none.",
                "rubric: { required: { a: } } | 'a' of 'required' of 'rubric' must be a text, but is empty. Write it behind the ':', or leave the key out.",
                "rubric: { required: { a: A. }, optional: { A: B. } } | Rubric 'rubric': two criteria are named 'A'; names must be unique.",
                "name: short | a scorer of agent 'boss' says nothing of what it scores. One of these keys is needed: contains, matches, minLength, maxLength, jsonSchema, citations, citedFilesExist, citedSourcesWereSeen, toolCalled, toolNotCalled, judge, rubric.",
                "{ citations: 1, minLength: 2 } | 'minLength' is in the same scorer of agent 'boss' as 'citations'. Give each scorer a '-' of its own; a scorer can also have: name, threshold, model.",
                "{ citations: 1, threshold: 1.5 } | 'threshold' of a scorer of agent 'boss' must be a number above 0 and at most 1, but is '1.5'.",
                "{ citations: 1, threshold: most } | 'threshold' of a scorer of agent 'boss' must be a number above 0 and at most 1, but is 'most'.",
                "{ citations: 1, name: '' } | 'name' of a scorer of agent 'boss' must be a text, but is empty. Write it behind the ':', or leave the key out.",
                "{ citations: 1, model: a/b } | scorer 'citations' calls no model. These scorers can have a 'model': judge, rubric.",
                "citation | unknown scorer 'citation' of agent 'boss'. There are: contains, matches, minLength, maxLength, jsonSchema, citations, citedFilesExist, citedSourcesWereSeen, toolCalled, toolNotCalled, judge, rubric. Did you mean 'citations'?",
                "citations | 'citations' of a scorer of agent 'boss' must be a whole number from 1, but is empty. Write it behind the ':', or leave the key out.",
                "[a] | a scorer of agent 'boss' must have keys and values under it, but is a list. Write each as 'key: value' on a line of its own, indented; {} stands for none.",
            })
    void aMistakeInAScorerIsNamed(String scorer, String message) {
        refuses("completion:\n  scorers:\n    - maxLength: 9\n    - " + scorer, "crew.yaml:6: " + message);
    }

    @Test
    void scorersAreNeededAndTheirNamesAreUnique() {
        refuses(
                "completion: { strategy: any }",
                "crew.yaml:3: 'completion' of agent 'boss' has no scorers. Put a list of them below 'scorers'.");
        refuses(
                "completion: { scorers: [] }",
                "crew.yaml:3: 'completion' of agent 'boss' has no scorers. Put a list of them below 'scorers'.");
        refuses(
                "completion:\n  scorers: citations",
                "crew.yaml:4: 'scorers' of 'completion' of agent 'boss' must be a list, each item behind a '-', but is"
                        + " 'citations'.");
        refuses(
                "completion: citations",
                "crew.yaml:3: 'completion' of agent 'boss' must have keys and values under it, but is 'citations'. Write each as 'key: value' on a line of its own, indented; {} stands for none.");
        refuses(
                "completion:\n  scorers: [ minLength: 1, minLength: 2 ]",
                "crew.yaml:4: two scorers of agent 'boss' are named 'minLength'. Give one of them a 'name: ...'.");
    }

    @Test
    void theOptionsOfACompletionAreRead() {
        Completion completion = completion("""
                completion:
                  scorers: [ minLength: 1 ]
                  strategy: any
                  continueOnFail: false
                  feedbackToLLM: false
                  sequential: true
                  everyStep: true
                  keepScores: true
                  timeout: 2m
                  scorerTimeout: 500ms
                """);
        assertThat(completion)
                .usingRecursiveComparison()
                .isEqualTo(Completion.of(Completion.Strategy.ANY, completion.scorers())
                        .continueOnFail(false)
                        .feedbackToLLM(false)
                        .inSequence()
                        .everyStep()
                        .keepScores()
                        .timeout(Duration.ofMinutes(2))
                        .scorerTimeout(Duration.ofMillis(500)));
        Completion plain = completion("completion: { scorers: [ minLength: 2 ], sequential: false }");
        assertThat(plain).usingRecursiveComparison().isEqualTo(Completion.of(Completion.Strategy.ALL, plain.scorers()));
    }

    @Test
    void theSampleOfTheDocumentsIsRead() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "cli.md"));
        String sample = page.substring(page.indexOf("    completion:\n"));
        Completion completion =
                completion(sample.substring(0, sample.indexOf("```")).stripIndent());
        assertThat(completion.scorers()).hasSize(5);
    }
}
