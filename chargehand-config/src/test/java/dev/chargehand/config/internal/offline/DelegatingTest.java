package dev.chargehand.config.internal.offline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DelegatingTest {

    private static final String QUESTION = "How does a supervisor hand work to a sub-agent?";

    private static final Finding FINDING =
            new Finding("docs/concepts.md:12", "Concepts", "A supervisor calls the tool of a sub-agent.");

    private static final String FOUND =
            "1 passage found for: x\n\n" + Findings.list(List.of(FINDING)) + "\n" + OfflineModel.NOTICE;

    private static final String WRITTEN =
            "A supervisor calls the tool of a sub-agent. [docs/concepts.md:12]\n\n" + OfflineModel.NOTICE;

    private static Asked crew() {
        return Asked.ask(QUESTION)
                .subAgent("writer", "Writes a short cited answer.")
                .subAgent("librarian", "Finds passages in the documents.");
    }

    @Test
    void whoFindsIsAskedFirstAndGetsTheQuestion() throws Exception {
        assertThat(crew().calls()).isEqualTo("agent-librarian {\"prompt\":\"" + QUESTION + "\"}");
    }

    @Test
    void researchersComeBeforeWritersWhateverTheirWords() throws Exception {
        assertThat(Asked.ask(QUESTION)
                        .subAgent("writing-agent", "Turns research into well-structured articles.")
                        .subAgent("research-agent", "Gathers facts and returns bullet points with sources.")
                        .calls())
                .startsWith("agent-research-agent ");
    }

    @Test
    void equalOnesAreAskedInTheOrderOffered() throws Exception {
        assertThat(Asked.ask(QUESTION)
                        .subAgent("b", "Helps.")
                        .subAgent("a", "Helps.")
                        .calls())
                .startsWith("agent-b ");
    }

    @Test
    void laterOnesGetTheQuestionAndTheFindings() throws Exception {
        Asked asked = crew().gave("agent-librarian", FOUND);

        assertThat(asked.calls()).startsWith("agent-writer ");
        String prompt = asked.callsWith("prompt");
        assertThat(prompt).startsWith(QUESTION);
        assertThat(Findings.in(prompt)).containsExactly(FINDING);
    }

    @Test
    void oneAfterAnotherAndEachOnce() throws Exception {
        Asked asked = crew().gave("agent-librarian", FOUND).gave("agent-writer", WRITTEN);

        assertThat(asked.answer().toolCalls()).isEmpty();
        assertThat(crew().answer().toolCalls()).hasSize(1);
    }

    @Test
    void theWritersTextIsTheAnswerWithItsCitations() throws Exception {
        assertThat(crew().gave("agent-librarian", FOUND)
                        .gave("agent-writer", WRITTEN)
                        .says())
                .isEqualTo(WRITTEN);
    }

    @Test
    void aWriterWithoutCitationsLosesToFindingsWithThem() throws Exception {
        assertThat(crew().gave("agent-librarian", FOUND)
                        .gave("agent-writer", "Nothing was found to answer from.\n\n" + OfflineModel.NOTICE)
                        .says())
                .contains("[docs/concepts.md:12]");
    }

    @Test
    void thatNoSentenceFitsIsTheAnswer() throws Exception {
        assertThat(crew().gave("agent-librarian", FOUND)
                        .gave(
                                "agent-writer",
                                "Nothing was found to answer from: " + Composing.NO_SENTENCE + "\n\n"
                                        + OfflineModel.NOTICE)
                        .says())
                .startsWith("Nothing was found")
                .doesNotContain("[docs/concepts.md:12]");
    }

    @Test
    void aFailedDelegationIsReportedAndTheOthersGoOn() throws Exception {
        Asked asked = crew().failed("agent-librarian", "Timed out.");
        assertThat(asked.calls()).startsWith("agent-writer ");

        assertThat(asked.gave("agent-writer", "Nothing was found.").says())
                .startsWith("Nothing was found.")
                .contains("agent-librarian failed: Timed out.");
    }

    @Test
    void ifAllFailItSaysSo() throws Exception {
        assertThat(crew().failed("agent-librarian", "Timed out.")
                        .failed("agent-writer", "Rejected.")
                        .says())
                .startsWith("No sub-agent gave an answer.")
                .contains("agent-librarian failed: Timed out.", "agent-writer failed: Rejected.");
    }

    @Test
    void whatAnotherModelSaidIsHandedOnToo() throws Exception {
        assertThat(Findings.in(crew().gave("agent-librarian", "Supervisors call tools.")
                        .callsWith("prompt")))
                .containsExactly(new Finding("", "", "Supervisors call tools."));
        assertThat(Findings.in(crew().gave("agent-librarian", "Supervisors call tools (docs/a.md:3).")
                        .callsWith("prompt")))
                .containsExactly(new Finding("docs/a.md:3", "", "Supervisors call tools"));
    }

    @Test
    void thatAStandInFoundNothingIsNoFinding() throws Exception {
        String nothing = "Nothing was found for: x\n\n" + OfflineModel.NOTICE;

        assertThat(Findings.in(crew().gave("agent-librarian", nothing).callsWith("prompt")))
                .isEmpty();
    }

    @Test
    void aSubAgentThatNeedsMoreThanAPromptIsLeftAlone() throws Exception {
        assertThat(Asked.ask(QUESTION)
                        .tool("agent-typed", "Finds.", """
                                {"type":"object","properties":{"prompt":{"type":"string"},"city":{"type":"string"}},
                                 "required":["prompt","city"]}""")
                        .subAgent("writer", "Writes.")
                        .calls())
                .startsWith("agent-writer ");
    }

    @Test
    void aNewQuestionIsDelegatedAnew() throws Exception {
        assertThat(crew().gave("agent-librarian", FOUND)
                        .gave("agent-writer", WRITTEN)
                        .assistant(WRITTEN)
                        .user("And back?")
                        .calls())
                .isEqualTo("agent-librarian {\"prompt\":\"And back?\"}");
    }
}
