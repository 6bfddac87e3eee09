package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** Runs of agents whose answer is to be an object. */
class StructuredOutputOfAFileTest extends WithProvider {

    private static final String CITY = """
            structuredOutput:
              schema:
                type: object
                properties: { city: { type: string }, people: { type: integer } }
                required: [ city ]
                additionalProperties: false
            """;

    private static String city(String name) {
        return "{\n  \"city\": \"" + name + "\"\n}\n";
    }

    @Test
    void theObjectIsTheAnswer() throws IOException {
        provider.enqueue(Reply.text("```json\n{ \"city\": \"Ulm\",\n \"people\": 129 }\n```"));

        Ran ran = runClerk("Where?", CITY);

        assertThat(ran.out()).as(ran.err()).isEqualToNormalizingNewlines("""
                {
                  "city": "Ulm",
                  "people": 129
                }
                """);
        assertThat(asked(0)).contains("additionalProperties", "people");
    }

    @Test
    void anAnswerThatDoesNotFitIsMendedOnceAndThenFailsTheRun() throws IOException {
        provider.enqueue(Reply.text("It is Ulm."), Reply.text("{\"town\": \"Ulm\"}"));

        Ran ran = runClerk("Where?", CITY);

        assertThat(ran.exitCode()).isNotZero();
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err()).contains("invalid-output");
        assertThat(provider.log()).hasSize(2);
    }

    @Test
    void withWarnTheTextIsTheAnswer() throws IOException {
        provider.enqueue(Reply.text("It is Ulm."), Reply.text("Still Ulm."));

        Ran ran = runClerk("Where?", CITY + "  onInvalid: warn");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).isEqualTo("Still Ulm." + System.lineSeparator());
    }

    @Test
    void theFallbackTakesThePlaceOfWhatDoesNotFit() throws IOException {
        provider.enqueue(Reply.text("It is Ulm."), Reply.text("Still Ulm."));

        Ran ran = runClerk("Where?", CITY + "  fallback: { city: unknown }");

        assertThat(ran.out()).as(ran.err()).isEqualToNormalizingNewlines(city("unknown"));
    }

    @Test
    void anotherModelMakesTheObjectOfTheText() throws IOException {
        provider.enqueue(Reply.text("It is Ulm."), Reply.text("{\"city\": \"Ulm\"}"));

        Ran ran = runClerk("Where?", CITY + "  structuredBy: test/shaper");

        assertThat(ran.out()).as(ran.err()).isEqualToNormalizingNewlines(city("Ulm"));
        assertThat(provider.log())
                .extracting(exchange -> exchange.request().model())
                .containsExactly("small", "shaper");
    }

    @Test
    void whatATerminalWouldActOnIsShownInTheObject() throws IOException {
        provider.enqueue(Reply.text("{\"city\": \"Ulm\u202e\u009b2J\"}"));

        Ran ran = runClerk("Where?", CITY);

        assertThat(ran.out()).isEqualToNormalizingNewlines(city("Ulm\\u202e\\u009b2J"));
    }

    @Test
    void theStandInIsNotAskedForAnObject() throws IOException {
        String crew = "model: offline\nagents:\n  clerk:\n" + CITY.indent(4);
        Files.writeString(folder.resolve("chargehand.yaml"), crew);

        Ran strict = Ran.in(folder, "run", "Where?");
        Files.writeString(folder.resolve("chargehand.yaml"), crew + "      fallback: { city: unknown }\n");
        Ran mild = Ran.in(folder, "run", "Where?");
        Files.writeString(folder.resolve("chargehand.yaml"), crew + "      structuredBy: offline\n");
        Ran by = Ran.in(folder, "run", "Where?");

        assertThat(strict.err())
                .contains("chargehand.yaml:4:5: agent 'clerk' has to answer with an object, and 'offline' is a");
        assertThat(mild.out()).isEqualToNormalizingNewlines(city("unknown"));
        assertThat(by.err()).contains("has to answer with an object");
    }
}
