package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.json.Json;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Requests that no client library sends, each followed by a good one on the same connection. What is rejected starts nothing, and is neither
 * read as a request of its own, nor in the way of the next one, nor in the log, which a stranger could fill with it.
 */
class BadRequestsOverHttpTest extends ServerFixture {

    private static final String START = "/api/v1/agents/writer/runs";
    private static final String HOST = "Host: 127.0.0.1\r\n";
    private static final String JSON = "Content-Type: application/json\r\n";
    private static final String NEXT = "GET /healthz HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n";
    private static final Pattern LENGTH = Pattern.compile("(?i)\r\ncontent-length: *(\\d+)\r\n");

    /** A request that would start a run if a server took it for one. */
    private static final String HIDDEN =
            "POST " + START + " HTTP/1.1\r\n" + HOST + JSON + "Content-Length: 14\r\n\r\n{\"input\":\"Hi\"}";

    private static String get(String target, String... headers) {
        return "GET " + target + " HTTP/1.1\r\n" + HOST + String.join("\r\n", headers)
                + (headers.length == 0 ? "\r\n" : "\r\n\r\n");
    }

    private static String post(String headers, String body) {
        return "POST " + START + " HTTP/1.1\r\n" + HOST + JSON + headers + "\r\n" + body;
    }

    private static String body(String body) {
        return post("Content-Length: " + body.length() + "\r\n", body);
    }

