package dev.chargehand.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.chargehand.completion.Completion;
import dev.chargehand.completion.Rubric;
import dev.chargehand.completion.Score;
import dev.chargehand.completion.Scorer;
import dev.chargehand.completion.Scorers;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.json.Json;
import dev.chargehand.json.JsonSchema;
import dev.chargehand.model.ModelChoice;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the built-in scorers say of a text, and of the tools that were called for it. */
class ScorersTest {

    private static final ModelChoice MODEL = ModelChoice.of("a/b");

    record Report(String summary, double confidence) {}

    private static Score score(Scorer scorer, String text) {
        return Answer.of(text).scoredBy(scorer);
    }

    private static void assertFails(Scorer scorer, String text, double value, String reason) {
        Score score = score(scorer, text);
        assertThat(score.value()).isCloseTo(value, within(1e-9));
        assertThat(score.reason()).isEqualTo(reason);
    }

    private static void assertPasses(Scorer scorer, String text) {
        assertThat(score(scorer, text)).isEqualTo(Score.pass());
    }

    @Test
    void aPredicateGivesTheReasonItWasGiven() {
        Scorer polite = Scorers.predicate("polite", text -> text.contains("please"), "Say please.");
        assertThat(polite.name()).isEqualTo("polite");
        assertPasses(polite, "Go, please.");
        assertFails(polite, "Go.", 0, "Say please.");
    }

    @Test
    void containsLooksForEveryTextInAnyCase() {
        Scorer scorer = Scorers.contains("Summary", "Sources");
        assertPasses(scorer, "SOURCES first, then a summary.");
        assertFails(scorer, "A summary.", 0.5, "The answer lacks \"Sources\"; put it in word for word.");
        assertFails(scorer, "", 0, "The answer lacks \"Summary\", \"Sources\"; put it in word for word.");
    }

    @Test
    void aPatternIsFoundAnywhereAndNamedWhenItIsNot() {
        assertPasses(Scorers.matches("(?m)^## Sources$"), "Text.\n## Sources\nNone.");
        assertFails(
                Scorers.matches("\\d{4}"),
                "No year.",
                0,
                "Nothing in the answer matches the regular expression \\d{4}; write it so that something does.");
    }

    @Test
    void aPatternThatWouldSearchForEverEndsWithItsThread() {
        Scorer hopeless = Scorers.matches("(a|aa)+\\1c");
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> score(hopeless, "a".repeat(100) + "b")).isInstanceOf(CancellationException.class);
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void lengthCountsCharactersAsPeopleSeeThemWithoutWhiteSpaceAround() {
        assertPasses(Scorers.minLength(4), "\n ab😀d \n");
        assertPasses(Scorers.maxLength(4), "\n ab😀d \n");
        assertFails(
                Scorers.minLength(4),
                "  ab😀  ",
                0.75,
                "The answer has 3 characters, but needs at least 4; write more, and nothing that is not to the point.");
        assertFails(
                Scorers.maxLength(3),
                "abcd",
                0.75,
                "The answer has 4 characters, but may have at most 3; shorten it by 1.");
    }

    @Test
    void jsonMayStandInAFenceButNotAmongWords() {
        Scorer scorer = Scorers.jsonSchema(Report.class);
        assertPasses(scorer, "{\"summary\":\"S\",\"confidence\":0.5}");
        assertPasses(scorer, "```json\n{\"summary\":\"S\",\"confidence\":0.5}\n```\n");
        assertThat(score(scorer, "Here it is: {\"summary\":\"S\",\"confidence\":0.5}")
                        .reason())
                .startsWith("The answer is not JSON: Not valid JSON at line 1")
                .contains("Answer with one JSON value and no other words, by this schema: {");
    }

    @Test
    void everyViolationOfASchemaIsListed() {
        JsonSchema schema = JsonSchema.of(Json.parse(
                "{\"type\":\"object\",\"required\":[\"a\"]," + "\"properties\":{\"b\":{\"type\":\"integer\"}}}"));
        Score score = score(Scorers.jsonSchema(schema), "{\"b\":\"x\"}");
        assertThat(score.value()).isZero();
        assertThat(score.reason())
                .startsWith("The answer breaks its JSON schema: ")
                .contains("required property 'a'")
                .contains("/b: ")
                .endsWith(". Fix it, by this schema: " + schema.json().text() + ".");
    }

    @Test
    void aLongListOfViolationsIsCut() {
        JsonSchema schema = JsonSchema.of(Json.parse("{\"items\":{\"type\":\"integer\"}}"));
        assertThat(score(Scorers.jsonSchema(schema), "[" + "\"x\",".repeat(14) + "\"x\"]")
                        .reason())
                .contains("/9: ")
                .doesNotContain("/10: ")
                .contains("; and 5 more. Fix it");
    }

    @Test
    void aToolCountsAsCalledWhenACallOfItSucceeded() {
        Scorer called = Scorers.toolCalled("lint");
        assertThat(Answer.of("").after("lint", "ok").scoredBy(called)).isEqualTo(Score.pass());
        assertThat(Answer.of("").after("other", "ok").scoredBy(called))
                .isEqualTo(Score.fail("The tool 'lint' was not called; call it before you answer."));
        assertThat(Answer.of("").afterFailed("lint", "No.").scoredBy(called))
                .isEqualTo(Score.fail("The tool 'lint' was called, but never with success; call it again, with other"
                        + " arguments if they were the reason."));
    }

