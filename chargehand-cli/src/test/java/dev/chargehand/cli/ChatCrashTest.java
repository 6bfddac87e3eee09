package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A chat whose process is killed during a turn. */
class ChatCrashTest extends WithProvider {

    @BeforeEach
    void agents() throws IOException {
        Files.writeString(folder.resolve("chargehand.yaml"), "model: openai/talker\nagents: { boss: {} }\n");
    }

    private Process start() throws IOException {
        Files.writeString(folder.resolve("in"), "First\nSecond\n");
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "chat",
                        "--thread",
                        "t1")
                .directory(folder.toFile())
                .redirectInput(folder.resolve("in").toFile())
                .redirectOutput(folder.resolve("out").toFile())
                .redirectError(folder.resolve("err").toFile());
        builder.environment().putAll(environment());
        return builder.start();
    }

    @Test
    void whoComesBackIsToldAndTheTurnCanBeGoneOnWith() throws Exception {
        provider.enqueue(Reply.text("One."), Reply.silence(), Reply.text("Two."), Reply.text("Three."));
        Process process = start();
        try {
            provider.awaitRequests(2, Duration.ofSeconds(60));
        } finally {
            process.destroyForcibly().waitFor();
        }

        Ran ran = Ran.reading(folder, environment(), List.of("/resume", "Third"), "chat", "--thread", "t1");

        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err())
                .contains("thread t1, 3 messages since ", "  assistant: One.", "  user: Second")
                .containsPattern("Run run_\\w+ has not ended\\. .* /resume continues it\\.");
        assertThat(ran.out().lines()).containsExactly("Two.", "Three.");
        assertThat(provider.log().getLast().request().messages())
                .filteredOn(message -> !message.isSystem())
                .extracting(message -> message.text())
                .containsExactly("First", "One.", "Second", "Two.", "Third");
    }
}
