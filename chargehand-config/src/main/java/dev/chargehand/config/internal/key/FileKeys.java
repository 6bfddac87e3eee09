package dev.chargehand.config.internal.key;

import dev.chargehand.document.Setting;
import java.util.List;

/** The keys at the top of the file. */
public final class FileKeys {

    /** What the value of a key that names models may be. */
    static final String A_MODEL =
            "A model, named provider/name such as openai/gpt-5-mini, or offline for a stand-in; ${NAME} and ${NAME:-default} are replaced by environment variables. A list is tried in order: each model is a fallback of the previous one.";

    public static final Key<List<Setting>> MODEL = Key.of(
            "model",
            Shape.ONE_OR_MORE.with(
                    "examples",
                    List.of(
                            "${MODEL:-offline}",
                            "openai/gpt-5-mini",
                            List.of("openai/gpt-5.1", "mistral/mistral-medium-latest"))),
            "The model of all agents without their own model. " + A_MODEL);

    public static final Key<Setting> DEFAULT = Key.of(
            "default", Shape.TEXT, "The agent that runs unless another one is named; not needed if there is only one.");

    public static final Key<Setting> DOCS = Key.of(
                    "docs",
                    Shape.TEXT,
                    "The folder that search-files searches, relative to this file. ${NAME} is replaced by an environment variable.")
            .orElse("docs");

    public static final Key<Setting> STORE = Key.of(
            "store",
            Shape.TEXT,
            "The store of runs and conversations: a SQLite file, or the URL of a PostgreSQL database; none by default.");

    public static final Key<Void> AGENTS = Key.of(
            "agents", Shape.sections("agent", "^[A-Za-z0-9_-]{1,58}$").with("minProperties", 1), "The agents by id.");

    public static final Key<Void> WORKFLOWS = Key.of(
            "workflows",
            Shape.sections("workflow", "^[A-Za-z0-9_-]{1,55}$"),
            "The workflows by id; no agent has the id of one.");

    public static final Key<Void> TOOLS = Key.of(
            "tools",
            Shape.unread(Shape.schema(
                    "type",
                    "object",
                    "propertyNames",
                    Shape.schema("pattern", "^(?!agent-)[A-Za-z0-9_-]{1,64}$"),
                    "additionalProperties",
                    Shape.schema(
                            "if",
                            Shape.schema(
                                    "anyOf",
                                    List.of(
                                            Shape.schema("required", List.of("openapi")),
                                            Shape.schema("required", List.of("operations")),
                                            Shape.schema("required", List.of("server")))),
                            "then",
                            Shape.reference("openapi"),
                            "else",
                            Shape.reference("command")))),
            "Tools by name: programs, and operations of HTTP APIs.");

    public static final Key<Void> LIMITS = Key.ofSection("limits");

    public static final Key<Void> TIME_LIMITS = Key.ofSection("timeLimits");

    public static final Key<Void> BUDGET = Key.ofSection("budget");

    public static final Key<Void> PRICES = Key.of(
            "prices",
            Shape.unread(Shape.schema("type", "object", "additionalProperties", Shape.reference("price"))),
            "The prices of models, by their names; in any one currency.");

    public static final Key<Void> APPROVALS = Key.ofSection("approvals");

    public static final Key<Void> PROVIDERS = Key.of(
            "providers",
            Shape.sections("provider", "^[a-z0-9][a-z0-9_.-]*$"),
            "Additional model providers by name; they use the protocol of OpenAI.");

    public static final Key<Void> SERVER = Key.ofSection("server");

    public static final KeySection SECTION = KeySection.of(
                    "file",
                    "A crew of agents.",
                    MODEL,
                    DEFAULT,
                    DOCS,
                    STORE,
                    AGENTS,
                    WORKFLOWS,
                    TOOLS,
                    LIMITS,
                    TIME_LIMITS,
                    BUDGET,
                    PRICES,
                    APPROVALS,
                    PROVIDERS,
                    SERVER)
            .requiring(AGENTS);

    private FileKeys() {}
}
