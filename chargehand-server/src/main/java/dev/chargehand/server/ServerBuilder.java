package dev.chargehand.server;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunOptions;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.metric.RunTimes;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.run.TimeLimit;
import dev.chargehand.server.internal.api.Api;
import dev.chargehand.server.internal.api.ServerState;
import dev.chargehand.server.internal.auth.Origins;
import dev.chargehand.server.internal.auth.SignIn;
import dev.chargehand.server.internal.binding.HelidonBinding;
import dev.chargehand.server.internal.binding.JdkBinding;
import dev.chargehand.server.internal.binding.ListenOptions;
import dev.chargehand.server.internal.binding.Listener;
import dev.chargehand.server.internal.records.Records;
import dev.chargehand.server.internal.route.Dispatcher;
import dev.chargehand.server.internal.route.Page;
import dev.chargehand.server.internal.route.Route;
import dev.chargehand.server.internal.route.RouteTable;
import dev.chargehand.server.internal.wire.mastra.tool.DirectTools;
import dev.chargehand.tool.Tool;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A builder of a {@link ChargehandServer}. Not thread-safe; every method returns the builder and rejects invalid values. */
public final class ServerBuilder {

    private static final int PORT = 4111;

    private final AgentRuntime runtime;
    private String host = "127.0.0.1";
    private int port = PORT;
    private HttpBinding binding = HttpBinding.HELIDON;
    private final List<PrincipalResolver> resolvers = new ArrayList<>();
    private final Set<String> names = new LinkedHashSet<>();
    private final Set<String> contextKeys = new LinkedHashSet<>();
    private Set<String> selectableVersions = Set.of();
    private Set<String> selectableModels = Set.of();
    private @Nullable RunTimes times;
    private final List<Page> pages = new ArrayList<>();
    private Consumer<RunOptions.Builder> workflowOptions = options -> {};
    private final Map<ServerLimit, Long> limits = new EnumMap<>(ServerLimit.class);
    private final Map<ServerTimeLimit, Duration> timeLimits = new EnumMap<>(ServerTimeLimit.class);
    private DirectTools directTools = DirectTools.NONE;
    private Set<ServerWire> wires = EnumSet.allOf(ServerWire.class);
    private Set<ServerWire> resumable = EnumSet.noneOf(ServerWire.class);
    private ServerAnswers answers = ServerAnswers.AUTO;

    ServerBuilder(AgentRuntime runtime) {
        this.runtime = Objects.requireNonNull(runtime, "runtime");
    }

    /** Set the address on which the server listens. Default: 127.0.0.1. Another one than that of this machine itself needs a sign-in. */
    public ServerBuilder host(String value) {
        host = Objects.requireNonNull(value, "host");
        return this;
    }

    /** Set the port; 0 for any that is free. Default: 4111. */
    public ServerBuilder port(int value) {
        if (value < 0 || value > 65_535) {
            throw new ConfigurationException("The port of a server must be from 0 to 65535, but is " + value + ".");
        }
        port = value;
        return this;
    }

    /** Set the server of HTTP below. Default: Helidon. */
    public ServerBuilder binding(HttpBinding value) {
        binding = Objects.requireNonNull(value, "binding");
        return this;
    }

    /**
     * Add what finds the callers of bearer tokens, such as {@link ApiKeys}; the first that knows a token decides. Default: none. Then every
     * caller may do everything, and the server listens on this machine only.
     */
    public ServerBuilder addPrincipals(PrincipalResolver resolver) {
        resolvers.add(Objects.requireNonNull(resolver, "resolver"));
        return this;
    }

    /** Add a name under which callers reach the server, without a port. Requests that name another host are rejected. */
    public ServerBuilder addName(String name) {
        names.add(Objects.requireNonNull(name, "name"));
        return this;
    }

    /** Add a value of the request context that callers may set. Default: none. */
    public ServerBuilder addContextKey(String name) {
        contextKeys.add(Objects.requireNonNull(name, "name"));
        return this;
    }

