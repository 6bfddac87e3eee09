package dev.chargehand.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.cli.shell.Shell;
import dev.chargehand.cli.shell.Signals;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The agents of a file are served, to callers with a key where keys are required. */
class ServeCommandTest extends StoredRunsFixture {

    private static final Pattern ADDRESS = Pattern.compile("http://[0-9.]+:[0-9]+");

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Signals signals = Signals.none();

    private CompletableFuture<Integer> serve(String... arguments) {
        Shell shell = new Shell(
                InputStream.nullInputStream(),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                name -> null,
                folder,
                signals,
                null,
                "tester");
        return CompletableFuture.supplyAsync(
                () -> Main.commandLine(shell).execute(arguments),
                task -> Thread.ofPlatform().daemon().start(task));
    }

    private URI address(CompletableFuture<Integer> serving) throws InterruptedException {
        while (!serving.isDone()) {
            String printed = out.toString();
            Matcher address = ADDRESS.matcher(printed);
            if (printed.contains("Ctrl-C") && address.find()) {
                return URI.create(address.group());
            }
            Thread.sleep(20); // the command says where it listens only in what it prints
        }
        throw new AssertionError("The server has ended: " + err);
    }

    private static HttpResponse<String> post(URI address, String path, String body, String... headers)
            throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(address.resolve(path))
                            .headers("Content-Type", "application/json")
                            .headers(headers)
                            .POST(HttpRequest.BodyPublishers.ofString(body))
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
        }
    }

    @Test
    void theAgentsOfTheFileAreServedAndTheirRunsAreInTheStore() throws Exception {
        CompletableFuture<Integer> serving = serve("serve", "--port", "0");
        URI address = address(serving);
        HttpResponse<String> done =
                post(address, "/api/v1/agents/plain/runs", "{\"input\":\"Hello\"}", "Prefer", "wait=60");
        assertThat(done.statusCode()).isEqualTo(200);
        HttpResponse<String> waits =
                post(address, "/api/v1/agents/boss/runs", "{\"input\":\"" + QUESTION + "\"}", "Prefer", "wait=60");
        assertThat(waits.body()).contains("\"status\":\"suspended\"");
        signals.end();
        assertThat(serving.get()).isZero();
        assertThat(err.toString()).contains("stopping");

        String run = newest().runId().value();
        assertThat(waits.body()).contains(run);
        assertThat(run("approve", run).exitCode())
                .as("the command answers what the server has started")
                .isZero();
        assertThat(run("runs").out()).contains("plain", run);
    }

    @Test
    void theWorkflowsOfTheFileAreServedToo() throws Exception {
        file("chargehand.yaml", """
                model: offline
                agents:
                  plain: { instructions: Say. }
                workflows:
                  greet:
                    input: { type: object, required: [name], properties: { name: { type: string } } }
                    steps:
                      - id: greeting
                        map: { text: "{/input/name}" }
                """);
        CompletableFuture<Integer> serving = serve("serve", "--port", "0");
        HttpResponse<String> result = post(
                address(serving),
                "/api/v1/workflows/greet/runs",
                "{\"input\":{\"name\":\"Ann\"}}",
                "Prefer",
                "wait=60");
        assertThat(result.body()).contains("completed", "Ann");
        signals.end();
        assertThat(serving.get()).isZero();
        assertThat(newest().agentId()).isEqualTo("greet");
    }

    @Test
    void theServerIsAsTheFileSaysAndOptionsComeFirst() throws Exception {
        file("chargehand.yaml", """
                model: offline
                agents:
                  plain: { instructions: Say. }
                server:
                  port: 1
                  binding: jdk
                  wires: [ openai ]
                  limits: { bodyBytes: 60 }
                """);
        CompletableFuture<Integer> serving = serve("serve", "--port", "0");
        URI address = address(serving);
        assertThat(post(address, "/api/v1/agents/plain/runs", "{\"input\":\"Hello\"}", "Prefer", "wait=0")
                        .statusCode())
                .isEqualTo(202);
        assertThat(post(
                                address,
                                "/api/v1/agents/plain/runs",
                                "{\"input\":\"" + "Hello ".repeat(12) + "\"}",
                                "Prefer",
                                "wait=0")
                        .statusCode())
                .isEqualTo(413);
        assertThat(post(address, "/v1/chat/completions", "{}", "Prefer", "wait=0")
                        .statusCode())
                .isEqualTo(400);
        assertThat(post(address, "/api/agents/plain/generate", "{}", "Prefer", "wait=0")
                        .statusCode())
                .isEqualTo(404);
        signals.end();
        assertThat(serving.get()).isZero();
    }

    @Test
    void theKeysOfTheFileAreNextToItAndThoseOfAnOptionReplaceThem() throws Exception {
        assertThat(run("keys", "add", "ann", "--keys", "of-file.json").exitCode())
                .isZero();
        assertThat(run("keys", "add", "bob", "--keys", "of-option.json").exitCode())
                .isZero();
        file("chargehand.yaml", """
                model: offline
                agents:
                  plain: { instructions: Say. }
                server: { port: 0, keys: "${KEYS:-of-file.json}" }
                """);
        CompletableFuture<Integer> serving = serve("serve");
        assertThat(post(address(serving), "/api/v1/agents/plain/runs", "{\"input\":\"Hello\"}", "Prefer", "wait=0")
                        .statusCode())
                .isEqualTo(401);
        assertThat(out.toString()).contains("Authorization: Bearer $KEY");
        signals.end();
        assertThat(serving.get()).isZero();
        file("chargehand.yaml", """
                model: offline
                agents:
                  plain: { instructions: Say. }
                server: { keys: missing.json, oidc: { issuer: "not an address", audience: a } }
                """);
        Ran one = run("serve", "--check", "--keys", "of-option.json");
        assertThat(one.exitCode()).isZero();
        assertThat(one.err()).contains("The configuration is valid: 1 agent, and");
        Ran wrong = run("serve", "--check");
        assertThat(wrong.exitCode()).isNotZero();
        assertThat(wrong.err()).contains("'issuer' must be an address", "not an address");
    }

    @Test
    void theLimitsOfTheFileHoldForRunsOfWorkflows() throws Exception {
        file("chargehand.yaml", """
                model: offline
                limits: { modelCalls: 1 }
                agents:
                  plain: { instructions: Say. }
                workflows:
                  twice:
                    input: { type: object, required: [name], properties: { name: { type: string } } }
                    steps:
                      - id: first
                        agent: plain
                        prompt: "Greet {/input/name}."
                      - id: second
                        agent: plain
                        prompt: "Greet {/input/name} again."
                """);
        CompletableFuture<Integer> serving = serve("serve", "--port", "0");
        HttpResponse<String> result = post(
                address(serving),
                "/api/v1/workflows/twice/runs",
                "{\"input\":{\"name\":\"Ann\"}}",
                "Prefer",
                "wait=60");
        assertThat(result.body()).contains("\"failed\"", "step-failed");
        signals.end();
        assertThat(serving.get()).isZero();
    }

    @Test
    void callersNeedAKeyWhereKeysAreRequired() throws Exception {
        Ran added = run("keys", "add", "shop", "--scopes", "runs:write,runs:read", "--resource", "ann");
        assertThat(added.exitCode()).isZero();
        String key = added.out().strip();
        assertThat(key).startsWith("chk_");
        assertThat(folder.resolve("keys.json")).content().contains("\"shop\"").doesNotContain(key);
        assertThat(run("keys", "list").out())
                .contains("shop", "ann", "runs:write")
                .doesNotContain(key);
        refused(run("keys", "add", "shop"), "has a key 'shop' already");
        refused(run("keys", "add", "other", "--scopes", "everything"), "'everything' is not a scope");

        CompletableFuture<Integer> serving = serve("serve", "--port", "0", "--keys", "keys.json");
        URI address = address(serving);
        String body = "{\"input\":\"Hello\"}";
        assertThat(post(address, "/api/v1/agents/plain/runs", body, "Prefer", "wait=60")
                        .statusCode())
                .isEqualTo(401);
        assertThat(post(
                                address,
                                "/api/v1/agents/plain/runs",
                                body,
                                "Prefer",
                                "wait=60",
                                "Authorization",
                                "Bearer " + key)
                        .statusCode())
                .isEqualTo(200);
        signals.end();
        assertThat(serving.get()).isZero();

        assertThat(run("keys", "revoke", "shop").exitCode()).isZero();
        refused(run("keys", "revoke", "shop"), "has no key 'shop'");
    }

    @Test
    void peopleSignInWithTokensOfTheirProvider() throws Exception {
        try (TokenProvider provider = new TokenProvider()) {
            String[] options = {
                "--oidc",
                provider.issuer(),
                "--audience",
                "agents",
                "--tenant-claim",
                "org",
                "--resource-claim",
                "email",
                "--scopes-claim",
                "permissions"
            };
            assertThat(run(with(options, "serve", "--check")).err()).contains("The configuration is valid");
            CompletableFuture<Integer> serving = serve(with(options, "serve", "--port", "0"));
            URI address = address(serving);

            assertThat(start(address, "no-token").statusCode()).isEqualTo(401);
            assertThat(start(address, provider.token("acme", "ann@example.com", "runs:read"))
                            .statusCode())
                    .isEqualTo(403);
            assertThat(start(address, provider.token("acme", "ann@example.com", "runs:read runs:write"))
                            .statusCode())
                    .isEqualTo(200);
            signals.end();
            assertThat(serving.get()).isZero();
            try (Store store = JdbcStore.sqlite(folder.resolve(STORE))) {
                assertThat(store.forTenant("acme").list(RunFilter.ROOTS))
                        .singleElement()
                        .extracting(RunRecord::resourceId)
                        .isEqualTo(Optional.of("ann@example.com"));
            }
        }
    }

    private static String[] with(String[] options, String... command) {
        return Stream.of(command, options).flatMap(Stream::of).toArray(String[]::new);
    }

    private static HttpResponse<String> start(URI address, String token) throws Exception {
        return post(
                address,
                "/api/v1/agents/plain/runs",
                "{\"input\":\"Hello\"}",
                "Prefer",
                "wait=60",
                "Authorization",
                "Bearer " + token);
    }

    @Test
    void theConfigurationIsCheckedBeforeTheServerStarts() {
        assertThat(run("serve", "--check").err()).contains("The configuration is valid: 5 agents");
        refused(run("serve", "--host", "0.0.0.0", "--port", "0"), "--keys or --oidc");
        refused(run("serve", "--port", "99999"), "from 0 to 65535");
        refused(
                run("serve", "--port", "http"),
                "'http' is not a whole number up to 2147483647. 'chargehand serve --help'");
        refused(run("serve", "--check", "--keys", "chargehand.yaml"), "damaged");
        refused(run("serve", "--check", "--port", "70000"), "from 0 to 65535");
        refused(run("serve", "--check", "--oidc", "http://localhost:1", "--audience", "a"), "cannot be used");
        refused(run("serve", "--check", "--oidc", "https://login.example.com"), "--audience");
        refused(run("serve", "--check", "--audience", "agents"), "--oidc");
    }
}
