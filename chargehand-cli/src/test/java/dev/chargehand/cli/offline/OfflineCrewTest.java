package dev.chargehand.cli.offline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.model.ModelAnswer;
import dev.chargehand.search.FileSearch;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A supervisor, a librarian and a writer over real files, with the loop played by hand. */
class OfflineCrewTest {

    private static final String QUESTION = "How does a supervisor hand work to a sub-agent?";

    @TempDir
    Path folder;

    private static String prompt(ModelAnswer answer) {
        return Json.parse(answer.toolCalls().getFirst().arguments())
                .at("/prompt")
                .flatMap(Json::string)
                .orElseThrow();
    }

    private static String librarian(FileSearch search, String prompt) throws Exception {
        Asked librarian = Asked.ask(prompt)
                .tool(
                        search.tool().name(),
                        search.tool().description(),
                        search.tool().input().json().text());
        Json arguments = Json.parse(librarian.answer().toolCalls().getFirst().arguments());
        Object result = search.tool().handler().handle(arguments, null);
        return librarian.gave("search-files", Json.of(result).text()).says();
    }

    @Test
    void theAnswerCitesLinesThatExistAndSayIt() throws Exception {
        Files.writeString(folder.resolve("concepts.md"), """
                # Concepts

                An agent has instructions and a model.

                ## Delegation

                A supervisor hands work to a sub-agent by calling the sub-agent's tool.
                The tool is named `agent-<key>` and takes a prompt.

                - Citations look like `docs/concepts.md:1234` for a supervisor.
                - A sub-agent never sees the supervisor's instructions.
                """);
        Files.writeString(folder.resolve("cli.md"), "# CLI\n\nRun a supervisor with `chargehand run`.\n");

        try (FileSearch search = FileSearch.builder(folder).sourcePrefix("docs").build()) {
            Asked supervisor = Asked.ask(QUESTION)
                    .subAgent("librarian", "Finds passages in the documents.")
                    .subAgent("writer", "Writes a short cited answer.");
            supervisor.gave("agent-librarian", librarian(search, prompt(supervisor.answer())));
            supervisor.gave(
                    "agent-writer", Asked.ask(prompt(supervisor.answer())).says());
            String answer = supervisor.says();

            List<MatchResult> citations =
                    Findings.CITATION.matcher(answer).results().toList();
            assertThat(citations).hasSizeGreaterThanOrEqualTo(2);
            assertThat(answer)
                    .contains(
                            "A supervisor hands work to a sub-agent by calling the sub-agent's tool. [docs/concepts.md:7]")
                    .containsOnlyOnce(OfflineModel.NOTICE);
            for (MatchResult citation : citations) {
                String[] place = citation.group(1).split(":", 2);
                List<String> lines = Files.readAllLines(folder.resolve(place[0].replaceFirst("^docs/", "")));
                assertThat(Integer.parseInt(place[1])).isLessThanOrEqualTo(lines.size());
                String from = String.join(" ", lines.subList(Integer.parseInt(place[1]) - 1, lines.size()));
                String said = answer.substring(0, citation.start()).strip();
                assertThat(from)
                        .contains(said.substring(Math.max(said.lastIndexOf('\n'), said.lastIndexOf("] ") + 1) + 1));
            }
        }
    }
}