    /**
     * Set the agents of which callers may select versions when they start runs of them, of agents above them and of workflows, by their
     * ids. Default: none. A caller may name any version of such an agent, also a saved one that is not published.
     */
    public ServerBuilder selectableVersions(String... agentIds) {
        selectableVersions = new LinkedHashSet<>(List.of(agentIds));
        return this;
    }

    /**
     * Set the models in which callers may continue a run by a fork, by their names, such as {@code openai/gpt-5-mini}. Default: none. The
     * model is called in place of those of the agent, and sub-agents keep theirs.
     *
     * @throws ConfigurationException if a name is not {@code provider/model}
     */
    public ServerBuilder selectableModels(String... names) {
        for (String name : names) {
            Object ignored = ModelChoice.of(name); // throws if it is no name of a model
        }
        selectableModels = new LinkedHashSet<>(List.of(names));
        return this;
    }

    /**
     * Set where the server reads how long runs take to their first text, and tools, for {@code GET /api/v1/metrics/summary}. Default:
     * nothing, and the summary is without these times.
     *
     * @param value a listener of the runtime
     */
    public ServerBuilder times(RunTimes value) {
        times = Objects.requireNonNull(value, "times");
        return this;
    }

    /**
     * Add a file of the application that the server sends at a path, such as the page that calls its routes, or its style sheet. Default:
     * none. Any caller may read it, without a sign-in. A page of the server may call its routes; a page of another server may not.
     *
     * @param path such as {@code /shop}; not one of the server's own
     * @param mediaType such as {@code text/html; charset=utf-8}
     * @param content copied
     * @throws ConfigurationException if the path or the media type is not one; {@link #start} fails if the path is taken
     */
    public ServerBuilder addPage(String path, String mediaType, byte[] content) {
        pages.add(new Page(path, mediaType, content));
        return this;
    }

    /** Set which protocols of existing clients the server offers in addition to its own API; none if no value is given. Default: all. */
    public ServerBuilder wires(ServerWire... values) {
        wires = setOf(values);
        return this;
    }

    /**
     * Set on which protocols a run continues if the client that started it goes before its end, and its stream can be opened again.
     * Default: none; such a run is cancelled.
     */
    public ServerBuilder resumable(ServerWire... values) {
        resumable = setOf(values);
        return this;
    }

    /** Set when the text of an answer is streamed to clients from which it cannot be taken back. Default: {@link ServerAnswers#AUTO}. */
    public ServerBuilder answers(ServerAnswers value) {
        answers = Objects.requireNonNull(value, "answers");
        return this;
    }

    private static Set<ServerWire> setOf(ServerWire... values) {
        Set<ServerWire> set = EnumSet.noneOf(ServerWire.class);
        set.addAll(List.of(values));
        return set;
    }

    /**
     * Set options of the runs of workflows that callers start, such as limits, a budget and prices: a workflow has none of its own.
     * Default: none. Each call adds to the earlier ones.
     *
     * @param options called for each start; thread-safe
     */
    public ServerBuilder workflowOptions(Consumer<RunOptions.Builder> options) {
        workflowOptions = workflowOptions.andThen(Objects.requireNonNull(options, "options"));
        return this;
    }

    /**
     * Set which tools callers may execute themselves, with {@code getTool(…).execute} of Mastra's client, or with {@code executeTool} of an
     * agent that has the tool; they need the scope {@link Scope#RUNS_WRITE}. Default: none. Each execution is a run of a workflow with one
     * step, {@code tool-} and the name of the tool, which has the options of {@link #workflowOptions} and the time limit of the tool.
     *
     * @throws ConfigurationException if a tool may need an approval, asks for data, or is executed by the client, or if two have the
     *     same name; {@link #start} fails if an agent or a workflow has such an id, or the wire is off
     */
    public ServerBuilder directTools(Tool... values) {
        directTools = DirectTools.of(List.of(values));
        return this;
    }

    /**
     * Set a limit.
     *
     * @throws ConfigurationException if the value is below 1
     */
    public ServerBuilder limit(ServerLimit limit, long value) {
        if (value < 1) {
            throw new ConfigurationException("Limit '" + limit.key() + "' of the server must be at least 1, but is "
                    + value + "; a limit cannot be switched off, raise it instead.");
        }
        limits.put(limit, value);
        return this;
    }

