package dev.chargehand.first;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.testkit.provider.LoopbackProvider;
import dev.chargehand.testkit.provider.reply.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page "Getting started": its files, and its commands in their order. */
class GettingStartedTest {

    /** The name of a file before its block. */
    private static final Pattern SOURCE = Pattern.compile("`(src/\\w+/java/(\\w+)\\.java)`");

    @TempDir
    private Path folder;

    @AutoClose
    private final LoopbackProvider provider = LoopbackProvider.start();

    @Test
    void thePagesFilesAndCommandsWork() throws Exception {
        Document page = Document.read("docs/getting-started.md");
        file("pom.xml", page.block("xml", "<project"));
        for (MatchResult named : SOURCE.matcher(page.text()).results().toList()) {
            file(named.group(1), page.block("java", "class " + named.group(2) + " "));
        }

        // Its programs are on the page before and after it; compiling all of them changes nothing.
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
        theSupervisorPrintsWhatThePageShows(page);
        provider.verify();

        theWorkflowPrintsWhatThePageShows(page);
        aKilledRunIsRecovered(page);
        theServerAnswersThePagesRequest(page);
        eventsAndCallsAreAsThePageShowsThem(page);
        aProcessThatIsStoppedLeavesItsRunToTheNextOne(page);
    }

    private void theSupervisorPrintsWhatThePageShows(Document page) throws IOException {
        provider.enqueue(
                delegation("c3", "local", "What are the sights of Oslo?"),
                Reply.toolCalls(Reply.call("c4", "sights", "{\"name\":\"Oslo\"}")),
                Reply.text("The opera and the harbour."),
                delegation("c5", "writer", "Write to Ann about the opera and the harbour."),
                Reply.text("Dear Ann, see the opera and the harbour."),
                Reply.text("Dear Ann, see the opera and the harbour."));
        List<String> words = Stream.concat(Stream.of("-cp", classPath()), program(page, "Guide").stream())
                .toList();
        try (Launched guide = Launched.java(folder, words, environment())) {
            assertShown(page, guide.rest());
        }
    }

    private static Reply delegation(String id, String agent, String prompt) {
        return Reply.toolCalls(Reply.call(id, "agent-" + agent, "{\"prompt\":\"" + prompt + "\"}"));
    }

    private Map<String, String> environment() {
        return Map.of("OPENAI_API_KEY", "sk-never-to-be-seen", "OPENAI_BASE_URL", provider.baseUrl());
    }

    private void theWorkflowPrintsWhatThePageShows(Document page) throws IOException {
        try (Launched ordering = launch(page, "Ordering")) {
            assertShown(page, ordering.rest());
        }
    }

    private void aKilledRunIsRecovered(Document page) throws IOException {
        try (Launched killed = launch(page, "Report")) {
            String printed = killed.lines(2);
            assertShown(page, printed.replace("process " + killed.pid(), "process 4711"));
        }
        try (Launched recovers = launch(page, "Report recover")) {
            String printed = recovers.rest();
            assertShown(page, printed.replace("process " + recovers.pid(), "process 4733"));
        }
    }

    /** The port is one that is free. */
    private void theServerAnswersThePagesRequest(Document page) throws Exception {
        try (Launched server = launch(page, "Serve", "0")) {
            String uri = listening(server);
            assertThat(page.text()).contains("Listening on " + uri.replaceAll(":\\d+$", ":4111"));
            assertThat(Curl.send(page.command("curl http://127.0.0.1:4111/api/v1/workflows/ordering"), uri))
                    .contains(page.line("\"status\":\"completed\""));
        }
    }

    private void eventsAndCallsAreAsThePageShowsThem(Document page) throws IOException {
        try (Launched watched = launch(page, "Watched")) {
            assertThat(untimed(page.text())).contains("\n```\n" + untimed(watched.rest()) + "```\n");
        }
    }

    private static String untimed(String printed) {
        return printed.replaceAll("in \\d+ ms", "in some ms");
    }

    /** The ports are free ones. */
    private void aProcessThatIsStoppedLeavesItsRunToTheNextOne(Document page) throws Exception {
        try (Launched first = launch(page, "Node 4111 300", "0", "300")) {
            String start =
                    Curl.send(page.command("curl http://127.0.0.1:4111/api/v1/workflows/report"), listening(first));
            String run = start.replaceAll("(?s).*(run_\\w+).*", "$1");
            first.upTo("sends in process " + first.pid() + "\n");
            try (Launched second = launch(page, "Node 4112 0", "0", "0")) {
                String uri = listening(second);
                assertThat(page.text())
                        .contains("`" + Curl.send(page.command("curl http://127.0.0.1:4112/readyz"), uri) + "`");
                first.terminate();
                second.upTo("sends in process " + second.pid() + "\n");
                assertThat(Curl.send(List.of("curl", uri + "/api/v1/runs/" + run + "/events?until=end"), uri))
                        .contains("run-finish", "Sent: 3 orders");
            }
        }
    }

    private static String listening(Launched server) throws IOException {
        String line = server.lines(1);
        assertThat(line).startsWith("Listening on http://127.0.0.1:");
        return line.substring("Listening on ".length()).strip();
    }

    /** What a program printed is a block of the page. */
    private static void assertShown(Document page, String printed) {
        assertThat(page.text()).contains("\n```\n" + printed + "```\n");
    }

    /** Starts a program with other arguments than those of the page. */
    private Launched launch(Document page, String program, String... arguments) throws IOException {
        List<String> words = new ArrayList<>(program(page, program).subList(0, 1));
        words.addAll(List.of(arguments));
        return Launched.start(folder, classPath(), words);
    }

    private Launched launch(Document page, String program) throws IOException {
        return Launched.start(folder, classPath(), program(page, program));
    }

    /** The class and the arguments in the command of the page that starts a program. */
    private static List<String> program(Document page, String program) {
        String line = page.line("%classpath " + program + "\"");
        return List.of(line.substring(line.indexOf("%classpath ") + "%classpath ".length(), line.length() - 1)
                .split(" "));
    }

    /** The class path of the project, as Maven has written it into the report of its test. */
    private String classPath() throws IOException {
        Matcher property = Pattern.compile("name=\"java.class.path\" value=\"(.+?)\"")
                .matcher(Files.readString(folder.resolve("target/surefire-reports/TEST-WeatherTest.xml")));
        assertThat(property.find()).isTrue();
        return property.group(1);
    }

    /** The command of the page that starts a program, with the id of a run in place of its name for one. */
    private static List<String> command(Document page, String program, String run) {
        String line = page.line("%classpath " + program + "\"");
        return Document.words(line.replace(" RUN\"", " " + run + "\""));
    }

    private Installation.Ran run(List<String> command) throws Exception {
        return Installation.maven(folder, command.subList(1, command.size()), environment());
    }

    private void file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
