package dev.chargehand.testkit.replay;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.store.ThreadAppend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A run with all its nested runs, as a store had them: their records, their facts, and the threads they worked on.
 *
 * <p>Saved as one readable JSON file. It holds prompts, answers, arguments and results of the run as they are stored;
 * keys of providers, transient values of the request context and the names of processes are not among what is stored or
 * saved, and {@link #without} removes other confidential text. Immutable and thread-safe.
 *
 * @param root the root run
 * @param runs the runs of the tree, each before its descendants
 * @param threads the threads they worked on, up to what the tree added to them
 * @param agents the tools and instructions of its agents, by path, if known
 */
public record Recording(RunId root, List<Run> runs, List<ThreadAppend> threads, Map<String, Definition> agents) {

    /** The owner of restored runs; a process that is missing. */
    private static final String NOBODY = "recorded";

    /**
     * A run of the tree.
     *
     * @param record its record
     * @param facts its facts
     */
    public record Run(RunRecord record, List<FactEntry> facts) {
        public Run {
            facts = List.copyOf(facts);
        }
    }

    /**
     * What an agent was when its run was recorded.
     *
     * @param instructions its own instructions for the request
     * @param tools the names of the tools it was offered, in order
     */
    public record Definition(String instructions, List<String> tools) {
        public Definition {
            tools = List.copyOf(tools);
        }
    }

    public Recording {
        runs = List.copyOf(runs);
        threads = List.copyOf(threads);
        agents = Map.copyOf(agents);
    }

    /**
     * Record a run that a runtime has in its store, and what its agents are, if they were given to the runtime.
     *
     * @throws dev.chargehand.error.StoreException {@code NOT_FOUND} if the run is missing; the default store in memory
     *     forgets runs that have ended
     * @throws dev.chargehand.error.ConfigurationException if it is a nested run
     */
    public static Recording of(AgentRuntime runtime, RunId runId) {
        Recording recording = of(runtime.store(), runId);
        return new Recording(recording.root, recording.runs, recording.threads, Definitions.of(runtime, recording));
    }

    /** Record a run that a store has, without what its agents are; see {@link #of(AgentRuntime, RunId)}. */
    public static Recording of(Store store, RunId runId) {
        return new Collecting(store).collect(runId);
    }

    /**
     * Read a recording that {@link #save} wrote.
     *
     * @throws ConfigurationException if the file has something else
     */
    public static Recording load(Path file) {
        try {
            return RecordingJson.read(Files.readString(file), "The file " + file);
        } catch (IOException e) {
            throw new UncheckedIOException("The recording " + file + " cannot be read.", e);
        }
    }

    /** Write this recording into a file, which is made, with its folders, or replaced. */
    public Recording save(Path file) {
        try {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                Files.createDirectories(folder);
            }
            Files.writeString(file, RecordingJson.write(this));
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException("The recording cannot be written to " + file + ".", e);
        }
    }

    /** Return this recording with words replaced by {@code ***} wherever they stand. */
    public Recording without(String... secrets) {
        String text = RecordingJson.write(this);
        for (String secret : secrets) {
            text = text.replace(RecordingJson.quoted(secret), "***");
        }
        return RecordingJson.read(text, "The recording");
    }

    /**
     * Put the runs and threads into a store that has none of them. A run that was running then is running there, and
     * no caller works on it.
     */
    public void restore(Store store) {
        for (Run run : runs) {
            RunRecord record = run.record();
            RunRecord starting = RunRecord.builder(record.runId(), record.agentId(), NOBODY, record.startedAt())
                    .rootRunId(record.rootRunId())
                    .parentRunId(record.parentRunId().orElse(null))
                    .parentCallId(record.parentCallId().orElse(null))
                    .path(record.path())
                    .threadId(record.threadId().orElse(null))
                    .resourceId(record.resourceId().orElse(null))
                    .build();
            List<ThreadAppend> appended = record.isRoot() ? threads : List.of();
            store.append(Append.start(starting, run.facts())
                    .status(record.status())
                    .at(record.updatedAt())
                    .threads(appended)
                    .expiresAt(record.expiresAt().orElse(null)));
        }
    }

    /**
     * Prepare a replay of the run by an agent; see {@link Replay}.
     *
     * @throws ConfigurationException if the run is of another agent
     */
    public Replay replay(Agent agent) {
        String recorded = runs.getFirst().record().agentId();
        if (!recorded.equals(agent.id())) {
            throw new ConfigurationException(
                    "The recording is of agent '" + recorded + "', but the replay is by agent '" + agent.id()
                            + "'. Pass agent '" + recorded + "', or record a run of '" + agent.id() + "'.");
        }
        return new Replay(this, agent);
    }

    List<String> paths() {
        List<String> paths = new ArrayList<>();
        runs.forEach(run -> paths.add(run.record().path()));
        return paths.stream().distinct().toList();
    }
}
