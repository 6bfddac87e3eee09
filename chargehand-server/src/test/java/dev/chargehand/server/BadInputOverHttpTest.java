package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests that are wrong: each is answered with one problem, and starts nothing. */
class BadInputOverHttpTest extends ServerFixture {

    private static final String START = "/api/v1/agents/writer/runs";

    private static List<String> bodies() {
        List<String> bodies = new ArrayList<>(List.of(
                "",
                "{",
                "[]",
                "null",
                "1",
                "\"text\"",
                "{\"input\":}",
                "{} {}",
                "{\"input\":\"a\",}",
                "{'input':'a'}",
                "\u0000",
                "{}",
                "{\"input\":null}",
                "{\"input\":1}",
                "{\"input\":\"\"}",
                "{\"input\":\"  \"}",
                "{\"input\":{}}",
                "{\"input\":[]}",
                "{\"input\":[1]}",
                "{\"input\":[{}]}",
                "{\"input\":[null]}",
                "{\"input\":[{\"role\":\"user\",\"content\":\"a\"},null]}",
                "{\"input\":[{\"role\":\"system\",\"content\":\"a\"}]}",
                "{\"input\":[{\"role\":\"assistant\",\"content\":\"a\"}]}",
                "{\"input\":[{\"role\":\"user\",\"content\":1}]}",
                "{\"input\":[{\"role\":\"user\",\"content\":\"a\",\"name\":\"x\"}]}",
                "{\"input\":\"a\",\"unknown\":1}",
                "{\"input\":\"a\",\"thread\":\"\"}",
                "{\"input\":\"a\",\"thread\":7}",
                "{\"input\":\"a\",\"thread\":\"" + "t".repeat(10_000) + "\"}",
                "{\"input\":\"a\",\"options\":1}",
                "{\"input\":\"a\",\"options\":{\"maxSteps\":0}}",
                "{\"input\":\"a\",\"options\":{\"maxSteps\":-1}}",
                "{\"input\":\"a\",\"options\":{\"maxSteps\":\"2\"}}",
                "{\"input\":\"a\",\"options\":{\"maxSteps\":1.5}}",
                "{\"input\":\"a\",\"options\":{\"maxSteps\":1e3}}",
                "{\"input\":\"a\",\"options\":{\"maxSteps\":99999999999999999999}}",
                "{\"input\":\"a\",\"options\":{\"maxSteps\":11}}",
                "{\"input\":\"a\",\"options\":{\"retries\":1}}",
                "{\"input\":\"a\",\"options\":{\"budget\":{\"tokens\":0}}}",
                "{\"input\":\"a\",\"options\":{\"budget\":{\"cost\":\"x\"}}}",
                "{\"input\":\"a\",\"options\":{\"budget\":{\"cost\":-1}}}",
                "{\"input\":\"a\",\"options\":{\"budget\":{\"days\":1}}}",
                "{\"input\":\"a\",\"options\":{\"budget\":{\"calls\":3000000000}}}",
                "{\"input\":\"a\",\"options\":{\"activeTools\":\"x\"}}",
                "{\"input\":\"a\",\"options\":{\"activeTools\":[1]}}",
                "{\"input\":\"a\",\"options\":{\"activeTools\":[null]}}",
                "{\"input\":\"a\",\"options\":{\"structuredOutput\":1}}",
                "{\"input\":\"a\",\"options\":{\"structuredOutput\":{\"type\":\"nothing\"}}}",
                "{\"input\":\"a\",\"options\":{\"requestContext\":{\"admin\":true}}}",
                "{\"input\":\"a\",\"options\":{\"requestContext\":[]}}",
                "{\"input\":\"a\",\"metadata\":{\"k\":1}}",
                "{\"input\":\"a\",\"metadata\":[]}",
                "{\"input\":\"a\",\"metadata\":{\"k\":\"" + "v".repeat(600) + "\"}}",
                "[".repeat(1 << 20),
                "{\"input\":" + "[".repeat(100) + "]".repeat(100) + "}"));
        StringBuilder many = new StringBuilder("{\"input\":\"a\",\"metadata\":{");
        for (int i = 0; i < 17; i++) {
            many.append(i == 0 ? "" : ",").append("\"k").append(i).append("\":\"v\"");
        }
        bodies.add(many.append("}}").toString());
        return bodies;
    }

