package dev.chargehand.testkit.replay;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.internal.fact.Fact;
import dev.chargehand.model.ModelChoice;
import dev.chargehand.spi.IdSource;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.testkit.ManualClock;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A recorded run, played again by the agent as it is defined today.
 *
 * <p>The run is started again as it was: the same input, options and conversation. Its models and its tools give what
 * they gave then; sub-agents, hooks and scorers are today's and really work; who approved, declined or gave data does
 * so again. A model that is called something else than then makes the replay fail with the difference: another prompt,
 * another result of a tool, an answer too many; and, if the recording was built from a runtime that has the agents,
 * other instructions or tools. The clock stands still, nothing reaches a network.
 *
 * <p>Not thread-safe; {@link #run} and {@link #assertSame} may be called any number of times.
 */
public final class Replay {

    private final Recording recording;
    private final Agent agent;
    private Consumer<RunOptions.Builder> options = o -> {};
    private boolean liveTools;
    private boolean withoutHooks;

    Replay(Recording recording, Agent agent) {
        this.recording = recording;
        this.agent = agent;
    }

    /** Prepare a replay of a recording in a file. */
    public static Replay of(Path file, Agent agent) {
        return Recording.load(file).replay(agent);
    }

    /** Change options; hooks that were given to the recorded run and decide must be given again. */
    public Replay options(Consumer<RunOptions.Builder> changes) {
        this.options = options.andThen(changes);
        return this;
    }

    /** Go without the hooks that were given to the recorded run only. */
    public Replay withoutHooks() {
        this.withoutHooks = true;
        return this;
    }

    /** Let the agents' own tools work; default their recorded results are given, and nothing has an effect. */
    public Replay liveTools() {
        this.liveTools = true;
        return this;
    }

    /**
     * Play the run.
     *
     * @return its result, also if it failed
     * @throws ReplayMismatchException if a model or tool is called something else than when it was recorded
     */
    public RunResult run() {
        return new Performance().play().result();
    }

    /**
     * Play the run and compare it with the recorded one, nested runs included: the answer and why it ended, every step,
     * every call with its arguments and result.
     *
     * @throws ReplayMismatchException if anything is different
     */
    public RunResult assertSame() {
        Performance performance = new Performance().play();
        performance.compare();
        return performance.result();
    }

    /** One playing of the recording. */
    private final class Performance {

        private final InMemoryStore store = InMemoryStore.keepingEndedRuns();
        private final ManualClock clock = new ManualClock();
        private final Closings closings = new Closings();
        private final Tracks tracks = new Tracks(recording, store);
        private final AtomicReference<AgentRuntime> runtime = new AtomicReference<>();
        private final Playback playback = new Playback(recording, store, tracks, closings, runtime::get);
        private final AtomicReference<RunResult> ended = new AtomicReference<>();

        private RunResult result() {
            return ended.get();
        }

        private Performance play() {
            recording.restore(store);
            Agent played = agent.withModels(id -> Optional.of(modelOf(id)));
            Agent quiet = liveTools
                    ? played
                    : played.withTools(tool -> tool.withHandler((in, context) -> playback.result(context)));
            try (AgentRuntime made = AgentRuntime.builder()
                    .store(store)
                    .anyoneMayApprove()
                    .timeSource(clock)
                    .idSource(ids())
                    .providers(new ReplayModel.Provider(playback))
                    .agents(quiet)
                    .addListener(closings::hear)
                    .build()) {
                runtime.set(made);
                RunResult result = resultOf(() -> begin(made));
                ended.set(new RecordedAnswers(made, tracks, clock).answer(result));
            }
            playback.mismatch().ifPresent(mismatch -> {
                throw mismatch;
            });
            return this;
        }

        private RunResult begin(AgentRuntime made) {
            Fact.Started started = tracks.root().end().started();
            int copied = started.fork() == null ? 0 : started.fork().step();
            return made.fork(recording.root(), copied, fork -> {
                        fork.agent(made.agent(agent.id())).options(options);
                        if (copied > 0) {
                            fork.addMessages(
                                    tracks.root().steps().get(copied - 1).said());
                        }
                        if (withoutHooks) {
                            fork.withoutHooks();
                        }
                    })
                    .result();
        }

        private ModelChoice modelOf(String agentId) {
            List<String> names = tracks.modelsOf(agentId);
            ModelChoice choice = ModelChoice.of(
                    new ReplayModel(names.isEmpty() ? "recorded/" + agentId : names.getFirst(), playback));
            for (String name : names.subList(Math.min(1, names.size()), names.size())) {
                choice = choice.orElse(new ReplayModel(name, playback));
            }
            return choice;
        }

        private void compare() {
            Comparison comparison = new Comparison(tracks);
            comparison.compare(tracks.played(result().runId()));
        }
    }

    static RunResult resultOf(Supplier<RunResult> run) {
        try {
            return run.get();
        } catch (RunFailedException e) {
            return e.result();
        }
    }

    /** Ids that no recording has. */
    private static IdSource ids() {
        AtomicLong count = new AtomicLong();
        return prefix -> prefix + "replay" + count.incrementAndGet();
    }
}
