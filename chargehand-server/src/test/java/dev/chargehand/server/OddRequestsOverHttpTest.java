package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.Store;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Requests whose parts are well-formed and whose values are not: each is a problem, starts nothing, and is not logged. */
class OddRequestsOverHttpTest extends ServerFixture {

    private static final String START = "/api/v1/agents/writer/runs";
    private static final String GOOD = "{\"input\":\"Hi\"}";
    private static final String NEXT = "GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";
    private static final String JSON = "Content-Type: application/json";

    private static String request(String method, String path, String body, String... headers) {
        String bytes = new String(body.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                + (headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n")
                + (body.isEmpty() ? "" : "Content-Length: " + bytes.length() + "\r\n") + "\r\n" + bytes;
    }

    private static String start(String body, String... headers) {
        String[] all = Stream.concat(Stream.of(JSON), Stream.of(headers)).toArray(String[]::new);
        return request("POST", START, body, all);
    }

    private static String typed(String... types) {
        return request("POST", START, GOOD, types);
    }

    private static String chat(String field) {
        return request(
                "POST",
                "/v1/chat/completions",
                "{\"model\":\"writer\",\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]," + field + "}",
                JSON);
    }

    private static String response(String field) {
        return request("POST", "/v1/responses", "{\"model\":\"writer\",\"input\":\"Hi\"," + field + "}", JSON);
    }

    private static String get(String path, String... headers) {
        return request("GET", path, "", headers);
    }

    private static Map<String, String> wrong() {
        Map<String, String> all = new LinkedHashMap<>();
        all.put("two keys", start(GOOD, "Idempotency-Key: a", "Idempotency-Key: b"));
        all.put("a blank key", start(GOOD, "Idempotency-Key: "));
        all.put("a key with a blank", start(GOOD, "Idempotency-Key: a b"));
        all.put("a key with a tab", start(GOOD, "Idempotency-Key: a\tb"));
        all.put("a key that is too long", start(GOOD, "Idempotency-Key: " + "k".repeat(256)));
        all.put("a key of other characters", start(GOOD, "Idempotency-Key: k\u00e4"));
        all.put("two cursors", get("/api/v1/runs/none/events", "Last-Event-ID: 1", "Last-Event-ID: 2"));
        all.put("two types", typed(JSON, "Content-Type: text/plain"));
        all.put("two types the other way", typed("Content-Type: text/plain", JSON));
        all.put("two types in one", typed("Content-Type: application/json, text/plain"));
        all.put("a type that is none", typed("Content-Type: garbage"));
        all.put("a type of signs", typed("Content-Type: ;;;"));
        all.put("a type that is a slash", typed("Content-Type: /"));
        all.put("a type that is empty", typed("Content-Type: "));
        all.put("a type of JSON of another kind", typed("Content-Type: application/jsonx"));
        all.put("a charset with blanks", typed("Content-Type: application/json; charset = utf-16"));
        all.put("a charset in capitals", typed("Content-Type: application/json; CHARSET=UTF-16"));
        all.put("a charset twice", typed("Content-Type: application/json;charset=utf-8;charset=latin1"));
        all.put(
                "a charset on a wire",
                request("POST", "/v1/responses", GOOD, "Content-Type: application/json;charset=latin1"));
        all.put("a form on a wire", request("POST", "/ai-sdk/writer", "a=b", "Content-Type: multipart/form-data"));
        all.put("text on a wire", request("POST", "/api/agents/writer/stream", GOOD, "Content-Type: text/plain"));
        all.put("a key twice, once escaped", start("{\"input\":\"a\",\"\\u0069nput\":\"b\"}"));
        all.put("a nested key twice", start("{\"input\":\"a\",\"options\":{\"maxSteps\":1,\"maxSteps\":2}}"));
        all.put("metadata twice", start("{\"input\":\"a\",\"metadata\":{\"k\":\"1\",\"k\":\"2\"}}"));
        all.put("a key of a wire twice", chat("\"model\":\"clerk\""));
        all.put("garbage after it", start(GOOD + "x"));
        all.put("a comment", start("{/* a */\"input\":\"Hi\"}"));
        for (String field : List.of("thread", "resource")) {
            all.put("a zero character in " + field, start("{\"input\":\"Hi\",\"" + field + "\":\"a\\u0000\"}"));
            all.put("a line break in " + field, start("{\"input\":\"Hi\",\"" + field + "\":\"a\\nb\"}"));
        }
        for (String fields : List.of(
                "\"id\":\"a\\u0000\"",
                "\"id\":\"t\",\"title\":\"a\\u0000\"",
                "\"id\":\"t\",\"title\":\"\\u001b[2J\"")) {
            all.put(
                    "thread " + fields,
                    request("POST", "/api/v1/threads", "{\"resource\":\"ann\"," + fields + "}", JSON));
        }
        all.put(
                "a schema with words of its own",
                start("{\"input\":\"a\",\"options\":{\"structuredOutput\":{\"x-a\\nWARN b\":1}},\"metadata\":[]}"));
        all.put("a body that ends early", start("{\"input\":"));
        all.put("an unknown number", start("{\"input\":\"a\",\"options\":{\"maxSteps\":NaN}}"));
        for (String number : List.of("1e400", "-1", "1.5", "\"1\"", "0", "99999999999", "true", "[]")) {
            all.put("maxSteps " + number, start("{\"input\":\"a\",\"options\":{\"maxSteps\":" + number + "}}"));
            all.put(
                    "tokens " + number,
                    start("{\"input\":\"a\",\"options\":{\"budget\":{\"tokens\":"
                            + number.replace("99999999999", "1e99") + "}}}"));
            all.put("n " + number, chat("\"n\":" + number));
            all.put("max_completion_tokens " + number, chat("\"max_completion_tokens\":" + number));
            all.put("max_output_tokens " + number, response("\"max_output_tokens\":" + number));
        }
        for (String number : List.of("1e400", "-1", "1.5", "x", "%2B5", "0x10", "%D9%A1", "5%20")) {
            all.put("limit " + number, get("/api/v1/runs?limit=" + number));
            all.put("depth " + number, get("/api/v1/runs/none/events?depth=" + number));
            all.put("window " + number, get("/api/v1/metrics/summary?window=" + number));
        }
        for (String id : List.of(
                "a%2Fb",
                "%00",
                "%0d%0a",
                "%7f",
                "%ED%A0%80",
                "%C0%AF",
                "%F4%90%80%80",
                "%EF%BF%BE",
                "r".repeat(7_000),
                "..%2f..",
                "%2e%2e",
                "%25",
                "*",
                "run_")) {
            String shown = id.substring(0, Math.min(20, id.length()));
            all.put("run " + shown, get("/api/v1/runs/" + id));
            all.put("events " + shown, get("/api/v1/runs/" + id + "/events"));
            all.put("approval " + shown, get("/api/v1/approvals/" + id));
            all.put("thread " + shown, get("/api/v1/threads/" + id + "?resource=ann"));
            all.put("response " + shown, get("/v1/responses/" + id));
            all.put("model " + shown, get("/v1/models/" + id));
            all.put("agent of Mastra " + shown, get("/api/agents/" + id));
            all.put("wake " + shown, request("POST", "/api/v1/runs/none/steps/" + id + "/wake", "{}", JSON));
            all.put("start " + shown, request("POST", "/api/v1/agents/" + id + "/runs", GOOD, JSON));
            all.put("chat " + shown, request("POST", "/ai-sdk/" + id, "{\"id\":\"c\",\"messages\":[]}", JSON));
        }
        for (String method : List.of("PUT", "PATCH", "DELETE", "GET", "OPTIONS", "HEAD")) {
            if (!method.equals("HEAD")) {
                all.put("start with " + method, request(method, START, "", JSON));
                all.put("chat with " + method, request(method, "/v1/responses", "", JSON));
                all.put("stream with " + method, request(method, "/api/agents/writer/stream", ""));
            }
        }
        for (String host :
                List.of("127.0.0.1@evil.example", "127.0.0.1.evil.example", "evil.example#127.0.0.1", "[::1", "")) {
            all.put("host " + host, get("/api/v1/runs").replace("Host: 127.0.0.1", "Host: " + host));
        }
        for (String origin : List.of("null", "http://evil.example", "http://127.0.0.1.evil.example", "garbage")) {
            all.put("origin " + origin, start(GOOD, "Origin: " + origin));
        }
        all.put("two origins", start(GOOD, "Origin: http://127.0.0.1", "Origin: http://evil.example"));
        all.put("a body with GET", request("GET", "/api/v1/runs", "{\"a\":1}", JSON));
        return all;
    }

    @ParameterizedTest
    @EnumSource
    void aWrongValueIsAProblem(HttpBinding binding) throws Exception {
        Store store = InMemoryStore.keepingEndedRuns();
        ChargehandServer server = serve(runtime(store), builder -> builder.binding(binding)
                .limit(ServerLimit.REQUEST_BURST, 10_000)
                .limit(ServerLimit.START_BURST, 10_000));
        SoftAssertions softly = new SoftAssertions();
        try (LogLines log = new LogLines()) {
            for (Map.Entry<String, String> request : wrong().entrySet()) {
                String name = request.getKey();
                String read;
                try (RawClient client = new RawClient(server)) {
                    read = client.send(request.getValue() + NEXT).end().readAll();
                }
                softly.assertThat(read).as(name).startsWith("HTTP/1.1 4");
                softly.assertThat(read)
                        .as(name)
                        .doesNotContain(
                                "Exception", "dev.chargehand", "helidon", "\tat ", "Feature", "ObjectNode", "REDACTED");
                softly.assertThat(store.list(RunFilter.ALL)).as(name).isEmpty();
                softly.assertThat(log.all()).as("log of " + name).isEmpty();
            }
        }
        softly.assertAll();
    }

    @ParameterizedTest
    @EnumSource
    void whatIsUnusualAndRightIsServed(HttpBinding binding) throws Exception {
        script.on("writer").says("Done.").forever();
        ChargehandServer server = serve(binding);
        Map<String, String> right = new LinkedHashMap<>();
        right.put("a type twice", typed(JSON, JSON));
        right.put("a charset with blanks", typed("Content-Type: application/json ; charset = \"UTF-8\";"));
        right.put("a key twice", start(GOOD, "Idempotency-Key: a", "Idempotency-Key: a"));
        right.put("accepted codings that are none", start(GOOD, "Accept-Encoding: ;;q=x,*;q=9,"));
        right.put("an upgrade", start(GOOD, "Connection: Upgrade", "Upgrade: h2c", "HTTP2-Settings: AAMAAABk"));
        right.put("cookies that are none", start(GOOD, "Cookie: ;;=;a", "Cookie: b"));
        right.put("a range", start(GOOD, "Range: bytes=9-1", "If-None-Match: *"));
        right.put("another method in a header", start(GOOD, "X-HTTP-Method-Override: DELETE"));
        right.put("a long list of media types", start(GOOD, "Accept: " + "a/b;q=0.1,".repeat(1_000) + "*/*"));
        right.put("media types that are no text", start(GOOD, "Accept: \u00e4\u00ff;\"", "Prefer: wait=;=,\""));
        right.put("half a surrogate", start("{\"input\":\"\\ud800\"}"));
        try (LogLines log = new LogLines()) {
            for (Map.Entry<String, String> request : right.entrySet()) {
                try (RawClient client = new RawClient(server)) {
                    assertThat(client.send(request.getValue() + NEXT).end().readAll())
                            .as(request.getKey())
                            .startsWith("HTTP/1.1 202 ")
                            .contains("HTTP/1.1 200 ");
                }
            }
            assertThat(log.all()).isEmpty();
        }
    }
}
