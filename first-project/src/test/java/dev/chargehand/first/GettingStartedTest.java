package dev.chargehand.first;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page "Getting started": its files, and its commands in their order. */
class GettingStartedTest {

    @TempDir
    private Path folder;

    @AutoClose
    private final LoopbackProvider provider = LoopbackProvider.start();

    @Test
    void thePagesFilesAndCommandsWork() throws Exception {
        Document page = Document.read("docs/getting-started.md");
        file("pom.xml", page.block("xml", "<project"));
        file("src/main/java/Weather.java", page.block("java", "class Weather "));
        file("src/test/java/WeatherTest.java", page.block("java", "class WeatherTest"));
        file("src/main/java/Booking.java", page.block("java", "class Booking"));

        // Its program comes first on the page; compiling the test with it changes nothing.
        assertThat(run(page.command("mvn -q test")).exitCode()).isZero();

        provider.enqueue(
                Reply.toolCalls(Reply.call("c1", "forecast", "{\"name\":\"Oslo\"}")), Reply.text("A rain ", "coat."));
        assertThat(run(command(page, "Weather", "")).out()).contains("A rain coat.\nFinished[]");

        provider.enqueue(Reply.toolCalls(Reply.call("c2", "book", "{\"city\":\"Oslo\"}")));
        String waits = run(command(page, "Booking", "")).out();
        assertThat(waits).contains("waits: book {\"city\":\"Oslo\"}", " SUSPENDED");
        String run = waits.replaceAll("(?s).*(run_\\w+) SUSPENDED.*", "$1");

        provider.enqueue(Reply.text("Your trip is booked."));
        assertThat(run(command(page, "Booking RUN", run)).out())
                .contains("approves book {\"city\":\"Oslo\"}", run + " COMPLETED Your trip is booked.");
        provider.verify();
    }

    /** The command of the page that starts a program, with the id of a run in place of its name for one. */
    private static List<String> command(Document page, String program, String run) {
        String line = page.line("%classpath " + program + "\"");
        return Document.words(line.replace(" RUN\"", " " + run + "\""));
    }

    private Installation.Ran run(List<String> command) throws Exception {
        return Installation.maven(
                folder,
                command.subList(1, command.size()),
                Map.of("OPENAI_API_KEY", "sk-never-to-be-seen", "OPENAI_BASE_URL", provider.baseUrl()));
    }

    private void file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