    /**
     * Set a limit of time.
     *
     * @throws ConfigurationException if the value is not above zero, or longer than {@link TimeLimit#LONGEST}
     */
    public ServerBuilder timeLimit(ServerTimeLimit limit, Duration value) {
        if (!value.isPositive() || value.compareTo(TimeLimit.LONGEST) > 0) {
            throw new ConfigurationException("Time limit '" + limit.key()
                    + "' of the server must be above zero and at most " + TimeLimit.LONGEST.toDays()
                    + " days, but is " + value + "; a limit cannot be switched off, raise it instead.");
        }
        timeLimits.put(limit, value);
        return this;
    }

    /**
     * Start the server.
     *
     * @throws ConfigurationException if the runtime is closed, if the server would be reachable from other machines without a sign-in, or cannot listen, if the
     *     path of a page is taken, if versions are selectable of an agent that does not exist, or if callers cannot execute the
     *     {@link #directTools direct tools}
     */
    public ChargehandServer start() {
        if (runtime.isClosed()) {
            throw new ConfigurationException(
                    "The runtime of the server is closed, and starts no runs. Build another one, and close"
                            + " the server before it: a try statement names the runtime first.");
        }
        SignIn signIn = new SignIn(resolvers);
        if (!signIn.isRequired() && !isLoopback(host)) {
            throw new ConfigurationException(
                    "The server would be reachable at '" + host
                            + "' by anyone: it has no sign-in. Add one, such as ApiKeys (chargehand serve: --keys or --oidc), or listen on 127.0.0.1.");
        }
        if (!directTools.isEmpty() && !wires.contains(ServerWire.MASTRA)) {
            throw new ConfigurationException(
                    "Callers of the server may execute tools, but the wire with which they do is"
                            + " off. Add MASTRA to the wires, or leave directTools out.");
        }
        directTools.addTo(runtime);
        ServerState state = new ServerState(
                runtime,
                limits,
                timeLimits,
                new ServerState.CallerChoices(contextKeys, requireAgents(selectableVersions), selectableModels),
                workflowOptions);
        ServerWires on = new ServerWires(state, wires, resumable, answers, directTools);
        List<Route> more = new ArrayList<>(Records.routes(state, times));
        more.addAll(on.routes());
        RouteTable routes = Api.routes(state, signIn.isRequired(), more, pages);
        Dispatcher dispatcher = new Dispatcher(
                routes,
                new Origins(host, names)::check,
                signIn::require,
                state.callers()::requireRequest,
                state::limit,
                state.limit(ServerTimeLimit.READ),
                on::rejected);
        ListenOptions options =
                new ListenOptions(host, port, state.limit(ServerTimeLimit.READ), state.limit(ServerTimeLimit.DRAIN));
        Listener listener = listen(options, dispatcher);
        String shown = host.contains(":") ? "[" + host + "]" : host;
        return new ChargehandServer(state, listener, URI.create("http://" + shown + ":" + listener.port()));
    }

    private Set<String> requireAgents(Set<String> ids) {
        Set<String> known = runtime.agentIds();
        for (String id : ids) {
            if (!known.contains(id)) {
                throw new ConfigurationException("Versions of agent '" + id
                        + "' are to be selectable, but it is not in the runtime of the server. Known are: "
                        + (known.isEmpty() ? "none" : String.join(", ", known)) + ".");
            }
        }
        return ids;
    }

    private Listener listen(ListenOptions options, Dispatcher dispatcher) {
        try {
            return switch (binding) {
                case HELIDON -> HelidonBinding.listen(options, dispatcher);
                case JDK -> JdkBinding.listen(options, dispatcher);
            };
        } catch (RuntimeException e) {
            throw new ConfigurationException(
                    "The server cannot listen on " + host + ":" + port + ": " + e.getMessage()
                            + ". Choose another port, or stop the program that uses it.",
                    e);
        }
    }

    private static boolean isLoopback(String host) {
        try {
            return InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new ConfigurationException("The host '" + host + "' is not an address of this machine.", e);
        }
    }
}
