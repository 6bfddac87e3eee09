package dev.chargehand.first;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The project {@code web-application}: its page, and over HTTP what the script of its page does. */
class WebApplicationProjectTest {

    @TempDir
    private Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    /** End it at once: its close waits for every request, and for one that nobody reads any more it may wait for ever. */
    @AfterEach
    void endClient() {
        client.shutdownNow();
    }

    @Test
    void anAnswerIsStreamedAndItsRefundApprovedAlsoAfterKillNine() throws Exception {
        CopiedProject project = CopiedProject.of("web-application", folder);
        project.build("mvn -q package");
        String run;
        try (Launched shop = shop(project)) {
            URI uri = listening(project, shop);
            thePageCallsRoutesAndReadsEventsThatExist(uri);
            String first = started(uri, "Please refund o-7");
            try (Events events = events(uri, first)) {
                assertThat(events.next("tool-call-approval").toString()).contains("refund", "o-7");
                answer(uri, "approve");
                assertThat(events.toEnd()).isEqualTo("About o-7: Refunded o-7.");
                assertThat(events.deltas).isNotEmpty(); // some may have been joined
                assertThat(String.join("", events.deltas)).isEqualTo("About o-7: Refunded o-7.");
            }
            run = started(uri, "Please refund o-8");
            try (Events events = events(uri, run)) {
                assertThat(events.next("tool-call-approval").toString()).contains("o-8");
            }
        }
        try (Launched shop = shop(project)) {
            URI uri = listening(project, shop);
            answer(uri, "decline");
            try (Events events = events(uri, run)) {
                assertThat(events.toEnd()).startsWith("About o-8: ").contains("The desk is on its way.");
            }
        }
    }

    /** The port is one that is free. */
    private static Launched shop(CopiedProject project) throws IOException {
        return project.java("java -jar target/shop.jar", "0");
    }

    private static URI listening(CopiedProject project, Launched shop) throws IOException {
        String printed = shop.lines(2);
        project.assertShown(printed.replaceAll(":\\d+/shop", ":8080/shop"));
        return URI.create(printed.replaceAll("(?s).*(http://\\S+/)shop.*", "$1"));
    }

    private void thePageCallsRoutesAndReadsEventsThatExist(URI uri) throws Exception {
        String page = get(uri.resolve("/shop"));
        String described = get(uri.resolve("/openapi.json"));
        assertThat(page).doesNotContain("http:", "https:", "innerHTML =");
        for (String path : found(page, "\\(['`](?:\\$\\{api})?(/[^'`?]*)[?'`]")) {
            assertThat(described)
                    .contains(
                            "\"/api/v1" + path.replaceAll("\\$\\{.*?}", "{id}").replace("assistant", "{id}") + "\"");
        }
        String events = Document.read("docs/events.md").text()
                + Document.read("docs/server.md").text();
        assertThat(found(page, "on\\('([a-z-]+)'")).hasSizeGreaterThan(5).allSatisfy(type -> assertThat(events)
                .contains("`" + type + "`"));
    }

    private static List<String> found(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map(each -> each.group(1))
                .toList();
    }

    private String started(URI uri, String question) throws Exception {
        Json run = post(
                uri.resolve("/api/v1/agents/assistant/runs"),
                Map.of("input", question, "thread", "t-1", "resource", "ann"));
        return run.at("/runId").flatMap(Json::string).orElseThrow();
    }

    /** Answers the only call that waits. */
    private void answer(URI uri, String decision) throws Exception {
        Json call = Json.parse(get(uri.resolve("/api/v1/approvals")))
                .at("/approvals/0")
                .orElseThrow();
        assertThat(call.at("/toolName").flatMap(Json::string)).contains("refund");
        String id = call.at("/id").flatMap(Json::string).orElseThrow();
        String digest = call.at("/digest").flatMap(Json::string).orElseThrow();
        post(
                uri.resolve("/api/v1/approvals/" + id + "/answer"),
                decision.equals("approve")
                        ? Map.of("decision", decision, "digest", digest)
                        : Map.of("decision", decision, "digest", digest, "reason", "The desk is on its way."));
    }

    private Events events(URI uri, String run) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri.resolve("/api/v1/runs/" + run + "/events?until=end"))
                .build();
        return new Events(
                client.send(request, HttpResponse.BodyHandlers.ofLines()).body());
    }

    private String get(URI uri) throws Exception {
        return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private Json post(URI uri, Map<String, String> body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(uri)
                .headers(
                        "Content-Type",
                        "application/json",
                        "Origin",
                        uri.resolve("/").toString().replaceAll("/$", ""))
                .POST(HttpRequest.BodyPublishers.ofString(Json.of(body).text()))
                .build();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 202);
        return Json.parse(answer.body());
    }

    /** The events of a run, as they arrive. */
    private static final class Events implements AutoCloseable {

        private final Stream<String> lines;
        private final Iterator<Json> events;
        private final List<String> deltas = new ArrayList<>();

        private Events(Stream<String> lines) {
            this.lines = lines;
            this.events = lines.filter(line -> line.startsWith("data: "))
                    .map(line -> Json.parse(line.substring(6)))
                    .iterator();
        }

        private Json next(String type) {
            while (events.hasNext()) {
                Json event = events.next();
                event.at("/type")
                        .flatMap(Json::string)
                        .filter("text-delta"::equals)
                        .flatMap(delta -> event.at("/text").flatMap(Json::string))
                        .ifPresent(deltas::add);
                if (event.at("/type").flatMap(Json::string).orElseThrow().equals(type)) {
                    return event;
                }
            }
            throw new AssertionError("The stream has ended without " + type + ".");
        }

        /** Returns the text of the run. */
        private String toEnd() {
            return next("run-finish").at("/text").flatMap(Json::string).orElseThrow();
        }

        @Override
        public void close() {
            lines.close();
        }
    }
}
