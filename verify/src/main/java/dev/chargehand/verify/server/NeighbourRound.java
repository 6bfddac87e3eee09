package dev.chargehand.verify.server;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.Wakeups;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.server.ChargehandServer;
import dev.chargehand.server.Principal;
import dev.chargehand.server.Scope;
import dev.chargehand.server.ServerLimit;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.store.Store;
import dev.chargehand.tool.Tool;
import dev.chargehand.verify.harness.Latencies;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.harness.Unlimited;
import dev.chargehand.verify.scripted.ConversationModel;
import dev.chargehand.verify.server.client.Http;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A tenant starts runs whose calls never return, and another tenant of the same server starts runs before and after that.
 * All of its runs end, while none of the others does.
 */
final class NeighbourRound {

    private static final String NOISY = "noisy";
    private static final String QUIET = "quiet";
    private static final int AT_ONCE = 4;

    /** The most runs that are looked at. */
    private static final int PAGE = 1_000;

    private static final Duration HUNG = Duration.ofMinutes(2);

    private final int stuck;
    private final int runs;
    private final Tally tally;
    private final String again;
    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch held;

    /**
     * Make it.
     *
     * @param stuck how many runs of the one tenant do not end
     * @param runs how many the other one starts, before and after
     */
    NeighbourRound(int stuck, int runs, Tally tally, String again) {
        this.stuck = stuck;
        this.runs = runs;
        this.tally = tally;
        this.again = again;
        this.held = new CountDownLatch((int) Math.min(stuck, ServerLimit.RUNS_OF_CALLER.byDefault()));
    }

    /** What the tool takes. */
    record Work(String task) {}

    /** Play it; adds the times of the runs of the other tenant. */
    void play(Store store, Latencies before, Latencies beside) throws IOException, InterruptedException {
        try (AgentRuntime runtime = runtime(store);
                ChargehandServer server = server(runtime)) {
            try {
                runAll(server.uri(), new Latencies()); // so that the compiler has seen the code
                runAll(server.uri(), before);
                startStuck(server.uri());
                runAll(server.uri(), beside);
                check(runtime);
            } finally {
                end.countDown();
            }
        }
    }

    private AgentRuntime runtime(Store store) {
        return AgentRuntime.builder()
                .store(store)
                .wakeups(Wakeups.all())
                .providers()
                .agents(Agent.builder("worker")
                        .description("Works.")
                        .model(new ConversationModel("worker", NeighbourRound::answer))
                        .tools(Tool.builder("work", "Works.")
                                .input(Work.class)
                                .handler((in, context) -> work(in))
                                .build())
                        .build())
                .build();
    }

    private static ModelResponse answer(List<Message> conversation) {
        boolean worked = conversation.stream().anyMatch(message -> message.role() == Role.TOOL);
        String task = ConversationModel.task(conversation);
        return worked
                ? ConversationModel.says("Done.")
                : ConversationModel.calls(List.of(ConversationModel.call("1", "work", new Work(task))));
    }

    private String work(Work work) throws InterruptedException {
        if (work.task().equals(NOISY)) {
            held.countDown();
            end.await();
        }
        return "ok";
    }

    /** Make a server with the limits of runs as they are by default; a token is the name of a tenant. */
    private static ChargehandServer server(AgentRuntime runtime) {
        return Unlimited.requests(ChargehandServer.builder(runtime).port(0))
                .addPrincipals(
                        token -> Optional.of(new Principal(token, token, Optional.empty(), EnumSet.allOf(Scope.class))))
                .start();
    }

    private void startStuck(URI server) throws IOException, InterruptedException {
        for (int i = 0; i < stuck; i++) {
            Http.Answer answer = start(server, NOISY, Map.of("Authorization", "Bearer " + NOISY));
            if (!answer.isDone()) {
                fault("lost", "a run of the noisy tenant was not accepted: " + answer);
            }
        }
        if (!held.await(HUNG.toSeconds(), TimeUnit.SECONDS)) {
            fault("hung", held.getCount() + " more runs of the noisy tenant should be executed");
        }
    }

    private void runAll(URI server, Latencies times) {
        try (ExecutorService clients = Executors.newFixedThreadPool(AT_ONCE)) {
            for (int i = 0; i < runs; i++) {
                clients.execute(() -> runOne(server, times));
            }
        }
    }

    private void runOne(URI server, Latencies times) {
        try {
            long since = System.nanoTime();
            Http.Answer answer = start(server, QUIET, Map.of("Authorization", "Bearer " + QUIET, "Prefer", "wait=50"));
            times.add(System.nanoTime() - since);
            tally.addCase();
            if (!answer.at("/text").equals("Done.")) {
                fault("hung", "a run of the quiet tenant has not ended: " + answer);
            }
        } catch (IOException e) {
            fault("lost", "a run of the quiet tenant has no answer: " + e);
        }
    }

    private static Http.Answer start(URI server, String task, Map<String, String> headers) throws IOException {
        return Http.post(server, "/api/v1/agents/worker/runs", Map.of("input", task), headers);
    }

    private void check(AgentRuntime runtime) {
        List<RunRecord> noisy = runtime.forTenant(NOISY).runs(RunFilter.ROOTS.limit(PAGE));
        long ended = noisy.stream().filter(run -> run.status().isEnded()).count();
        if (noisy.size() != Math.min(stuck, PAGE) || ended != 0) {
            fault("lost", noisy.size() + " runs of the noisy tenant are stored, and " + ended + " have ended");
        }
        int quiet = runtime.forTenant(QUIET).runs(RunFilter.ROOTS.limit(PAGE)).size();
        int started = Math.min(3 * runs, PAGE);
        if (quiet != started) {
            fault(quiet < started ? "lost" : "doubled", quiet + " runs of the quiet tenant are stored");
        }
    }

    private void fault(String kind, String what) {
        tally.addFault(kind, again + ": " + what);
    }
}
