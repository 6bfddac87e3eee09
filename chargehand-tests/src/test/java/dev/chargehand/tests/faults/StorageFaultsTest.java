package dev.chargehand.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.Agent;
import dev.chargehand.AgentRuntime;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.error.StoreException;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.model.Model;
import dev.chargehand.model.ModelCall;
import dev.chargehand.model.ModelRequest;
import dev.chargehand.model.ModelResponse;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.testkit.ManualClock;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Scripts;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stores that fail or hang; a test begins with the id of its fault. */
class StorageFaultsTest {

    @TempDir
    Path folder;

    private final Agent agent = Agent.builder("solo").model("scripted/solo").build();

    @Test
    void x01gAStoreThatFailsInMidRunIsATypedErrorAndKeepsWhatWasAcknowledged() {
        Path file = folder.resolve("x01.db");
        FaultyStore faulty = FaultyStore.over(JdbcStore.sqlite(file)).failOn(FaultyStore.Operation.APPEND, 2);
        try (AgentRuntime runtime = TestRuntime.builder(Scripts.on("solo").says("ok"))
                .store(faulty)
                .build()
                .runtime()) {
            RunFailedException failure = catchThrowableOfType(RunFailedException.class, () -> runtime.bind(agent)
                    .generate("Remember this", o -> o.thread("t").resource("u")));
            assertThat(failure.code()).isEqualTo("store-failed");
            assertThat(failure).hasCauseInstanceOf(StoreException.class);
            assertThat(failure.result().runId()).isNotNull();
        }
        try (Store again = JdbcStore.sqlite(file)) {
            assertThat(again.readThread("t", new ThreadOwner("u", null), Long.MAX_VALUE, 10))
                    .anyMatch(entry -> entry.text().contains("Remember this"));
        }
    }

    @Test
    void aStoreThatHangsIsATypedErrorWhenItsTimeIsUp() {
        ManualClock clock = new ManualClock();
        FaultyStore faulty = FaultyStore.over(InMemoryStore.keepingEndedRuns()).hangOn(FaultyStore.Operation.APPEND, 2);
        Model model = new Model() {
            @Override
            public String name() {
                return "test/one";
            }

            @Override
            public ModelResponse ask(ModelRequest request, ModelCall call) {
                return ModelResponse.text("ok", Usage.of(1, 1));
            }
        };
        Agent solo = Agent.builder("solo").model(model).build();
        try (AgentRuntime runtime = AgentRuntime.builder()
                .store(faulty)
                .timeSource(clock)
                .storeTimeLimit(Duration.ofSeconds(3))
                .build()) {
            CompletableFuture<RunResult> run =
                    FaultyWorld.later(() -> runtime.bind(solo).generate("Go"));
            while (!run.isDone()) {
                if (clock.pending().contains(Duration.ofSeconds(3))
                        && faulty.count(FaultyStore.Operation.APPEND) >= 2) {
                    clock.advance(Duration.ofSeconds(3));
                }
                Thread.onSpinWait();
            }
            assertThat(((RunFailedException) FaultyWorld.failure(run)).code()).isEqualTo("store-timeout");
            faulty.release();
        }
    }

    @Test
    void anInMemoryStoreForgetsRunsThatHaveEndedAndKeepsTheThread() {
        InMemoryStore store = InMemoryStore.create();
        try (TestRuntime test =
                TestRuntime.builder(Scripts.on("solo").says("ok")).store(store).build()) {
            RunResult result =
                    test.bind(agent).generate("Go", o -> o.thread("t").resource("u"));
            assertThat(store.find(result.runId())).isEmpty();
            assertThat(userTexts(store)).containsExactly("Go");
        }
    }

    private static List<String> userTexts(Store store) {
        return store.readThread("t", new ThreadOwner("u", null), Long.MAX_VALUE, 10).stream()
                .map(entry -> Message.fromJson(Json.parse(entry.text())))
                .filter(message -> message.role() == Role.USER)
                .map(Message::text)
                .toList();
    }
}
