package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The README's first command, on the project's own agents and documents. */
class FirstCommandTest {

    private static final Pattern CITED = Pattern.compile("(?m)(?:^|(?<=] ))([^\\[\\]\n]+) \\[(docs/[^:\\]]+):(\\d+)]");

    private static final Ran RAN = Ran.in(Ran.PROJECT, "run", "How does a supervisor hand work to a sub-agent?");

    @Test
    void theAnswerSaysHowAndCitesTheConceptsPage() {
        assertThat(RAN.exitCode()).isZero();
        assertThat(RAN.out())
                .contains("A supervisor hands work to a sub-agent by calling a tool. [docs/concepts.md:")
                .contains("agent-<key>")
                .contains("not a language model");
    }

    @Test
    void everyCitedPassageStandsWhereTheCitationSays() throws IOException {
        List<MatchResult> citations = CITED.matcher(RAN.out()).results().toList();

        assertThat(citations).hasSizeGreaterThanOrEqualTo(2);
        assertThat(Pattern.compile("\\[docs/").matcher(RAN.out()).results()).hasSameSizeAs(citations);
        for (MatchResult citation : citations) {
            List<String> lines = Files.readAllLines(Ran.PROJECT.resolve(Path.of(citation.group(2))));
            int line = Integer.parseInt(citation.group(3));
            assertThat(line).isBetween(1, lines.size());
            assertThat(paragraphFrom(lines, line)).contains(citation.group(1).strip());
        }
    }

    private static String paragraphFrom(List<String> lines, int line) {
        return String.join(
                " ",
                lines.subList(line - 1, lines.size()).stream()
                        .takeWhile(each -> !each.isBlank())
                        .toList());
    }

    @Test
    void progressShowsEachDelegationAndCallWithItsAgentTimesAndTokens() {
        String time = " +\\d+\\.\\d\\ds  ";
        // On a machine that is slow just now, indexing takes so long that it is told.
        assertThat(RAN.err().lines().filter(line -> !line.startsWith("index")).toList())
                .satisfiesExactly(
                        line -> assertThat(line).startsWith("offline: a rule-based stand-in, not a language model"),
                        line -> assertThat(line).matches(time + "supervisor +delegates to librarian: How does .*"),
                        line -> assertThat(line)
                                .matches(time + "supervisor/librarian +calls search-files \\{\"query\":.*"),
                        line -> assertThat(line)
                                .matches(time + "supervisor/librarian +search-files answered in \\d+\\.\\d\\d s: .*"),
                        line -> assertThat(line)
                                .matches(
                                        time
                                                + "supervisor +librarian completed in [0-9.]+ s, [0-9,]+ in \\+ [0-9,]+ out tokens"),
                        line -> assertThat(line).matches(time + "supervisor +delegates to writer: How does .*"),
                        line -> assertThat(line).matches(time + "supervisor +writer completed in .*tokens"),
                        line -> assertThat(line).isEmpty(),
                        line -> assertThat(line).isEmpty(),
                        line -> assertThat(line)
                                .matches("completed in .* s, 3 steps; tokens in\\+out: supervisor [0-9,+]+, "
                                        + "librarian [0-9,+]+, writer [0-9,+]+; run run_\\w+"));
    }
}
