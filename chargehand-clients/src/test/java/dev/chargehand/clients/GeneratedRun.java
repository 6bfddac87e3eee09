package dev.chargehand.clients;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunHandle;
import dev.chargehand.approval.Approver;
import dev.chargehand.approval.PendingApproval;
import dev.chargehand.error.ApprovalException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.event.Cursor;
import dev.chargehand.event.RunEvent;
import dev.chargehand.event.RunWatch;
import dev.chargehand.json.Json;
import dev.chargehand.run.RunId;
import dev.chargehand.store.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/**
 * A run that a seed has made up and a runtime has executed.
 *
 * @param live its events as a reader received them, who may have continued once
 * @param stored its events as the store has them; none if its process left it
 * @param answers what was answered after each suspension of the root run
 */
record GeneratedRun(
        long seed,
        RunId root,
        boolean network,
        List<RunEvent> live,
        List<RunEvent> stored,
        List<List<PendingApproval>> answers) {

    private static final int MOST_SUSPENSIONS = 12;

    /** Make up a run and execute it. */
    static GeneratedRun of(long seed) {
        return new Play(seed).run();
    }

    /** Return its number of suspensions after which it continued. */
    int suspensions() {
        return answers.size();
    }

    @Override
    public String toString() {
        return "seed " + seed + ":\n"
                + String.join(
                        "\n", live.stream().map(event -> event.toJson().text()).toList());
    }

    /** Plays it, with a person who answers. */
    private static final class Play {

        private final long seed;
        private final SplittableRandom random;
        private final boolean network;
        private final List<RunEvent> live = new ArrayList<>();
        private final List<List<PendingApproval>> answers = new ArrayList<>();
        private final Set<String> answered = new HashSet<>();
        private final CompletableFuture<Runnable> stop = new CompletableFuture<>();
        private final boolean stops;
        private final boolean leaves;
        private int resumesAt;

        Play(long seed) {
            this.seed = seed;
            random = new SplittableRandom(seed);
            network = random.nextInt(8) == 0;
            stops = random.nextInt(6) == 0;
            leaves = random.nextInt(2) == 0;
            resumesAt = random.nextInt(5) == 0 ? 1 + random.nextInt(80) : Integer.MAX_VALUE;
        }

        @SuppressWarnings("deprecation") // networks are generated too
        GeneratedRun run() {
            Agent top = GeneratedAgents.make(random, network, stops ? Optional.of(this::stop) : Optional.empty());
            AgentRuntime runtime = AgentRuntime.builder()
                    .store(InMemoryStore.keepingEndedRuns())
                    .agents(top)
                    .anyoneMayApprove()
                    .closeGrace(Duration.ofMillis(1))
                    .build();
            try (runtime) {
                Agent agent = runtime.agent("top");
                RunHandle run = (network ? agent.asNetwork() : agent).start("Please.");
                stop.complete(leaves ? runtime::close : run::cancel);
                RunWatch watch = run.events();
                while (watch != null) {
                    try (RunWatch open = watch) {
                        watch = read(runtime, run, open)
                                .map(cursor -> runtime.watch(run.runId(), cursor))
                                .orElse(null);
                    }
                }
                boolean left = live.getLast() instanceof RunEvent.RunReleased;
                List<RunEvent> stored = left ? List.of() : runtime.history(run.runId());
                return new GeneratedRun(seed, run.runId(), network, live, stored, answers);
            }
        }

        /** Called by a model, which then hangs. */
        private void stop() {
            Thread.ofVirtual().start(() -> stop.join().run());
        }

        /** Read until the end, or return where another reader continues. */
        private Optional<Cursor> read(AgentRuntime runtime, RunHandle run, RunWatch watch) {
            Iterator<RunEvent> events = watch.iterator();
            while (events.hasNext()) {
                RunEvent event = events.next();
                live.add(event);
                boolean ofRoot = event.runId().equals(run.runId());
                switch (event) {
                    case RunEvent.ToolCallApproval asked -> {
                        if (random.nextInt(6) == 0) {
                            answer(runtime, asked.approval());
                        }
                    }
                    case RunEvent.RunSuspend suspend -> {
                        if (ofRoot && !answerSome(runtime, suspend.pending())) {
                            return Optional.empty();
                        }
                    }
                    default -> {}
                }
                if (live.size() >= resumesAt
                        && watch.cursor().isPresent()
                        && !(ofRoot && event instanceof RunEvent.RunFinish)) {
                    resumesAt = Integer.MAX_VALUE;
                    return watch.cursor();
                }
            }
            return Optional.empty();
        }

        private boolean answerSome(AgentRuntime runtime, List<PendingApproval> pending) {
            List<PendingApproval> open = pending.stream()
                    .filter(each -> !answered.contains(key(each)))
                    .toList();
            if (answers.size() == MOST_SUSPENSIONS) {
                return false;
            }
            if (open.isEmpty()) { // answered before it has waited
                answers.add(pending);
                return !pending.isEmpty();
            }
            List<PendingApproval> given = open.subList(0, 1 + random.nextInt(open.size()));
            answers.add(given);
            given.forEach(each -> answer(runtime, each));
            return true;
        }

        private static String key(PendingApproval pending) {
            return pending.runId().value() + "/" + pending.callId() + "/" + pending.waitNumber();
        }

        private void answer(AgentRuntime runtime, PendingApproval pending) {
            if (!answered.add(key(pending))) {
                return;
            }
            try {
                give(runtime, pending);
            } catch (ApprovalException | ConfigurationException e) {
                answered.add(
                        e.getMessage()); // the run, or what it was for, has ended before, or the runtime was closed
            }
        }

        private void give(AgentRuntime runtime, PendingApproval pending) {
            if (pending.kind() == PendingApproval.Kind.DATA) {
                var unused = runtime.giveData(pending, Json.of(Map.of("street", "High Street")));
            } else if (random.nextInt(3) == 0) {
                var unused = runtime.decline(pending, Approver.of("ann"), "Too much.");
            } else {
                var unused = runtime.approve(pending, Approver.of("ann"));
            }
        }
    }
}
