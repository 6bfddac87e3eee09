package dev.chargehand.config;

import dev.chargehand.RunOptions;
import dev.chargehand.config.internal.crew.ModelSelection;
import dev.chargehand.document.Position;
import dev.chargehand.document.Setting;
import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.Budget;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds further mistakes of a readable file: unknown models, a store that cannot be used, and the like. */
public final class CrewCheck {

    /** The first bytes of every file of SQLite. */
    private static final byte[] SQLITE = "SQLite format 3\0".getBytes(StandardCharsets.US_ASCII);

    private final Set<String> mistakes = new LinkedHashSet<>();

    private CrewCheck() {}

    /**
     * Return the mistakes, each once; empty if every agent of the file can be built.
     *
     * @param environment the environment variables, null for one that is not set
     * @param workingFolder the working folder of the process
     */
    public static List<String> of(AgentsFile file, Function<String, @Nullable String> environment, Path workingFolder) {
        CrewCheck check = new CrewCheck();
        check.attempt(() -> check.store(file, environment));
        check.attempt(() -> {
            try (Crew crew = Crew.builder(file)
                    .environment(environment)
                    .workingFolder(workingFolder)
                    .build()) {
                for (AgentEntry agent : file.agents().values()) {
                    check.attempt(() -> crew.agent(agent));
                    check.attempt(() -> crew.versions(agent));
                }
                for (WorkflowEntry workflow : file.workflows().values()) {
                    check.attempt(() -> crew.workflow(workflow));
                }
            }
        });
        file.commands().values().forEach(tool -> check.attempt(tool::requireProgram));
        check.attempt(() -> check.prices(file, environment));
        return new ArrayList<>(check.mistakes);
    }

    /** A run makes the file of its store, but not the folder of it. */
    private void store(AgentsFile file, Function<String, @Nullable String> environment) {
        if (StoreLocation.of(file, new Variables(environment)).orElse(null) instanceof StoreLocation.OfFile found) {
            Path path = found.path();
            Path folder = path.toAbsolutePath().normalize().getParent();
            Position at = file.store().map(Setting::at).orElseThrow();
            if (Files.isDirectory(path)) {
                throw at.error("the store '" + path + "' is a folder; name a file in it.");
            }
            if (folder != null && !Files.isDirectory(folder)) {
                throw at.error("the store '" + path + "' has no folder; make the folder '" + folder
                        + "', or name another file.");
            }
            requireDatabase(path, at);
        }
    }

    /** A run makes a store of a file that is missing or empty. That of a store is not opened, which could change it. */
    private static void requireDatabase(Path path, Position at) {
        if (!Files.exists(path)) {
            return;
        }
        try (InputStream in = Files.newInputStream(path)) {
            byte[] start = in.readNBytes(SQLITE.length);
            if (start.length > 0 && !Arrays.equals(start, SQLITE)) {
                throw at.error(
                        "the store '" + path + "' is not a SQLite database; name another file, or remove this one.");
            }
        } catch (IOException e) {
            throw at.error("the store '" + path + "' cannot be read; check the rights of the file.");
        }
    }

    /** A run with a cost budget does not start if a model of its agents has no price. */
    private void prices(AgentsFile file, Function<String, @Nullable String> environment) {
        RunOptions options = RunOptions.defaults().with(file.definition().options()::set);
        if (!(options.changed().get("budget") instanceof Budget budget) || budget.cost() == null) {
            return;
        }
        try (CrewModels models = new CrewModels(file, environment)) {
            file.agents().values().stream()
                    .flatMap(agent -> models.of(agent).stream())
                    .filter(model -> !model.equals(ModelSelection.OFFLINE)
                            && !options.prices().byModel().containsKey(model))
                    .map(model -> "'cost' of 'budget': " + model
                            + " has no price, so runs that may call it do not start. Add it to the"
                            + " file, such as prices: { " + model
                            + ": { input: 1.25, output: 10 } }; prices of 0 are for models that"
                            + " cost nothing.")
                    .forEach(mistakes::add);
        }
    }

    private void attempt(Runnable building) {
        try {
            building.run();
        } catch (ConfigurationException e) {
            mistakes.add(e.getMessage());
        }
    }
}
