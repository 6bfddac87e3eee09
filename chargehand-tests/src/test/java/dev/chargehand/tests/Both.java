package dev.chargehand.tests;

import static dev.chargehand.testkit.ChargehandAssertions.assertThatEvents;
import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunOptions;
import dev.chargehand.RunResult;
import dev.chargehand.RunStream;
import dev.chargehand.event.RunEvent;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.RunFilter;
import dev.chargehand.store.RunRecord;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.Script;
import dev.chargehand.testkit.TestRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a scenario through {@code generate} and through {@code stream} and holds both to the same result, the same
 * requests to models, and the same stored facts; and the events and requests to their grammar.
 *
 * <p>The clock stands still unless the scenario turns it, so that times are equal too.
 */
final class Both {

    private final Supplier<Script> script;
    private Agent agent = Crew.solo();
    private Consumer<RunOptions.Builder> options = o -> {};
    private Consumer<ManualClock> drive = clock -> {};
    private Consumer<TestRuntime> after = test -> {};
    private boolean driven;
    private boolean minting;
    private boolean network;
    private String input = "Do the task";

    private Both(Supplier<Script> script) {
        this.script = script;
    }

    /** What one way of running gave. */
    record Ran(
            RunResult result,
            @Nullable RunFailedException failure,
            Script script,
            List<RunEvent> events,
            List<String> facts) {

        <E extends RunEvent> List<E> all(Class<E> type) {
            return Routed.all(type, events);
        }

        List<String> request(String agentId, int number) {
            return Wire.lines(script.requestsOf(agentId).get(number - 1));
        }
    }

    static Both ways(Supplier<Script> script) {
        return new Both(script);
    }

    static Both ways(Turns... turns) {
        return ways(() -> Scripts.of(turns));
    }

    /** Of the agent {@code solo}. */
    static Both ways(Turn... turns) {
        return ways(Turns.of("solo", turns));
    }

    /** Runs an agent whose turns are the only ones. */
    static Ran run(Agent agent, Turn... turns) {
        return run(agent, o -> {}, turns);
    }

    static Ran run(Agent agent, Consumer<RunOptions.Builder> options, Turn... turns) {
        return run(agent, options, Turns.of(agent.id(), turns));
    }

    static Ran run(Agent agent, Turns... turns) {
        return run(agent, o -> {}, turns);
    }

    static Ran run(Agent agent, Consumer<RunOptions.Builder> options, Turns... turns) {
        return run(agent, options, () -> Scripts.of(turns));
    }

    static Ran run(Agent agent, Supplier<Script> script) {
        return run(agent, o -> {}, script);
    }

    static Ran run(Agent agent, Consumer<RunOptions.Builder> options, Supplier<Script> script) {
        return ways(script).agent(agent).options(options).run();
    }

    Both agent(Agent value) {
        this.agent = value;
        return this;
    }

    Both options(Consumer<RunOptions.Builder> value) {
        this.options = value;
        return this;
    }

    Both input(String value) {
        this.input = value;
        return this;
    }

    /** Runs the agent as the router of a network, in the thread {@code t} of {@code u}. */
    Both network() {
        this.network = true;
        return this;
    }

    /** Turns the clock while the run goes on. */
    Both driving(Consumer<ManualClock> value) {
        this.drive = value;
        this.driven = true;
        return this;
    }

    /** Lets one time after the other pass that the run waits for. */
    Both passing(Duration... times) {
        return driving(clock -> {
            for (Duration time : times) {
                clock.awaitAlarm(time);
                clock.advance(time);
            }
        });
    }

    /** Says that ids are minted side by side, so that which is which differs from run to run. */
    Both mintingSideBySide() {
        this.minting = true;
        return this;
    }

    /** Looks at the runtime when the run has ended, each way; it can go on with another run there. */
    Both after(Consumer<TestRuntime> value) {
        this.after = value;
        return this;
    }

    /** Returns what was heard in one way of running, once it is known that the other heard the same. */
    static <T> List<T> alike(List<T> heard) {
        int half = heard.size() / 2;
        assertThat(heard.subList(half, heard.size()))
                .as("what was heard in stream")
                .isEqualTo(heard.subList(0, half));
        return heard.subList(half, heard.size());
    }

