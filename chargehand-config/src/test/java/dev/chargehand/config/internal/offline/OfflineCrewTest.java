package dev.chargehand.config.internal.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.run.RunStatus;
import dev.chargehand.search.FileSearch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A supervisor, a librarian and a writer over real files, on the real loop. */
class OfflineCrewTest {

    private static final String QUESTION = "How does a supervisor hand work to a sub-agent?";

    @TempDir
    Path folder;

    @BeforeEach
    void setUp() throws IOException {
        Files.writeString(folder.resolve("concepts.md"), """
                # Concepts

                An agent has instructions and a model.

                ## Delegation

                A supervisor hands work to a sub-agent by calling the sub-agent's tool.
                The tool is named `agent-<key>` and takes a prompt.

                - Citations look like `docs/concepts.md:1234` for a supervisor.
                - A sub-agent works without the supervisor's instructions.
                """);
        Files.writeString(folder.resolve("cli.md"), "# CLI\n\nRun a supervisor with `chargehand run`.\n");
    }

    private RunResult run(String question) {
        OfflineModel model = new OfflineModel();
        try (FileSearch search = FileSearch.builder(folder).sourcePrefix("docs").build();
                AgentRuntime runtime = AgentRuntime.builder().build()) {
            Agent librarian = Agent.builder("librarian")
                    .description("Finds passages in the documents.")
                    .model(model)
                    .tools(search.tool())
                    .build();
            Agent writer = Agent.builder("writer")
                    .description("Writes a short cited answer.")
                    .model(model)
                    .build();
            Agent supervisor = Agent.builder("supervisor")
                    .instructions("Answer from the documents.")
                    .model(model)
                    .agents(librarian, writer)
                    .build();
            return runtime.bind(supervisor).generate(question);
        }
    }

    @Test
    void theAnswerCitesLinesThatExistAndSayIt() throws Exception {
        RunResult result = run(QUESTION);

        String answer = result.text();
        List<MatchResult> citations =
                Findings.CITATION.matcher(answer).results().toList();
        assertThat(result.status()).isEqualTo(RunStatus.COMPLETED);
        assertThat(citations).isNotEmpty();
        assertThat(answer)
                .contains(
                        "A supervisor hands work to a sub-agent by calling the sub-agent's tool. [docs/concepts.md:7]")
                .containsOnlyOnce(OfflineModel.NOTICE);
        for (MatchResult citation : citations) {
            String[] place = citation.group(1).split(":", 2);
            List<String> lines = Files.readAllLines(folder.resolve(place[0].replaceFirst("^docs/", "")));
            int line = Integer.parseInt(place[1]);
            assertThat(line).isLessThanOrEqualTo(lines.size());
            String said = answer.substring(0, citation.start()).strip();
            int start = Math.max(said.lastIndexOf('\n'), said.lastIndexOf("] ") + 1) + 1;
            assertThat(String.join(" ", lines.subList(line - 1, lines.size()))).contains(said.substring(start));
        }
    }

    @Test
    void tokensAreCountedForEveryAgent() {
        assertThat(run(QUESTION).usageByAgent())
                .containsOnlyKeys("supervisor", "librarian", "writer")
                .allSatisfy((agent, usage) -> {
                    assertThat(usage.inputTokens()).isPositive();
                    assertThat(usage.outputTokens()).isPositive();
                });
    }

    @Test
    void whatTheDocumentsDoNotSayIsNotAnswered() {
        assertThat(run("Which zebras eat giraffes?").text())
                .startsWith("Nothing was found")
                .doesNotContain("docs/");
    }
}