    @Test
    void aToolThatMustNotBeCalledMayBeRefused() {
        Scorer notCalled = Scorers.toolNotCalled("agent-premium");
        assertThat(Answer.of("").scoredBy(notCalled)).isEqualTo(Score.pass());
        assertThat(Answer.of("")
                        .afterFailed("agent-premium", "Premium required")
                        .scoredBy(notCalled))
                .isEqualTo(Score.pass());
        assertThat(Answer.of("").after("agent-premium", "Text").scoredBy(notCalled))
                .isEqualTo(Score.fail("The tool 'agent-premium' must not be called for this task, but was called once,"
                        + " which cannot be taken back."));
    }

    @Test
    void scorersOfAKindAreToldApartByTheirNames() {
        assertThat(Stream.of(
                                Scorers.contains("A", "B"),
                                Scorers.matches("C+"),
                                Scorers.toolCalled("d"),
                                Scorers.toolNotCalled("e"),
                                Scorers.minLength(1),
                                Scorers.maxLength(1).withName("short"))
                        .map(Scorer::name))
                .containsExactly(
                        "contains(A, B)", "matches(C+)", "toolCalled(d)", "toolNotCalled(e)", "minLength", "short");
        assertThat(Scorers.contains("x".repeat(200)).name()).isEqualTo("contains(" + "x".repeat(60) + "…)");
        assertThatThrownBy(() -> Completion.all(Scorers.contains("A"), Scorers.contains("A")))
                .isInstanceOf(ConfigurationException.class)
                .hasMessage(
                        "Two scorers of a completion are named 'contains(A)'; names must be unique; give one of them"
                                + " another name, with withName(...).");
    }

    @Test
    void aNameIsKeptWithItsThresholdAndTheReverse() {
        Scorer scorer = Scorers.minLength(9).withThreshold(0.5).withName("long");
        assertThat(scorer.threshold()).isEqualTo(0.5);
        assertThat(scorer.withThreshold(0.7).name()).isEqualTo("long");
    }

    record Wrong(Callable<?> what, String message) {
        @Override
        public String toString() {
            return message;
        }
    }

    static Stream<Wrong> mistakes() {
        return Stream.of(
                new Wrong(
                        () -> Scorers.predicate("p", text -> true, " "),
                        "Scorer 'p': the reason must not be blank; say what the answer lacks."),
                new Wrong(() -> Scorers.predicate("", text -> true, "R"), "A scorer needs a name"),
                new Wrong(Scorers::contains, "Scorer 'contains' has no text to look for; give at least one"),
                new Wrong(
                        () -> Scorers.contains("A", ""),
                        "Scorer 'contains': a text to look for must not be blank; name one."),
                new Wrong(
                        () -> Scorers.matches("("),
                        "Scorer 'matches': '(' is not a regular expression (Unclosed group near index 1); see"),
                new Wrong(
                        () -> Scorers.minLength(0),
                        "Scorer 'minLength': the number of characters must be at least 1, but is 0."),
                new Wrong(
                        () -> Scorers.maxLength(-1),
                        "Scorer 'maxLength': the number of characters must be at least 1, but is -1."),
                new Wrong(
                        () -> Scorers.citations(0),
                        "Scorer 'citations': the number of citations must be at least 1, but is 0."),
                new Wrong(
                        () -> Scorers.citedFilesExist(Path.of("no", "folder")),
                        "Scorer 'citedFilesExist': there is no folder 'no"),
                new Wrong(
                        () -> Scorers.toolCalled("a b"),
                        "Scorer 'toolCalled': no tool can be named 'a b'; a name has 1 to 64 letters"),
                new Wrong(
                        () -> Scorers.toolNotCalled(""),
                        "Scorer 'toolNotCalled': no tool can be named ''; a name has 1 to 64 letters"),
                new Wrong(
                        () -> Scorers.judge("tone", MODEL, ""),
                        "Scorer 'tone': the question must not be blank; say what to judge the answer by."),
                new Wrong(() -> Scorers.minLength(1).withName(" "), "A scorer needs a name"),
                new Wrong(
                        () -> Completion.all(Rubric.of(MODEL)),
                        "Rubric 'rubric' has no criteria; add one, such as .required("),
                new Wrong(
                        () -> Rubric.of(MODEL).required("a", "A.").optional("A", "B."),
                        "Rubric 'rubric': two criteria are named 'A'; names must be unique."),
                new Wrong(
                        () -> Rubric.of(MODEL).required("a", ""),
                        "Criterion 'a': the description must not be blank; the judge decides by it whether the criterion is met."),
                new Wrong(
                        () -> new Rubric.Criterion("a", "A.", true, 0),
                        "Criterion 'a': the weight must be above 0 and at most 1,000,000, but is 0.0."),
                new Wrong(
                        () -> Rubric.of(MODEL).withThreshold(1.5),
                        "Rubric 'rubric': the threshold must be above 0 and at most 1, but is 1.5."),
                new Wrong(
                        () -> Completion.all(new Careless()),
                        "Scorer 'careless': the threshold must be above 0 and at most 1, but is 0.0."));
    }

    /** A scorer that somebody wrote themselves. */
    record Careless() implements Scorer {
        @Override
        public String name() {
            return "careless";
        }

        @Override
        public double threshold() {
            return 0;
        }

        @Override
        public Score score(dev.chargehand.completion.ScorerContext context) {
            return Score.pass();
        }
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void argumentsThatCannotWorkAreRefusedAtOnce(Wrong wrong) {
        assertThatThrownBy(wrong.what()::call)
                .isInstanceOf(ConfigurationException.class)
                .hasMessageStartingWith(wrong.message());
    }
}
