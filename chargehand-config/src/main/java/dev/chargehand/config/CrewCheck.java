package dev.chargehand.config;

import dev.chargehand.document.Variables;
import dev.chargehand.error.ConfigurationException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Finds further mistakes of a readable file: unknown models, a store that cannot be used, and the like. */
public final class CrewCheck {

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
        check.attempt(() -> StoreLocation.of(file, new Variables(environment)));
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
        return new ArrayList<>(check.mistakes);
    }

    private void attempt(Runnable building) {
        try {
            building.run();
        } catch (ConfigurationException e) {
            mistakes.add(e.getMessage());
        }
    }
}
