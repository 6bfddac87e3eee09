package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code chargehand memory show --observations}, and what runs show of observations. */
class MemoryObservationsTest extends WithProvider {

    /** More than 100 tokens, and less than 120. */
    private static final String LONG = "I live in Oslo. ".repeat(27);

    @BeforeEach
    void agents() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: openai/talker
                default: guide
                agents:
                  guide:
                    memory:
                      observations:
                        model: openai/observer
                        reflector: openai/reflector
                        messageTokens: 100
                        observationTokens: 100
                  plain: {}
                """);
        provider.onModel("talker", Reply.text("Fine."), Reply.text("Good."), Reply.text("Well."));
    }

    private Ran observations(String... options) {
        return Ran.in(folder, environment(), behind(options, "memory", "show", "--observations"));
    }

    private Ran run(String prompt, String... options) {
        Ran ran = Ran.in(folder, environment(), behind(options, "run", prompt, "--thread", "t1"));
        assertThat(ran.exitCode()).isZero();
        return ran;
    }

    private static void refused(Ran ran, String message) {
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).startsWith("chargehand: " + message).hasLineCount(1);
    }

    private static String lines(String... lines) {
        return String.join(System.lineSeparator(), lines) + System.lineSeparator();
    }

    @Test
    void anObservationIsShownWithItsNumberAndItsMessages() {
        provider.onModel("observer", Reply.text("- Lives in \u001b[31mOslo\n- Likes it"));
        run(LONG);

        Ran shown = observations("--thread", "t1");

        assertThat(shown.exitCode()).isZero();
        assertThat(shown.out()).isEqualTo(lines("- Lives in \\u001b[31mOslo", "- Likes it"));
        assertThat(shown.err()).matches("observation 1 of 20\\S+Z, messages 0 to 0\\R");
    }

    @Test
    void aReflectionIsShownInPlaceOfWhatItStandsFor() {
        provider.onModel("observer", Reply.text("- Oslo. ".repeat(60)), Reply.text("- Still Oslo."));
        provider.onModel("reflector", Reply.text("- Oslo."));
        run(LONG);
        run(LONG);

        Ran shown = observations("--thread", "t1");

        assertThat(shown.out()).isEqualTo(lines("- Oslo.", "- Still Oslo."));
        assertThat(shown.err())
                .matches("reflection 2 of 20\\S+Z, messages 0 to 0\\Robservation 3 of 20\\S+Z, messages 1 to 2\\R");
        List<Json> objects = observations("--thread", "t1", "--json")
                .out()
                .lines()
                .map(Json::parse)
                .toList();
        assertThat(objects)
                .extracting(each -> each.at("/number").orElseThrow())
                .containsExactly(Json.of(2), Json.of(3));
        assertThat(objects)
                .extracting(each -> each.at("/reflection").orElseThrow())
                .containsExactly(Json.of(true), Json.of(false));
    }

    @Test
    void anObservationIsALineOfJson() {
        provider.onModel("observer", Reply.text("- Lives in \u001b[31mOslo\u202e\n- Likes it"));
        run(LONG);

        Ran shown = observations("--thread", "t1", "--json");

        assertThat(shown.err()).isEmpty();
        assertThat(shown.out()).hasLineCount(1).doesNotContain("\u001b", "\u202e");
        Json json = Json.parse(shown.out());
        assertThat(json.fields()).containsOnlyKeys("number", "from", "to", "reflection", "tokens", "at", "text");
        assertThat(json.at("/from")).hasValue(Json.of(0));
        assertThat(json.at("/to")).hasValue(Json.of(1));
        assertThat(json.at("/tokens"))
                .hasValueSatisfying(tokens -> assertThat(tokens).isNotEqualTo(Json.of(0)));
        assertThat(json.at("/text")).hasValue(Json.of("- Lives in \u001b[31mOslo\u202e\n- Likes it"));
        assertThat(json.at("/at").flatMap(Json::string))
                .hasValueSatisfying(at -> assertThat(at).startsWith("20"));
    }

    @Test
    void aThreadOfAResourceIsShownToItOnly() {
        provider.onModel("observer", Reply.text("- Lives in Oslo"));
        run(LONG, "--resource", "ann");

        assertThat(observations("--thread", "t1", "--resource", "ann").out()).isEqualTo(lines("- Lives in Oslo"));
        refused(observations("--thread", "t1", "--resource", "bob"), "Thread 't1' belongs to another resource");
        refused(observations("--thread", "t1"), "Thread 't1' belongs to another resource");
    }

    @Test
    void aShortConversationIsNotObserved() {
        run("I live in Oslo.");

        assertThat(observations("--thread", "t1")).isEqualTo(new Ran(0, "", lines("nothing was observed yet")));
        assertThat(observations("--thread", "t1", "--json"))
                .isEqualTo(new Ran(0, "", lines("nothing was observed yet")));
    }

    @Test
    void whatIsMissingIsSaid() {
        run("I live in Oslo.");

        refused(
                observations(),
                "--observations needs --thread: it names the conversation whose observations are printed.");
        refused(
                observations("--resource", "ann"),
                "--observations needs --thread: it names the conversation whose observations are printed.");
        refused(
                observations("--thread", "t9"),
                "There is no thread 't9' in the store. 'chargehand threads list' lists the existing ones.");
        refused(
                observations("--thread", "t1", "--agent", "plain"),
                "chargehand.yaml:11:3: agent 'plain' has no observations. Add memory: { observations: { model:"
                        + " openai/gpt-5-nano } } to it.");
        refused(
                observations("--thread", "t1", "--agent", "gide"),
                "--agent: unknown agent 'gide'. There are: guide, plain. Did you mean 'guide'?");
        refused(
                Ran.in(folder, environment(), "memory", "show", "--thread", "t1"),
                "chargehand.yaml:4:3: agent 'guide' keeps no working memory.");
    }

    @Test
    void aRunTellsWhatWasObservedBeforeItsFirstStep() {
        provider.onModel("observer", Reply.status(400), Reply.text("- Lives in Oslo"));
        run(LONG.repeat(2));
        assertThat(observations("--thread", "t1").err()).isEqualTo(lines("nothing was observed yet"));

        Ran second = run("Where do I live?");

        assertThat(second.err()).containsPattern("guide  observed messages 0 to 0 in \\d+\\.\\d\\d s");
        assertThat(heardByTalker(1)).contains("- Lives in Oslo").doesNotContain("I live in Oslo.");
    }

    private String heardByTalker(int request) {
        return provider.log().stream()
                .filter(exchange -> exchange.request().model().equals("talker"))
                .toList()
                .get(request)
                .request()
                .body();
    }

    @Test
    void aRunTellsThatItsMessagesCouldNotBeObserved() {
        provider.onModel("observer", Reply.status(400), Reply.status(400), Reply.status(400));
        run(LONG.repeat(2));

        Ran second = run("Where do I live?");

        assertThat(second.err()).contains("guide  memory: observation-failed: ").doesNotContain("observed messages");
    }

    @Test
    void nothingIsObservedOffline() {
        run(LONG, "--model", "offline");
        run(LONG, "--model", "offline");

        assertThat(provider.log()).isEmpty();
        assertThat(observations("--thread", "t1")).isEqualTo(new Ran(0, "", lines("nothing was observed yet")));
    }
}
