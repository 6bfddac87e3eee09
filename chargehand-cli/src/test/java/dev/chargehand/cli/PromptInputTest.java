package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A prompt that comes from standard input. */
class PromptInputTest extends WithProvider {

    @BeforeEach
    void anAgent() throws IOException {
        Files.writeString(
                folder.resolve("chargehand.yaml"),
                "model: openai/gpt-5-mini\nagents:\n  clerk: { instructions: Answer. }\n");
        provider.always(Reply.text("Well."));
    }

    @Test
    void aDashReadsThePromptFromStandardInput() {
        Ran ran = Ran.reading(folder, environment(), List.of("Why does", "a boat float?"), "run", "-");

        assertThat(ran.out()).isEqualTo("Well." + System.lineSeparator());
        assertThat(heard(0)).containsExactly("Why does\na boat float?");
    }

    @Test
    void behindAPipeThePromptMayBeLeftOut() {
        Ran.reading(folder, environment(), List.of("Why?"), "run", "-a", "clerk", "-m", "openai/gpt-5");

        assertThat(heard(0)).containsExactly("Why?");
        assertThat(provider.log().getFirst().request().model()).isEqualTo("gpt-5");
    }

    @Test
    void aPromptThatIsGivenReadsNothing() {
        Ran.reading(folder, environment(), List.of("Not this."), "run", "This.");

        assertThat(heard(0)).containsExactly("This.");
    }

    @Test
    void anInputThatIsTooLongIsNotSent() {
        Ran ran = Ran.reading(folder, environment(), List.of("x".repeat(1_000_001)), "run", "-");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("has more than 1000000 bytes");
        assertThat(provider.requestCount()).isZero();
    }

    @Test
    void anInputThatIsNoTextIsNotSent() {
        Ran ran = Ran.reading(folder, environment(), new byte[] {(byte) 0xC3, 0x28}, "run", "-");

        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("Standard input is no UTF-8 text.");
    }
}