    @ParameterizedTest
    @EnumSource
    void aWrongBodyIsAProblemAndStartsNothing(HttpBinding binding) {
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        for (String body : bodies()) {
            HttpResponse<String> answer = send(request(server, START)
                    .header("Content-Type", "application/json")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build());
            requireProblem(answer, body.substring(0, Math.min(80, body.length())));
        }
        assertThat(store.list(RunFilter.ALL)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            5                                                  | /input           | must be a text, or a list of messages
            {}                                                 | /input           | must be a text, or a list of messages
            []                                                 | /input           | must be a text, or a list of messages
            [{"role":"user","content":"a"},{"content":1}]      | /input/1/content | must be a text
            [{"role":"user","text":"a"}]                       | /input/0/text    | is not known here; known are content, role
            [{"role":"user"}]                                  | /input/0/content | is missing
            ["a"]                                              | /input/0         | must be a JSON object
            [null]                                             | /input/0         | must be a JSON object
            """)
    void aProblemOfTheInputNamesThePlaceAndWhatBelongsThere(String input, String pointer, String rule) {
        ChargehandServer server = serve(runtime(InMemoryStore.keepingEndedRuns()), builder -> builder);
        HttpResponse<String> answer = send(request(server, START)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"input\":" + input + "}"))
                .build());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(400);
        assertThat(at(answer, "/errors/0/pointer")).isEqualTo(pointer);
        assertThat(at(answer, "/errors/0/message")).isEqualTo(rule);
    }

    private static void requireProblem(HttpResponse<String> answer, String what) {
        assertThat(answer.statusCode()).as(what + " → " + answer.body()).isBetween(400, 499);
        assertThat(answer.headers().firstValue("Content-Type")).as(what).contains("application/problem+json");
        Json problem = Json.parse(answer.body());
        assertThat(problem.at("/status").map(Json::text)).contains(Integer.toString(answer.statusCode()));
        assertThat(problem.at("/detail").flatMap(Json::string).orElse(""))
                .as(what)
                .isNotBlank()
                .doesNotContain("Exception", "dev.chargehand", "\tat ");
    }

    @ParameterizedTest
    @EnumSource
    void aWrongPathQueryOrHeaderIsAProblem(HttpBinding binding) {
        ChargehandServer server = serve(binding);
        List<String> paths = List.of(
                "/nothing",
                "/api/v1/",
                "/api/v1/runs/",
                "/api/v1/runs//events",
                "/api/v1/agents/none",
                "/api/v1/runs/none",
                "/api/v1/runs/none/events",
                "/api/v1/runs/none/result",
                "/api/v1/approvals/none",
                "/api/v1/approvals/a.b.0",
                "/api/v1/approvals/a.b.99999999999",
                "/api/v1/approvals/%00.b.1",
                "/api/v1/runs/%00",
                "/api/v1/runs/%ff",
                "/api/v1/runs/a%0Ab",
                "/api/v1/runs?limit=0",
                "/api/v1/runs?limit=201",
                "/api/v1/runs?limit=x",
                "/api/v1/runs?limit=1&limit=2",
                "/api/v1/runs?status=unknown",
                "/api/v1/runs?since=yesterday",
                "/api/v1/runs?after=none",
                "/api/v1/runs?agent=%ff",
                "/api/v1/threads",
                "/api/v1/threads/none",
                "/api/v1/threads/none/messages",
                "/api/v1/runs?agent=" + "a".repeat(9_000),
                "/api/v1/runs/" + "r".repeat(9_000));
        for (String path : paths) {
            requireProblem(get(server, path), path.substring(0, Math.min(80, path.length())));
        }
        HttpResponse<String> method =
                send(request(server, "/api/v1/agents").DELETE().build());
        assertThat(method.statusCode()).isEqualTo(405);
        assertThat(method.headers().firstValue("Allow")).contains("GET");
        HttpResponse<String> form = send(request(server, START)
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString("input=a"))
                .build());
        assertThat(form.statusCode()).isEqualTo(415);
        HttpResponse<String> large = send(request(server, START)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"input\":\"" + "a".repeat(5 << 20) + "\"}"))
                .build());
        assertThat(large.statusCode()).isEqualTo(413);
    }

    /** Each value takes many times the memory of its text. */
    @ParameterizedTest
    @EnumSource
    void aBodyOfVeryManyValuesIsAProblem(HttpBinding binding) {
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server =
                serve(runtime(store), builder -> builder.binding(binding).limit(ServerLimit.JSON_VALUES, 20));
        for (String path : List.of(START, "/v1/chat/completions", "/api/agents/writer/generate")) {
            for (String value : List.of("1", "\"\"", "[]", "{}", "{ \"a\" : 1 }", "[ [ ] ]", "\",[{\"", "\"\\\\\"")) {
                String body = "{\"a\":[" + (value + ", ").repeat(20) + value + "]}";
                HttpResponse<String> answer = send(request(server, path)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build());
                assertThat(answer.statusCode()).as(path + body).isEqualTo(400);
                assertThat(answer.body()).as(path + body).contains("bad-json", "at most 20 values");
            }
        }
        String many = "[{\"a\":\"]{,[\\\"\"},[],{ },1,2,3,4,5,6,7,8,9,10,11,12,13,14]"; // 20, with that of the input
        HttpResponse<String> allowed = send(request(server, START)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"input\":" + many + "}"))
                .build());
        assertThat(at(allowed, "/code")).as(allowed.body()).isEqualTo("bad-request");
        assertThat(store.list(RunFilter.ALL)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void aBodyThatArrivesTooSlowlyIsGivenUp(HttpBinding binding) throws Exception {
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding)
                .timeLimit(ServerTimeLimit.READ, Duration.ofMillis(200)));
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort())) {
            String head = "POST " + START + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 1000000\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            int sent = 0;
            try {
                for (; sent < 20_000; sent++) {
                    socket.getOutputStream().write(' ');
                    Thread.sleep(1); // slower than allowed as a whole, and never silent
                }
            } catch (IOException e) {
                // the server has closed the connection
            }
            assertThat(sent).isLessThan(20_000);
        }
        assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
        assertThat(store.list(RunFilter.ALL)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"HELIDON, false", "HELIDON, true", "JDK, true"})
    void aConnectionOnWhichNoMoreOfARequestArrivesIsClosed(HttpBinding binding, boolean inBody) throws Exception {
        ChargehandServer server = serve(runtime(InMemoryStore.create()), builder -> builder.binding(binding)
                .timeLimit(ServerTimeLimit.READ, Duration.ofMillis(200)));
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort())) {
            String sent = "POST " + START + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 9\r\n" + (inBody ? "\r\n{" : "");
            socket.getOutputStream().write(sent.getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().readAllBytes()).isEmpty();
        }
        assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
    }

    @ParameterizedTest
    @EnumSource
    void aBodyThatWasRejectedAndDoesNotEndIsGivenUp(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(runtime(InMemoryStore.create()), builder -> builder.binding(binding)
                .limit(ServerLimit.BODY_BYTES, 100)
                .timeLimit(ServerTimeLimit.READ, Duration.ofMillis(200)));
        try (RawClient client = new RawClient(server)) {
            client.send("POST " + START + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                    + "Content-Length: 9000\r\n\r\n" + " ".repeat(200));
            assertThat(client.readAll()).startsWith("HTTP/1.1 413").contains("body-too-large");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBrokenRequestDoesNotDisturbOthers(HttpBinding binding) throws IOException {
        ChargehandServer server = serve(binding);
        List<String> requests = List.of(
                "GARBAGE\r\n\r\n",
                "GET /api/v1/info HTTP/1.1\r\n\r\n",
                "GET /api/v1/info HTTP/1.1\r\nHost: evil.example\r\n\r\n",
                "POST " + START
                        + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{\"input\":",
                "POST " + START
                        + " HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
                "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + "x".repeat(70_000) + "\r\n\r\n");
        for (String request : requests) {
            try (Socket socket =
                    new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort())) {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                socket.getOutputStream().flush();
                socket.shutdownOutput();
                byte[] answer = socket.getInputStream().readNBytes(12);
                assertThat(new String(answer, StandardCharsets.ISO_8859_1)).doesNotContain(" 2", " 5");
            } catch (IOException e) {
                assertThat(e).isNotNull(); // the server may close the connection of a broken request
            }
        }
        assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
    }
}