    /** Requests of which the end is not certain, or that are none; the connection is of no more use. */
    private static Map<String, String> broken() {
        Map<String, String> requests = new LinkedHashMap<>();
        requests.put("two lengths", post("Content-Length: 4\r\nContent-Length: 5\r\n", "{}  " + HIDDEN));
        requests.put("two lengths in one", post("Content-Length: 4, 5\r\n", "{}  " + HIDDEN));
        requests.put(
                "a length and chunks",
                post("Content-Length: 2\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" + HIDDEN));
        requests.put(
                "chunks and a length",
                post("Transfer-Encoding: chunked\r\nContent-Length: 2\r\n", "0\r\n\r\n" + HIDDEN));
        requests.put("an unknown coding", post("Transfer-Encoding: chunkedx\r\n", "0\r\n\r\n" + HIDDEN));
        requests.put(
                "chunked twice",
                post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n" + HIDDEN));
        requests.put("chunked, and not last", post("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n" + HIDDEN));
        requests.put("a negative length", post("Content-Length: -1\r\n", HIDDEN));
        requests.put("a length with a sign", post("Content-Length: +4\r\n", "{}  " + HIDDEN));
        requests.put("a length in hexadecimal", post("Content-Length: 0x4\r\n", "{}  " + HIDDEN));
        requests.put("a length above all numbers", post("Content-Length: 99999999999999999999\r\n", "{}" + HIDDEN));
        requests.put("a size of a chunk that is none", post("Transfer-Encoding: chunked\r\n", "zz\r\n" + HIDDEN));
        requests.put(
                "a negative size of a chunk", post("Transfer-Encoding: chunked\r\n", "-2\r\n{}\r\n0\r\n\r\n" + HIDDEN));
        requests.put(
                "a size above all numbers", post("Transfer-Encoding: chunked\r\n", "fffffffffffffffff\r\n" + HIDDEN));
        requests.put(
                "a chunk longer than its size",
                post("Transfer-Encoding: chunked\r\n", "2\r\n{}garbage\r\n0\r\n\r\n" + HIDDEN));
        requests.put("a space before the colon", get("/healthz", "Content-Length : 5"));
        requests.put("a header without a colon", get("/healthz", "Nonsense"));
        requests.put("a zero byte in a header", get("/healthz", "A: b\0c"));
        requests.put("a zero byte in the path", get("/health\0z"));
        requests.put("a broken escape", get("/api/v1/runs/%zz"));
        requests.put("half an escape", get("/api/v1/runs/%a"));
        requests.put("no target", "GET  HTTP/1.1\r\n" + HOST + "\r\n");
        requests.put("no version", "GET /healthz\r\n" + HOST + "\r\n");
        requests.put("another protocol", "GET /healthz FTP/1.1\r\n" + HOST + "\r\n");
        requests.put("one word", "GARBAGE\r\n\r\n");
        requests.put("a tab after the method", "GET\t/healthz HTTP/1.1\r\n" + HOST + "\r\n");
        requests.put("a greeting of TLS", "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc\u0003\u0003\r\n\r\n");
        requests.put("a preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        requests.put("a header that is too large", get("/healthz", "A: " + "a".repeat(20_000)));
        requests.put("1,000 headers", get("/healthz", "Aaaaaaaaaaaaaaaaaaaaaaaaaa: b\r\n".repeat(999) + "A: b"));
        return requests;
    }

    /** Requests that are read as a whole and rejected. */
    private static Map<String, String> wrong() {
        Map<String, String> requests = new LinkedHashMap<>();
        requests.put("no host", "GET /api/v1/info HTTP/1.1\r\n\r\n");
        requests.put("two hosts", "GET /api/v1/info HTTP/1.1\r\n" + HOST + HOST + "\r\n");
        requests.put("another host", "GET /api/v1/info HTTP/1.1\r\nHost: evil.example\r\n\r\n");
        requests.put("a target with a host", get("http://evil.example/healthz"));
        requests.put("dots in the path", get("/api/v1/../../etc/passwd"));
        requests.put("escaped dots in the path", get("/api/v1/agents/..%2f..%2fetc"));
        requests.put("an escaped zero byte", get("/api/v1/runs/a%00b"));
        requests.put("an unknown method", "BREW /healthz HTTP/1.1\r\n" + HOST + "\r\n");
        requests.put("TRACE", "TRACE /healthz HTTP/1.1\r\n" + HOST + "\r\n");
        requests.put("CONNECT", "CONNECT /healthz HTTP/1.1\r\n" + HOST + "\r\n");
        requests.put("a limit below 1", get("/api/v1/runs?limit=-1"));
        requests.put("a limit above all numbers", get("/api/v1/runs?limit=999999999999"));
        requests.put("a key twice", get("/api/v1/runs?limit=1&limit=1"));
        requests.put("an escaped key twice", get("/api/v1/runs?limit=1&%6cimit=1"));
        requests.put("a cursor that is none", get("/api/v1/runs/none/events", "Last-Event-ID: ;;;1.x.y"));
        requests.put("no type", "POST " + START + " HTTP/1.1\r\n" + HOST + "Content-Length: 2\r\n\r\n{}");
        requests.put(
                "another type",
                "POST " + START + " HTTP/1.1\r\n" + HOST
                        + "Content-Type: text/plain\r\nContent-Length: 14\r\n\r\n{\"input\":\"Hi\"}");
        requests.put(
                "a charset that does not exist",
                "POST " + START + " HTTP/1.1\r\n" + HOST
                        + "Content-Type: application/json; charset=utf-99\r\nContent-Length: 14\r\n\r\n{\"input\":\"Hi\"}");
        requests.put(
                "another charset",
                "POST " + START + " HTTP/1.1\r\n" + HOST
                        + "Content-Type: application/json; charset=\"utf-16\"\r\nContent-Length: 14\r\n\r\n{\"input\":\"Hi\"}");
        requests.put("no body", body(""));
        requests.put("a key of a body twice", body("{\"input\":\"a\",\"input\":\"b\"}"));
        requests.put("a deep body", body("{\"input\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}"));
        requests.put("a number above all", body("{\"input\":\"a\",\"options\":{\"maxSteps\":1e999999}}"));
        requests.put("a cost above all", body("{\"input\":\"a\",\"options\":{\"budget\":{\"cost\":1e999999999}}}"));
        requests.put("a byte order mark", body("\u00ef\u00bb\u00bf{\"input\":\"a\"}"));
        requests.put("not a number", body("{\"input\":NaN}"));
        requests.put("bytes that are no text", body("{\"input\":\"\u00ff\u00fe\"}"));
        requests.put(
                "a body in chunks", post("Transfer-Encoding: chunked\r\n", "5\r\n{\"inp\r\n3\r\nut\"\r\n0\r\n\r\n"));
        requests.put(
                "a body that is expected to be rejected", post("Expect: 100-continue\r\nContent-Length: 1\r\n", "{"));
        return requests;
    }

    private record Answer(int status, String body) {}

    private static List<Answer> answers(ChargehandServer server, String request) throws Exception {
        try (RawClient client = new RawClient(server)) {
            client.send(request);
            return answers(client.end().readAll());
        }
    }

    private static List<Answer> answers(String read) {
        List<Answer> answers = new ArrayList<>();
        String rest = read;
        while (!rest.isEmpty()) {
            assertThat(rest).startsWith("HTTP/1.1 ").contains("\r\n\r\n");
            int head = rest.indexOf("\r\n\r\n") + 4;
            Matcher length = LENGTH.matcher(rest.substring(0, head));
            int status = Integer.parseInt(rest.substring(9, 12));
            int end = head + (status != 100 && length.find() ? Integer.parseInt(length.group(1)) : 0);
            if (status != 100) {
                answers.add(new Answer(status, rest.substring(head, end)));
            }
            rest = rest.substring(end);
        }
        return answers;
    }

    private static void requireProblem(SoftAssertions softly, String name, Answer answer) {
        softly.assertThat(answer.status()).as(name).isBetween(400, 499);
        softly.assertThat(answer.body()).as(name).doesNotContain("Exception", "dev.chargehand", "helidon", "\tat ");
        softly.assertThat(answer.body()).as(name).startsWith("{");
        if (answer.body().startsWith("{")) {
            Json problem = Json.parse(answer.body());
            softly.assertThat(problem.at("/status").map(Json::text)).as(name).contains("" + answer.status());
            softly.assertThat(problem.at("/detail").flatMap(Json::string).orElse(""))
                    .as(name)
                    .isNotBlank();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aBrokenRequestIsAnsweredOnceAndNothingAfterItIsRead(HttpBinding binding) throws Exception {
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        SoftAssertions softly = new SoftAssertions();
        try (LogLines log = new LogLines()) {
            for (Map.Entry<String, String> request : broken().entrySet()) {
                List<Answer> answers = answers(server, request.getValue() + NEXT);
                softly.assertThat(answers).as(request.getKey()).hasSize(1);
                if (binding == HttpBinding.HELIDON && !answers.isEmpty()) {
                    requireProblem(softly, request.getKey(), answers.getFirst());
                }
                softly.assertThat(store.list(RunFilter.ALL))
                        .as(request.getKey())
                        .isEmpty();
                softly.assertThat(log.all()).as("log of " + request.getKey()).isEmpty();
            }
            assertThat(answers(server, NEXT).getFirst().status()).isEqualTo(200);
            softly.assertThat(log.all()).as("log").isEmpty();
        }
        softly.assertAll();
    }

    @ParameterizedTest
    @EnumSource
    void aWrongRequestIsAProblemAndTheNextOneIsServed(HttpBinding binding) throws Exception {
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        SoftAssertions softly = new SoftAssertions();
        try (LogLines log = new LogLines()) {
            for (Map.Entry<String, String> request : wrong().entrySet()) {
                List<Answer> answers = answers(server, request.getValue() + NEXT);
                softly.assertThat(answers).as(request.getKey()).hasSize(2);
                if (!answers.isEmpty()) {
                    requireProblem(softly, request.getKey(), answers.getFirst());
                    softly.assertThat(answers.getLast().status())
                            .as(request.getKey())
                            .isEqualTo(200);
                }
                softly.assertThat(store.list(RunFilter.ALL))
                        .as(request.getKey())
                        .isEmpty();
                softly.assertThat(log.all()).as("log of " + request.getKey()).isEmpty();
            }
            assertThat(answers(server, NEXT).getFirst().status()).isEqualTo(200);
            softly.assertThat(log.all()).as("log").isEmpty();
        }
        softly.assertAll();
        String whole = body("{\"input\":\"Hi\"}").replace("application/json", "Application/JSON;charset=\"UTF-8\"");
        assertThat(answers(server, whole).getFirst().status())
                .as("what is like it and right")
                .isEqualTo(202);
    }

    /** Helidon closes the connection then, the server of the JDK does not. */
    @ParameterizedTest
    @EnumSource
    void aBodyInAnotherCodingIsAProblem(HttpBinding binding) throws Exception {
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding));
        SoftAssertions softly = new SoftAssertions();
        String request = post("Content-Encoding: gzip\r\nContent-Length: 14\r\n", "{\"input\":\"Hi\"}");
        requireProblem(softly, "gzip", answers(server, request).getFirst());
        softly.assertAll();
        assertThat(store.list(RunFilter.ALL)).isEmpty();
    }

    /** Helidon counts it as a failure of its own, and closes the connection; the JDK's server knows no route with it. */
    @ParameterizedTest
    @EnumSource
    void aMethodThatCannotBeOneIsTheMistakeOfTheClient(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(binding);
        for (String method : List.of("GET,", "G\"T", "{GET}", "\u00c4")) {
            String request = method + " /healthz HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n";
            assertThat(answers(server, request)).as(method).singleElement().satisfies(answer -> assertThat(
                            answer.status())
                    .isBetween(400, 499));
            List<Answer> later = answers(server, get("/healthz") + request);
            assertThat(later).as(method).hasSize(2);
            assertThat(later.getFirst().status()).isEqualTo(200);
            assertThat(later.getLast().status()).as(method).isBetween(400, 499);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aMethodThatCannotBeOneIsNotLogged(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(binding);
        String request = "GET, /healthz HTTP/1.1\r\n" + HOST + "Connection: close\r\n\r\n";
        try (LogLines log = new LogLines();
                RawClient first = new RawClient(server);
                RawClient later = new RawClient(server)) {
            assertThat(first.send(request).end().readAll()).startsWith("HTTP/1.1 4");
            assertThat(later.send(get("/healthz")).readTo("}")).startsWith("HTTP/1.1 200 ");
            assertThat(later.send(request).end().readAll()).startsWith("HTTP/1.1 4");
            assertThat(log.all()).isEmpty();
        }
    }
}
