package dev.chargehand.cli;

import dev.chargehand.cli.output.Table;
import dev.chargehand.cli.output.Visible;
import dev.chargehand.cli.serve.ServerOfFile;
import dev.chargehand.cli.shell.ExitCode;
import dev.chargehand.cli.shell.Logging;
import dev.chargehand.cli.shell.MistakeLines;
import dev.chargehand.cli.shell.Shell;
import dev.chargehand.config.AgentEntry;
import dev.chargehand.config.AgentsFile;
import dev.chargehand.config.AgentsFileReader;
import dev.chargehand.config.Crew;
import dev.chargehand.config.CrewCheck;
import dev.chargehand.config.CrewModels;
import dev.chargehand.config.StoreLocation;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.openapi.OpenApiOperation;
import dev.chargehand.openapi.OpenApiTools;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code chargehand check}: says what is wrong with a file, or what it comes to. */
@Command(
        name = "check",
        description = "Check an agents' file: list every mistake with its line, or summarize the file.",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Exits with 0 if the file is valid and with 2 otherwise. A missing API key is reported, but is not a mistake.",
            "No model is called.",
            "",
            "Examples:",
            "  chargehand check",
            "  chargehand check crews/support.yaml"
        })
final class CheckCommand implements Callable<Integer> {

    private static final int LONGEST = 200;

    private final Shell shell;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The file. Default: chargehand.yaml.")
    private @Nullable Path path;

    CheckCommand(Shell shell) {
        this.shell = shell;
    }

    @Override
    public Integer call() {
        Logging.configure(false);
        Path named = path == null ? Path.of(AgentsFileReader.NAME) : path;
        AgentsFile file = AgentsFileReader.read(shell.folder().resolve(named), named.toString(), Crew.TOOLS);
        List<String> mistakes = CrewCheck.of(file, shell.environment(), shell.folder());
        mistakes.addAll(new ServerOfFile(file, new Variables(shell.environment())).mistakes());
        if (!mistakes.isEmpty()) {
            MistakeLines.ofTexts(mistakes).forEach(shell::note);
            return ExitCode.USAGE;
        }
        try (CrewModels models = new CrewModels(file, shell.environment())) {
            report(file, models, new Variables(shell.environment())).forEach(shell::say);
        }
        shell.out().flush();
        return ExitCode.COMPLETED;
    }

    private static List<String> report(AgentsFile file, CrewModels models, Variables variables) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of(
                "runs", file.usual().map(AgentEntry::id).orElse("the agent that --agent names; there is no default")));
        rows.add(List.of(
                "documents",
                file.docs().map(docs -> Visible.line(docs.text(), LONGEST)).orElse("docs")));
        rows.add(List.of(
                "store",
                file.store()
                        .map(store -> Visible.line(StoreLocation.shown(store.text()), LONGEST))
                        .orElse("none; threads and runs that wait are kept in .chargehand/chargehand.db")));
        addModels("model", file, models, models::of, rows);
        addModels(
                "recall", file, models, agent -> models.ofRecall(agent).stream().toList(), rows);
        for (OpenApiTools api : file.apis().values()) {
            api.operations().forEach(operation -> rows.add(List.of("tool", Visible.line(shown(operation), LONGEST))));
            addSent("header", api, api.headers(), variables, rows);
            addSent("query", api, api.query(), variables, rows);
        }
        List<String> lines = new ArrayList<>();
        int own = file.commands().size()
                + file.apis().values().stream()
                        .mapToInt(api -> api.operations().size())
                        .sum();
        lines.add(file.name() + ": nothing is wrong; " + count(file.agents().size(), "agent")
                + (file.workflows().isEmpty()
                        ? ""
                        : ", " + count(file.workflows().size(), "workflow"))
                + (own == 0 ? "" : ", " + count(own, "tool") + " of its own"));
        Table.lines(rows).forEach(row -> lines.add("  " + row));
        return lines;
    }

    private static String shown(OpenApiOperation operation) {
        return operation.name() + ": " + operation.method() + " "
                + operation.server() + operation.path()
                + (operation.approval() ? "; needs approval" : "")
                + (operation.repeatable() ? "" : "; not made again after a crash");
    }

    private static void addSent(
            String what, OpenApiTools api, Map<String, String> sent, Variables variables, List<List<String>> rows) {
        sent.forEach((name, value) -> rows.add(List.of(
                what,
                Visible.line(name, LONGEST) + " of " + api.name() + "; "
                        + Visible.line(value + isSet(value, variables), LONGEST))));
    }

    private static String isSet(String header, Variables variables) {
        try {
            return header.contains("${")
                            && !variables
                                    .resolve(new Setting(header, new Position("header")))
                                    .text()
                                    .isEmpty()
                    ? " is set"
                    : "";
        } catch (ConfigurationException e) {
            return " is not set";
        }
    }

    private static void addModels(
            String what,
            AgentsFile file,
            CrewModels models,
            Function<AgentEntry, List<String>> used,
            List<List<String>> rows) {
        Map<String, List<String>> users = new LinkedHashMap<>();
        for (AgentEntry agent : file.agents().values()) {
            used.apply(agent).forEach(model -> users.computeIfAbsent(model, unused -> new ArrayList<>())
                    .add(agent.id()));
        }
        users.forEach((model, agents) -> rows.add(List.of(
                what,
                Visible.line(model, LONGEST) + " of " + String.join(", ", agents) + "; "
                        + Visible.line(models.key(model), LONGEST))));
    }

    private static String count(int number, String thing) {
        return number + " " + thing + (number == 1 ? "" : "s");
    }
}
