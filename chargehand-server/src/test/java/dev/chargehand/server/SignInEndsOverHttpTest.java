package dev.chargehand.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.run.RunId;
import dev.chargehand.server.IdentityProvider.Algorithm;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.LongFunction;
import java.util.stream.Stream;
import org.jose4j.jwk.PublicJsonWebKey;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A stream ends with the sign-in with which it was opened, and its run does not. */
@Timeout(120)
class SignInEndsOverHttpTest extends ServerFixture {

    private static final String LAST = "event: sign-in-ended";
    private static final int SKEW = 60; // how long after its end a token is accepted

    @TempDir
    private Path folder;

    private final IdentityProvider provider = new IdentityProvider();
    private final PublicJsonWebKey signing = provider.published(Algorithm.ES256, "first");
    private final CountDownLatch end = new CountDownLatch(1);
    private final AgentRuntime runtime = runtime(InMemoryStore.keepingEndedRuns());

    @AfterEach
    void stop() {
        end.countDown();
        provider.close();
    }

    private static Principal ann() {
        return new Principal("ann", Store.LOCAL, Optional.of("ann"), EnumSet.allOf(Scope.class));
    }

    private ApiKeys keys() {
        return ApiKeys.of(folder.resolve("keys.json"));
    }

    private ChargehandServer serve(HttpBinding binding, PrincipalResolver... resolvers) {
        return serve(runtime, builder -> {
            Stream.of(resolvers).forEach(builder::addPrincipals);
            return builder.binding(binding).timeLimit(ServerTimeLimit.HEARTBEAT, Duration.ofMillis(100));
        });
    }

    private String token(long seconds) {
        JwtClaims claims = provider.claims("ann");
        claims.setExpirationTime(NumericDate.fromSeconds(Instant.now().getEpochSecond() - SKEW + seconds));
        claims.setStringClaim("scope", "runs:read runs:write threads:read threads:write approvals:read");
        return IdentityProvider.signed(signing, claims, none -> {});
    }

    private static HttpRequest.Builder signed(HttpRequest.Builder request, String token) {
        return request.header("Authorization", "Bearer " + token);
    }

