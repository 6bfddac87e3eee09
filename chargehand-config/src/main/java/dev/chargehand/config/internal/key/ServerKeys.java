package dev.chargehand.config.internal.key;

import dev.chargehand.document.Setting;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The keys of {@code server}; a test of the command compares them with what its server offers. */
public final class ServerKeys {

    /** The names of the protocols of existing clients. */
    public static final List<String> WIRES = List.of("openai", "ai-sdk", "ag-ui", "mastra");

    private static final Shape<List<Setting>> SOME_WIRES = new Shape<>(
            Shape.schema("type", "array", "items", Shape.schema("enum", WIRES), "uniqueItems", true),
            (section, key) -> section.texts(key));

    public static final Key<Setting> HOST = Key.of(
                    "host",
                    Shape.TEXT,
                    "The address on which it listens. Another one than that of the machine itself needs a sign-in.")
            .orElse("127.0.0.1");

    public static final Key<Integer> PORT = Key.of("port", Shape.range(0, 65_535), "The port; 0 for any that is free.")
            .orElse(4111);

    public static final Key<List<Setting>> NAMES = Key.of(
            "names",
            Shape.TEXTS,
            "Further names under which callers reach it, without a port. Requests that name another host are rejected.");

    public static final Key<String> BINDING = Key.of(
                    "binding",
                    Shape.choice(Map.entry("helidon", "helidon"), Map.entry("jdk", "jdk")),
                    "The server of HTTP below.")
            .orElse("helidon");

    public static final Key<Setting> KEYS = Key.of(
            "keys",
            Shape.TEXT,
            "The file with the keys with which callers sign in, relative to this file; 'chargehand keys add' makes them.");

    public static final Key<Void> OIDC = Key.ofSection("oidc");

    public static final Key<List<Setting>> CONTEXT_KEYS = Key.of(
            "contextKeys", Shape.TEXTS, "The values of the request context that callers may set; none by default.");

    public static final Key<List<Setting>> SELECTABLE_VERSIONS = Key.of(
            "selectableVersions",
            Shape.TEXTS,
            "The agents by id of which callers may select any version; none by default.");

    public static final Key<List<Setting>> SELECTABLE_MODELS = Key.of(
            "selectableModels",
            Shape.TEXTS,
            "The models in which callers may continue a run by a fork, such as openai/gpt-5-mini; none by default.");

    public static final Key<List<Setting>> OFFERED = Key.of(
            "wires",
            SOME_WIRES,
            "The protocols of existing clients that it offers besides its own API; all by default.");

    public static final Key<List<Setting>> RESUMABLE = Key.of(
            "resumable",
            SOME_WIRES,
            "The protocols on which a run continues if its client goes, and its stream can be opened again; none by default.");

    public static final Key<String> ANSWERS = Key.of(
                    "answers",
                    Shape.choice(Map.entry("auto", "auto"), Map.entry("final", "final"), Map.entry("live", "live")),
                    "When clients that cannot take a text back receive that of an answer: when it is final, while it is written (live), or"
                            + " live where no hook or scorer can reject it (auto).")
            .orElse("auto");

    public static final Key<Void> LIMITS = Key.of("limits", Shape.section("serverLimits"), "Its limits.");

    public static final Key<Void> TIME_LIMITS =
            Key.of("timeLimits", Shape.section("serverTimeLimits"), "Its time limits.");

    public static final KeySection SECTION = KeySection.of(
            "server",
            "How 'chargehand serve' makes the agents reachable over HTTP; options of the command come first.",
            HOST,
            PORT,
            NAMES,
            BINDING,
            KEYS,
            OIDC,
            CONTEXT_KEYS,
            SELECTABLE_VERSIONS,
            SELECTABLE_MODELS,
            OFFERED,
            RESUMABLE,
            ANSWERS,
            LIMITS,
            TIME_LIMITS);

    /** The keys of {@code oidc}. */
    public static final class Oidc {

