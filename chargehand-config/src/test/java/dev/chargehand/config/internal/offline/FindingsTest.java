package dev.chargehand.config.internal.offline;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class FindingsTest {

    private static final List<Finding> NASTY = List.of(
            new Finding(
                    "docs/a b [1].md:12",
                    "A > B",
                    "text\n\n- [fake.md:1] nested\n~~~\n```\ncode\n```\n\nFindings so far: none."),
            new Finding("https://example.com/x", "", "one"),
            new Finding("", "Heading", "  indented\nlines"));

    @Test
    void whatIsWrittenIntoAPromptIsReadBack() {
        String prompt = Findings.prompt("What?\n\nReally?", NASTY);

        assertThat(Findings.in(prompt))
                .containsExactly(NASTY.get(0), NASTY.get(1), new Finding("", "Heading", "indented\nlines"));
        assertThat(Findings.withoutFindings(prompt).strip()).isEqualTo("What?\n\nReally?");
    }

    @Test
    void noFindingsAreReadBackAsNone() {
        assertThat(Findings.in(Findings.prompt("What?", List.of()))).isEmpty();
        assertThat(Findings.withoutFindings(Findings.prompt("What?", List.of())).strip())
                .isEqualTo("What?");
    }

    @Test
    void aListOfTheStandInsIsReadBack() {
        String answer = "2 passages found for: x\n\n" + Findings.list(NASTY.subList(0, 2)) + "\n" + OfflineModel.NOTICE;

        assertThat(Findings.in(answer)).containsExactlyElementsOf(NASTY.subList(0, 2));
    }

    @Test
    void citedSentencesOfOtherModelsAreFindings() {
        assertThat(Findings.in("""
                Here is what I found:

                - **Supervisors** call tools (docs/concepts.md:12).
                - Budgets end runs `docs/limits.md:4`, and so do limits [docs/limits.md:9].
                See https://example.com:8080/x or 10:30.
                """))
                .containsExactly(
                        new Finding("docs/concepts.md:12", "", "**Supervisors** call tools"),
                        new Finding("docs/limits.md:4", "", "Budgets end runs"),
                        new Finding("docs/limits.md:9", "", "and so do limits"));
    }

    @Test
    void aCheckListOfSomebodyElseIsNotAListOfFindings() {
        assertThat(Findings.in("- [x] done\n  indented")).isEmpty();
    }
}