    Ran run() {
        Ran generated = once(false);
        Ran streamed = once(true);
        assertThat(comparable(streamed.result())).as("the result of stream").isEqualTo(comparable(generated.result()));
        assertThat(streamed.failure() == null).isEqualTo(generated.failure() == null);
        if (streamed.failure() != null && generated.failure() != null) {
            assertThat(streamed.failure()).hasMessage(generated.failure().getMessage());
            assertThat(streamed.failure().code()).isEqualTo(generated.failure().code());
        }
        assertThat(ofEachAgent(streamed)).as("the requests of stream").isEqualTo(ofEachAgent(generated));
        assertThat(streamed.facts()).as("the facts of stream").isEqualTo(generated.facts());
        streamed.script().requests().forEach(Wire::assertWellFormed);
        assertThatEvents(streamed.events()).arePaired().endWithRunFinish().haveGrowingIds();
        return streamed;
    }

    private Object comparable(RunResult result) {
        return minting
                ? List.of(
                        result.stopReason(),
                        result.text(),
                        result.usageByAgent(),
                        result.messages().stream().map(Wire::line).toList())
                : result;
    }

    private List<List<?>> ofEachAgent(Ran ran) {
        return ran.script().askedAgents().stream()
                .distinct()
                .sorted()
                .<List<?>>map(agentId -> {
                    List<ModelRequest> requests = ran.script().requestsOf(agentId);
                    return minting ? requests.stream().map(Wire::lines).toList() : requests;
                })
                .toList();
    }

    private Ran once(boolean streamed) {
        Script played = script.get();
        try (TestRuntime test = TestRuntime.builder(played)
                .manualClock()
                .unrecorded()
                .agents(agent)
                .build()) {
            List<RunEvent> events = new ArrayList<>();
            Agent bound = test.agent(agent.id());
            CompletableFuture<RunResult> ending = new CompletableFuture<>();
            Thread.ofVirtual().start(() -> {
                try {
                    ending.complete(streamed ? watch(bound, events) : generate(bound));
                } catch (RuntimeException | Error e) {
                    ending.completeExceptionally(e);
                }
            });
            drive.accept(test.clock());
            RunFailedException failure = null;
            RunResult result;
            try {
                result = ending.join();
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof RunFailedException failed)) {
                    throw e;
                }
                failure = failed;
                result = failed.result();
            }
            Waiting.until(
                    "no call is left behind",
                    () -> test.runtime().abandonedCalls().isEmpty());
            Ran ran = new Ran(result, failure, played, List.copyOf(events), facts(test, result));
            if (streamed && !driven) {
                Retold.assertEachRunAlike(events, test.runtime().history(result.runId()));
            }
            after.accept(test);
            return ran;
        }
    }

    private RunResult watch(Agent bound, List<RunEvent> events) {
        try (RunStream run = stream(bound)) {
            run.forEach(events::add);
            return run.result();
        }
    }

    @SuppressWarnings("deprecation") // what is tested
    private RunResult generate(Agent bound) {
        return network ? bound.generateNetwork(input, this::inThread) : bound.generate(input, options);
    }

    @SuppressWarnings("deprecation") // what is tested
    private RunStream stream(Agent bound) {
        return network ? bound.network(input, this::inThread) : bound.stream(input, options);
    }

    private void inThread(RunOptions.Builder o) {
        options.accept(o.thread("t").resource("u"));
    }

    /** The facts of the whole tree; in no order, since calls end in none. */
    private List<String> facts(TestRuntime test, RunResult result) {
        List<String> facts = new ArrayList<>();
        for (RunRecord run :
                test.store().list(RunFilter.ROOTS.tree(result.runId()).limit(1000))) {
            for (FactEntry fact : test.store().read(run.runId(), 0)) {
                // a run goes on while its clock is being turned, so that only a clock that stands still tells equal
                // times
                String text = driven ? fact.text().replaceAll("[aA]t\":\"[^\"]*\"", "at\":\"\"") : fact.text();
                String line = run.path() + " " + fact.type() + " " + text;
                facts.add(minting ? line.replaceAll("(run|call|thread)_[0-9]+", "$1_") : line);
            }
        }
        facts.sort(null);
        return facts;
    }
}
