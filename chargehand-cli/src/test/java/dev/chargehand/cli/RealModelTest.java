package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.testkit.model.ModelWire;
import dev.chargehand.testkit.model.WireAnswer;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code chargehand run} with a provider on a real socket. */
class RealModelTest extends WithProvider {

    private static final String KEY = "sk-never-to-be-seen";

    @BeforeEach
    void agents() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: ${MODEL:-offline}
                default: boss
                agents:
                  boss: { instructions: Delegate., agents: [finder] }
                  finder: { description: Finds passages. }
                """);
    }

    private Ran run(String... more) {
        return Ran.in(folder, environment(), behind(more, "run", "Hi"));
    }

    @Test
    void aKeyInTheEnvironmentIsEnough() {
        provider.enqueue(Reply.text("Hello ", "there"));

        Ran ran = run();

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.out()).isEqualTo("Hello there" + System.lineSeparator());
        assertThat(ran.err())
                .startsWith("model: openai/gpt-5-mini, because OPENAI_API_KEY is set; --model offline uses the"
                        + " stand-in")
                .contains("completed in ", "1 step; tokens in+out: boss 10+5; run run_");
        assertThat(provider.log().getFirst().request().model()).isEqualTo("gpt-5-mini");
        provider.verify();
    }

    @Test
    void aProviderWithAProtocolOfItsOwnIsAskedInIt() {
        ModelWire wire = ModelWire.anthropic();
        provider.enqueue(wire.reply(WireAnswer.text("Hello ", "there")));

        Ran ran = Ran.in(
                folder, Map.of("ANTHROPIC_API_KEY", KEY, "ANTHROPIC_BASE_URL", wire.baseUrl(provider)), "run", "Hi");

        assertThat(ran.out()).isEqualTo("Hello there" + System.lineSeparator());
        assertThat(ran.err()).startsWith("model: anthropic/").doesNotContain(KEY);
        assertThat(wire.problems(provider.log().getFirst().request())).isEmpty();
    }

    @Test
    void aProviderOfTheFileIsAskedInTheProtocolOfOpenAiWhateverItIsCalled() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), """
                model: ollama/small
                providers:
                  ollama: { baseUrl: "%s" }
                agents:
                  boss: { instructions: Answer. }
                """.formatted(provider.baseUrl()));
        provider.enqueue(Reply.text("Hello there"));

        assertThat(Ran.in(folder, Map.of(), "run", "Hi").out()).isEqualTo("Hello there" + System.lineSeparator());
        provider.verify();
    }

    @Test
    void theModelOfTheCommandLineIsThatOfEveryAgent() {
        provider.enqueue(
                Reply.toolCalls(Reply.call("c1", "agent-finder", "{\"prompt\":\"Find\"}")),
                Reply.text("Found"),
                Reply.text("Done"));

        Ran ran = run("--model", "openai/large");

        assertThat(ran.out()).isEqualTo("Done" + System.lineSeparator());
        assertThat(provider.log())
                .allSatisfy(exchange -> assertThat(exchange.request().model()).isEqualTo("large"));
        assertThat(ran.err())
                .contains("boss         delegates to finder: Find")
                .contains("boss         finder completed in ", ", 10 in + 5 out tokens");
    }

    @Test
    void aFailedRunSaysWhyAndExitsWithOne() {
        provider.always(Reply.error(401, "Wrong key " + KEY));

        Ran ran = run();

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .contains("chargehand: the run failed (model-authentication). ", "failed in ")
                .contains("The provider says: \"Wrong key [redacted]\"")
                .doesNotContain(KEY);
    }

    @Test
    void eventsOfAFailedRunEndWithItsFinish() {
        provider.always(Reply.error(401, "Wrong key"));

        Ran ran = run("--events");

        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.out().lines().toList().getLast())
                .startsWith("{\"type\":\"run-finish\"")
                .contains("\"status\":\"failed\"")
                .doesNotContain("Wrong key");
        assertThat(ran.out().lines())
                .anyMatch(line ->
                        line.startsWith("{\"type\":\"error\"") && line.contains("\"providerMessage\":\"Wrong key\""));
    }

    @Test
    void aDelegationThatFailedIsShownWithItsReason() {
        provider.enqueue(
                Reply.toolCalls(Reply.call("c1", "agent-finder", "{\"prompt\":\"Find\"}")),
                Reply.error(400, "No"),
                Reply.toolCalls(Reply.call("c2", "agent-nobody", "{}")),
                Reply.text("Sorry"));

        Ran ran = run();

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err())
                .containsPattern("boss +finder failed in [0-9.]+ s, 0 in \\+ 0 out tokens: ")
                .containsPattern("boss +agent-nobody failed after 0.00 s: There is no tool 'agent-nobody'");
    }

    @Test
    void anAnswerThatWasCutIsPrintedAndIncomplete() {
        provider.enqueue(Reply.text("Half an ans").finish("length"));

        Ran ran = run();

        assertThat(ran.exitCode()).isEqualTo(3);
        assertThat(ran.out()).isEqualTo("Half an ans" + System.lineSeparator());
        assertThat(ran.err()).contains("chargehand: The provider cut the answer at its length limit.");
    }

    @Test
    void anUnknownProviderIsAMistakeOfTheCommandLine() {
        Ran ran = run("--model", "opeani/gpt-5");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err())
                .startsWith("chargehand: --model: no provider 'opeani' is known")
                .contains("'openai'?");
    }
}