        public static final Key<Setting> ISSUER = Key.of("issuer", Shape.TEXT, "The address of the provider.");

        public static final Key<Setting> AUDIENCE =
                Key.of("audience", Shape.TEXT, "What the tokens for this server have as 'aud'.");

        public static final Key<Setting> TENANT_CLAIM = Key.of(
                "tenantClaim", Shape.TEXT, "The claim with the tenant; by default all belong to the tenant 'local'.");

        public static final Key<Setting> RESOURCE_CLAIM = Key.of(
                        "resourceClaim", Shape.TEXT, "The claim with the resource, such as the user.")
                .orElse("sub");

        public static final Key<Setting> SCOPES_CLAIM =
                Key.of("scopesClaim", Shape.TEXT, "The claim with the scopes.").orElse("scope");

        public static final KeySection SECTION = KeySection.of(
                        "oidc",
                        "The OpenID provider whose tokens it accepts.",
                        ISSUER,
                        AUDIENCE,
                        TENANT_CLAIM,
                        RESOURCE_CLAIM,
                        SCOPES_CLAIM)
                .requiring(ISSUER, AUDIENCE);

        private Oidc() {}
    }

    /** The keys of the server's {@code limits}. */
    public static final class Limits {

        public static final List<Key<Long>> ALL = List.of(
                limit("bodyBytes", 4L * 1024 * 1024, "Bytes of the body of a request."),
                limit("jsonDepth", 64, "Levels of the JSON of a body."),
                limit("jsonValues", 100_000, "Values of the JSON of a body, those in lists and objects included."),
                limit("pathLength", 8_192, "Characters of the path and query of a request."),
                limit("runs", 1_000, "Runs that it has started and that are executed at once; further ones wait."),
                limit("runsOfTenant", 200, "Those of one tenant."),
                limit("runsOfCaller", 100, "Those that one caller has started."),
                limit("pendingRunsOfTenant", 1_000, "Runs of a tenant that wait when another one is to be stored."),
                limit("pendingRunsOfResource", 200, "Those of the resource of the caller."),
                limit("requestsPerSecond", 50, "Requests of a caller in a second, in the long run."),
                limit("requestBurst", 200, "Requests at once of a caller that has not sent any for a while."),
                limit("startsPerSecond", 10, "Runs that a caller starts in a second, in the long run."),
                limit("startBurst", 50, "Runs at once of a caller that has not started any for a while."),
                limit("streams", 5_000, "Streams of events that are open at once."),
                limit("streamsOfTenant", 1_000, "Those of one tenant."),
                limit("streamsOfCaller", 500, "Those of one caller."),
                limit("streamsOfRun", 50, "Those of one run."));

        public static final KeySection SECTION =
                new KeySection("serverLimits", "Limits of the server.", List.copyOf(ALL), Map.of());

        private static Key<Long> limit(String name, long byDefault, String description) {
            return Key.of(name, Shape.fromLong(1), description).orElse(byDefault);
        }

        private Limits() {}
    }

    /** The keys of the server's {@code timeLimits}. */
    public static final class TimeLimits {

        public static final List<Key<Duration>> ALL = List.of(
                limit("read", "15s", "The arrival of the head of a request, and of its body after it."),
                limit("write", "15s", "One write to a reader."),
                limit("heartbeat", "10s", "The time without an event after which a stream sends a comment."),
                limit(
                        "stream",
                        "60m",
                        "The time for which a stream stays open; its reader then continues with its cursor."),
                limit("drain", "20s", "Requests that are in progress when the server is stopped."));

        public static final KeySection SECTION =
                new KeySection("serverTimeLimits", "Time limits of the server.", List.copyOf(ALL), Map.of());

        private static Key<Duration> limit(String name, String byDefault, String description) {
            return Key.of(name, Shape.TIME, description).orElse(byDefault);
        }

        private TimeLimits() {}
    }

    private ServerKeys() {}
}
