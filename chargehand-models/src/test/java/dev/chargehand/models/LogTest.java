package dev.chargehand.models;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.error.ModelException;
import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With every logger at its lowest level, in a process of its own, since a logger's level is set once. */
@Timeout(120)
class LogTest {

    @Test
    void neitherKeysNorPromptsNorAnswersAreLoggedAtAnyLevel() throws IOException, InterruptedException {
        try (LoopbackProvider provider = LoopbackProvider.start()) {
            provider.enqueue(Reply.text("my diary"), Reply.error(401, "my diary of " + Loopback.KEY));
            Process process = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Dorg.slf4j.simpleLogger.defaultLogLevel=trace",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Child.class.getName(),
                            provider.baseUrl()))
                    .redirectErrorStream(true)
                    .start();
            String log = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(log).isZero();
            assertThat(provider.requestCount()).isEqualTo(2);
            assertThat(log)
                    .contains("DEBUG org.apache.hc", "DEBUG dev.chargehand.provider", "status 401")
                    .doesNotContain(Loopback.KEY)
                    .doesNotContain("diary")
                    .doesNotContain("my prompt");
        }
    }

    /** What the other process runs. */
    static final class Child {

        private Child() {}

        public static void main(String[] args) throws InterruptedException {
            try (OpenAiModel model = OpenAiModel.builder()
                    .baseUrl(args[0])
                    .model("m")
                    .apiKey(Loopback.KEY)
                    .build()) {
                model.ask(Loopback.request("my prompt"), new Recorder());
                try {
                    model.ask(Loopback.request("my prompt"), new Recorder());
                } catch (ModelException e) {
                    System.out.println(Arrays.toString(e.getStackTrace()) + e.publicMessage());
                }
            }
        }
    }
}
