package dev.chargehand.cli.serve;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.cli.output.Amounts;
import dev.chargehand.cli.setup.FileOptions;
import dev.chargehand.cli.setup.Workspace;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.StateFolder;
import dev.chargehand.config.StoreLocation;
import dev.chargehand.document.Position;
import dev.chargehand.document.Variables;
import dev.chargehand.metric.RunTimes;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.server.ServerBuilder;
import dev.chargehand.store.Store;
import dev.chargehand.workflow.Workflow;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code chargehand serve}: makes the agents of the file reachable over HTTP. */
@Command(
        name = "serve",
        description = "Serve the agents and workflows over HTTP.",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Without a sign-in every program on this machine may do everything, and no other machine can reach the server.",
            "What these options do not set is as 'server' in chargehand.yaml says.",
            "",
            "Examples:",
            "  chargehand serve",
            "  chargehand serve --port 8080 --store jdbc:postgresql://localhost/runs",
            "  chargehand serve --host 0.0.0.0 --name agents.example.com --keys keys.json",
            "  chargehand serve --oidc https://login.example.com --audience agents"
        })
public final class ServeCommand implements Callable<Integer> {

    private static final Logger HELIDON = Logger.getLogger("io.helidon"); // a field, so that its level stays

    private final Shell shell;

    @Option(names = "--host", paramLabel = "ADDRESS", description = "Where to listen. Default: 127.0.0.1.")
    private @Nullable String host;

    @Option(names = "--port", paramLabel = "N", description = "The port; 0 for any that is free. Default: 4111.")
    private @Nullable Integer port;

    @Option(
            names = "--name",
            paramLabel = "HOST",
            description = "A further name under which callers reach the server; may be repeated.")
    private List<String> names = List.of();

    @Option(names = "--check", description = "Check the configuration and the store, and exit.")
    private boolean check;

    @Option(
            names = {"-m", "--model"},
            paramLabel = "NAME",
            description = "The model of all agents, as for run.")
    private @Nullable String model;

    @Option(
            names = {"-s", "--store"},
            paramLabel = "FILE|URL",
            description = "The store of the runs: a SQLite file or the URL of a database, as for run."
                    + " Default: 'store' in chargehand.yaml, otherwise the SQLite file in .chargehand/.")
    private @Nullable String store;

    @Mixin
    private SignInOptions signIn = new SignInOptions();

    @Mixin
    private FileOptions files = new FileOptions();

    public ServeCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() throws InterruptedException {
        files.begin();
        HELIDON.setLevel(Level.WARNING);
        AgentsFile file = files.file(shell);
        try (Workspace workplace = Workspace.of(shell, file, Workspace.model(model), null)) {
            List<Agent> agents = file.agents().values().stream()
                    .map(entry -> workplace.crew().agent(entry))
                    .toList();
            List<Workflow<?, ?>> workflows = new ArrayList<>();
            file.workflows()
                    .values()
                    .forEach(entry -> workflows.add(workplace.crew().workflow(entry)));
            RunTimes times = new RunTimes();
            try (AgentRuntime runtime = workplace.runtime(open(file), agents, workflows, Wakeups.all(), times)) {
                ServerBuilder server =
                        ChargehandServer.builder(runtime).times(times).workflowOptions(workplace.crew()::setOptions);
                return serve(file, server);
            }
        }
    }

    private Store open(AgentsFile file) {
        Variables variables = new Variables(shell.environment());
        Optional<StoreLocation> named = store == null
                ? StoreLocation.of(file, variables)
                : Optional.of(StoreLocation.of(store, new Position("--store"), shell.folder(), variables));
        return named.map(StoreLocation::open)
                .orElseGet(() -> StateFolder.of(file).openStore());
    }

    private int serve(AgentsFile file, ServerBuilder builder) throws InterruptedException {
        ServerOfFile inFile = new ServerOfFile(file, new Variables(shell.environment()));
        boolean isSignInRequired = signIn.areRequired() || inFile.hasSignIn();
        addTo(builder, inFile);
        CountDownLatch stopped = new CountDownLatch(1);
        shell.signals().hold();
        try (ChargehandServer server = builder.start()) {
            if (check) {
                shell.note("The configuration is valid: "
                        + Amounts.count(file.agents().size(), "agent") + ", and the store can be used.");
                return 0;
            }
            shell.signals().stops(stopped::countDown, stopped::countDown);
            print(file, server, isSignInRequired);
            stopped.await();
            shell.note("chargehand: stopping; runs that have not ended continue with the next start.");
        } finally {
            shell.signals().release();
        }
        return 0;
    }

    private void addTo(ServerBuilder builder, ServerOfFile inFile) {
        inFile.addTo(builder);
        if (host != null) {
            builder.host(host);
        }
        if (port != null) {
            builder.port(port);
        }
        if (check) {
            builder.port(0); // the server may be running
        }
        names.forEach(builder::addName);
        if (signIn.areRequired()) {
            signIn.addTo(builder, shell.folder(), check);
        } else {
            inFile.addSignIn(builder, check);
        }
    }

    private void print(AgentsFile file, ChargehandServer server, boolean isSignInRequired) {
        String agent = file.usual()
                .or(() -> file.agents().values().stream().findFirst())
                .map(AgentEntry::id)
                .orElse("AGENT");
        String sign = isSignInRequired ? " -H \"Authorization: Bearer $KEY\"" : "";
        String start = "  curl" + sign + " -N " + server.uri() + "/api/v1/agents/" + agent + "/runs \\\n"
                + "    -H 'Content-Type: application/json' ";
        shell.out()
                .println("Serving " + Amounts.count(file.agents().size(), "agent") + " of " + file.name() + " at "
                        + server.uri()
                        + (isSignInRequired ? "." : ", without sign-in: for this machine only.")
                        + "\n\nTry:\n  curl" + sign + " " + server.uri() + "/api/v1/agents\n"
                        + start
                        + "-H 'Prefer: wait=60' -d '{\"input\": \"How does a supervisor hand work to a sub-agent?\"}'\n"
                        + start + "-H 'Accept: text/event-stream' -d '{\"input\": \"What is a step?\"}'\n  curl" + sign
                        + " "
                        + server.uri() + "/api/v1/runs\n\nCtrl-C stops the server.");
        shell.out().flush();
    }
}