    /** Start a run that ends when it may, in a thread. */
    private String start(ChargehandServer server, String token) {
        script.on("writer").waitsFor(end).and().says("After.");
        HttpResponse<String> answer = send(signed(request(server, "/api/v1/agents/writer/runs"), token)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"input\":\"Write.\",\"thread\":\"t\",\"resource\":\"ann\"}"))
                .build());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
        return at(answer, "/runId");
    }

    /** Open a stream with the first token that is still accepted, of those that live longer and longer. */
    private HttpResponse<InputStream> open(HttpRequest.Builder request, LongFunction<String> tokens) throws Exception {
        HttpResponse<InputStream> answer;
        long seconds = 1;
        do {
            seconds *= 2;
            HttpRequest signed = request.copy()
                    .header("Authorization", "Bearer " + tokens.apply(seconds))
                    .build();
            answer = client.send(signed, HttpResponse.BodyHandlers.ofInputStream());
        } while (answer.statusCode() == 401);
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer;
    }

    private static List<String> lines(HttpResponse<InputStream> answer) throws IOException {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8))) {
            return lines.lines().toList();
        }
    }

    private static List<String> events(List<String> lines) {
        return lines.stream().filter(line -> line.startsWith("event: ")).toList();
    }

    private int status(ChargehandServer server, String path, String token) {
        return send(signed(request(server, path), token).build()).statusCode();
    }

    /** The run continues without its reader, who comes back with another sign-in and reads the rest. */
    private void readsTheRest(ChargehandServer server, String run, List<String> before, String token) throws Exception {
        String cursor = RunsOverHttpTest.ids(String.join("\n", before)).getLast();
        end.countDown();
        assertThat(runtime.handle(new RunId(run)).result().text()).isEqualTo("After.");
        HttpRequest again = signed(request(server, "/api/v1/runs/" + run + "/events"), token)
                .header("Last-Event-ID", cursor)
                .build();
        List<String> rest = lines(client.send(again, HttpResponse.BodyHandlers.ofInputStream()));
        assertThat(events(rest)).contains("event: run-finish").doesNotContain("event: run-start", LAST);
    }

    @ParameterizedTest
    @EnumSource
    void ofATokenOfAProviderThatExpires(HttpBinding binding) throws Exception {
        ChargehandServer server = serve(binding, OidcTokens.of(provider.issuer(), IdentityProvider.AUDIENCE));
        String later = token(600);
        String run = start(server, later);
        String[] last = {""};
        String path = "/api/v1/runs/" + run + "/events";

        List<String> read = lines(open(request(server, path), seconds -> last[0] = token(seconds)));

        assertThat(events(read)).startsWith("event: run-start").endsWith(LAST);
        assertThat(read).endsWith("data: {\"type\":\"sign-in-ended\"}", "");
        assertThat(status(server, path, last[0])).isEqualTo(401);
        readsTheRest(server, run, read, later);
    }

    static Stream<Arguments> streams() {
        return Stream.of(HttpBinding.values())
                .flatMap(binding -> Stream.of("/api/v1/threads/t/events", "/api/v1/approvals/events")
                        .map(path -> Arguments.of(binding, path)));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void ofATokenOfAStreamThatHasNoEndOfItsOwn(HttpBinding binding, String path) throws Exception {
        ChargehandServer server = serve(binding, OidcTokens.of(provider.issuer(), IdentityProvider.AUDIENCE));
        var unused = start(server, token(600));
        assertThat(events(lines(open(request(server, path), this::token)))).endsWith(LAST);
    }

    /** The caller of a resolver of the application is accepted until its end, and so are its streams. */
    @ParameterizedTest
    @EnumSource
    void ofAWireWhoseRunContinues(HttpBinding binding) throws Exception {
        ChargehandServer server =
                serve(binding, token -> Optional.of(ann().until(Instant.now().plusSeconds(1))));
        script.on("writer").waitsFor(end).and().says("After.");
        HttpRequest.Builder request = request(server, "/v1/chat/completions")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"model\":\"writer\",\"stream\":true,"
                        + "\"messages\":[{\"role\":\"user\",\"content\":\"Write.\"}]}"));

        HttpResponse<InputStream> answer = open(request, seconds -> "any");

        assertThat(String.join("\n", lines(answer))).contains("run-released").doesNotContain("After.");
        RunId run = new RunId(answer.headers().firstValue("X-Run-Id").orElseThrow());
        end.countDown();
        assertThat(runtime.handle(run).result().text()).isEqualTo("After.");
    }

    /** A whole answer is the end of a request that was signed in. */
    @ParameterizedTest
    @EnumSource
    void butNoRequestThatWaitsForItsAnswer(HttpBinding binding) throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        ChargehandServer server = serve(binding, token -> {
            asked.countDown();
            return Optional.of(ann().until(Instant.now().plusSeconds(1)));
        });
        script.on("writer").waitsFor(end).and().says("After.");
        Thread.ofVirtual().start(new FutureTask<>(() -> {
            asked.await();
            Thread.sleep(Duration.ofSeconds(3)); // the sign-in has ended long ago
            end.countDown();
            return "";
        }));
        HttpResponse<String> answer = send(signed(request(server, "/v1/chat/completions"), "any")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(
                        "{\"model\":\"writer\",\"messages\":[{\"role\":\"user\",\"content\":\"Write.\"}]}"))
                .build());
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        assertThat(answer.body()).contains("After.");
    }

    @ParameterizedTest
    @EnumSource
    void ofAKeyThatExpires(HttpBinding binding) throws Exception {
        ApiKeys keys = keys();
        String later = keys.add(new ApiKey("later", ann(), Optional.empty()));
        ChargehandServer server = serve(binding, keys);
        String run = start(server, later);

        List<String> read = lines(open(
                request(server, "/api/v1/runs/" + run + "/events"),
                seconds -> keys.add(new ApiKey(
                        "key " + seconds, ann(), Optional.of(Instant.now().plusSeconds(seconds))))));

        assertThat(events(read)).endsWith(LAST);
        readsTheRest(server, run, read, later);
    }

    /** Another process revokes it, so the server has to look at the file. */
    @ParameterizedTest
    @EnumSource
    void ofAKeyThatIsRevoked(HttpBinding binding) throws Exception {
        String revoked = keys().add(new ApiKey("revoked", ann(), Optional.empty()));
        String other = keys().add(new ApiKey("other", ann(), Optional.empty()));
        ChargehandServer server = serve(binding, keys());
        String run = start(server, other);
        String path = "/api/v1/runs/" + run + "/events";
        HttpResponse<InputStream> stays = open(request(server, path), seconds -> other);
        HttpResponse<InputStream> ends = open(request(server, path), seconds -> revoked);

        assertThat(keys().revoke("revoked")).isTrue();
        List<String> read = lines(ends);

        assertThat(events(read)).endsWith(LAST);
        assertThat(status(server, path, revoked)).isEqualTo(401);
        readsTheRest(server, run, read, other);
        assertThat(events(lines(stays))).contains("event: run-finish").doesNotContain(LAST);
    }

    /** A resolver that fails leaves the streams open. */
    @ParameterizedTest
    @EnumSource
    void butNotOfATokenOfWhichNothingIsKnownAtTheMoment(HttpBinding binding) throws Exception {
        CountDownLatch failures = new CountDownLatch(2);
        ChargehandServer server = serve(binding, new PrincipalResolver() {
            @Override
            public Optional<Principal> resolve(String token) {
                return Optional.of(ann());
            }

            @Override
            public boolean isRevoked(String token) {
                failures.countDown();
                throw new IllegalStateException("There is no connection.");
            }
        });
        String run = start(server, "any");
        HttpResponse<InputStream> stream = open(request(server, "/api/v1/runs/" + run + "/events"), seconds -> "any");
        failures.await();
        end.countDown();
        assertThat(events(lines(stream))).endsWith("event: run-finish");
    }

    @ParameterizedTest
    @EnumSource
    void aCallerWhoseTimeHasEndedIsNotSignedIn(HttpBinding binding) {
        ChargehandServer server = serve(binding, token -> Optional.of(ann().until(Instant.now())));
        assertThat(status(server, "/api/v1/runs", "any")).isEqualTo(401);
    }
}
