package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** {@code chargehand run} with an agent whose answers are scored. */
class CompletionTest extends WithProvider {

    private Ran run(String scorers, String... more) throws IOException {
        Files.writeString(
                folder.resolve("chargehand.yaml"),
                "model: ${MODEL:-offline}\nagents:\n  boss:\n    maxSteps: 2\n    completion:\n"
                        + scorers.strip().indent(6));
        Files.createDirectories(folder.resolve("docs"));
        Files.writeString(folder.resolve("docs/boats.md"), "# Boats\n\nA boat floats.\n");
        return Ran.in(folder, environment(), behind(more, "run", "Hi"));
    }

    @Test
    void anAnswerThatFailsFirstIsShownWithItsScoresAndTheNextOneIsTheAnswer() throws IOException {
        provider.enqueue(Reply.text("Short."), Reply.text("A boat floats [docs/boats.md:3]."));

        Ran ran = run("scorers:\n  - minLength: 20\n  - citedFilesExist\n  - citations: 1");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).isEqualTo("A boat floats [docs/boats.md:3]." + System.lineSeparator());
        assertThat(ran.err())
                .containsPattern(
                        "s  boss  task not complete: minLength 0.3 \\(needed 1\\), citedFilesExist 1, citations 0"
                                + " \\(needed 1\\) in 0.* s: The answer has 6 characters, but needs at least 20; write more, ")
                .containsPattern("s  boss  task complete: minLength 1, citedFilesExist 1, citations 1 in 0")
                .contains(System.lineSeparator() + "task complete: minLength 1, citedFilesExist 1, citations 1"
                        + System.lineSeparator() + "completed in ");
        assertThat(provider.log().getLast().request().messages().getLast().text())
                .contains("The answer has 6 characters, but needs at least 20");
    }

    @Test
    void theSummarySaysWhatTheLastAnswerLacked() throws IOException {
        provider.enqueue(Reply.text("See docs/boats.md:9."));

        Ran ran = run("scorers: [ citedFilesExist, minLength: 1 ]\ncontinueOnFail: false");

        assertThat(ran.exitCode()).isEqualTo(3);
        assertThat(ran.out()).isEqualTo("See docs/boats.md:9." + System.lineSeparator());
        assertThat(ran.err().lines())
                .contains(
                        "task not complete: citedFilesExist 0 (needed 1), minLength 1",
                        "  citedFilesExist: These places do not exist: docs/boats.md:9 (the file has only 3 lines). Cite"
                                + " only lines of files that you have really found.");
        assertThat(ran.err()).contains("chargehand: The scorers found the task incomplete");
    }

    @Test
    void aJudgeIsAskedWithTheAgentsModelUnlessItHasItsOwn() throws IOException {
        provider.enqueue(
                Reply.text("Hello"),
                Reply.text("{\"reason\":\"\",\"score\":1}"),
                Reply.text("{\"sources\":{\"met\":true}}"));

        Ran ran = run("""
                sequential: true
                scorers:
                  - judge: Is it polite?
                    name: polite
                  - rubric:
                      required: { sources: Every claim has a source. }
                    model: openai/other
                """, "--model", "openai/large");

        assertThat(ran.exitCode()).isZero();
        assertThat(provider.log())
                .extracting(exchange -> exchange.request().model())
                .containsExactly("large", "large", "other");
        assertThat(ran.err()).contains("task complete: polite 1, rubric 1", "boss 10+5, scorers: 20+10; run ");
    }

    @Test
    void theStandInIsNoJudge() throws IOException {
        Ran ran = run("scorers: [ judge: Is it polite? ]", "--model", "offline");

        assertThat(ran)
                .isEqualTo(new Ran(
                        2,
                        "",
                        "chargehand: chargehand.yaml:6:18: a scorer of agent 'boss' asks a model to judge, and 'offline' is"
                                + " a rule-based stand-in that cannot. Put 'model: openai/gpt-5-mini' next to it, set"
                                + " another model for all agents, or set a provider's key. --model sets the model of all"
                                + " agents." + System.lineSeparator()));
    }

    @Test
    void theFolderOfTheDocumentsIsNeededToLookIntoIt() throws IOException {
        Ran ran = run("scorers: [ citedFilesExist ]", "--docs", "doks");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .startsWith("chargehand: chargehand.yaml:6:18: Scorer 'citedFilesExist': there is no folder '")
                .contains("doks'")
                .hasLineCount(1);
    }
}
