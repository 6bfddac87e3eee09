package dev.chargehand.tests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.chargehand.Agent;
import dev.chargehand.RunFailedException;
import dev.chargehand.RunResult;
import dev.chargehand.error.StoreException;
import dev.chargehand.json.Json;
import dev.chargehand.message.Message;
import dev.chargehand.message.Role;
import dev.chargehand.run.RunStatus;
import dev.chargehand.store.Store;
import dev.chargehand.testkit.TestRuntime;
import dev.chargehand.tests.Scripts;
import dev.chargehand.thread.ThreadOwner;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Databases that fail and texts that are odd, on each database; each test begins with the id of its fault. */
@ParameterizedClass
@EnumSource
class DatabaseFaultsTest {

    @TempDir
    Path folder;

    @Parameter
    Database.Kind kind;

    private final Agent agent = Agent.builder("solo").model("scripted/solo").build();
    private Database database;

    @BeforeEach
    void make() {
        database = kind.in(folder);
    }

    @ParameterizedTest
    @EnumSource
    void x01gX04ADatabaseThatFailsInMidRunIsATypedErrorAndKeepsWhatWasAcknowledged(Database.Fault fault) {
        database.open().close();
        database.failSecondAppend(fault);
        RunFailedException failure;
        try (TestRuntime test = runtime()) {
            failure = catchThrowableOfType(RunFailedException.class, () -> run(test, "Remember this"));
        }

        assertThat(failure.code()).isEqualTo("store-failed");
        assertThat(failure.retryable()).isTrue();
        assertThat(failure).hasCauseInstanceOf(StoreException.class);
        try (Store again = database.open()) {
            assertThat(userTexts(again)).containsExactly("Remember this");
            assertThat(again.read(failure.result().runId(), 0)).hasSize(1);
            assertThat(again.find(failure.result().runId()).orElseThrow().status())
                    .isEqualTo(RunStatus.RUNNING);
        }

        database.recover();
        try (TestRuntime test = runtime()) {
            assertThat(test.runtime()
                            .resume(failure.result().runId(), o -> {})
                            .result()
                            .text())
                    .isEqualTo("ok");
            assertThat(userTexts(test.store())).containsExactly("Remember this");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nul \u0000 byte",
                "rtl \u202e override",
                "family \ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67",
                "combining e\u0301\u0302",
                "four bytes \ud83d\ude80",
                "private \ue000\uf8ff"
            })
    void x08OddTextIsTheSameToTheModelAndFromTheStore(String text) {
        assertThatItIsTheSame(text);
    }

    @ParameterizedTest
    @ValueSource(strings = {"nul \u0000 byte", "rtl \u202e override", "private \ue000\uf8ff"})
    void x08ALargeOddTextIsTheSameToo(String text) {
        assertThatItIsTheSame(text + "x".repeat(20_000) + text);
    }

    private void assertThatItIsTheSame(String text) {
        try (TestRuntime test = runtime()) {
            RunResult result = run(test, text);

            assertThat(result.text()).isEqualTo("ok");
            assertThat(test.script().requests().getFirst().messages().getLast().text())
                    .isEqualTo(text);
            assertThat(userTexts(test.store())).containsExactly(text);
        }
    }

    @Test
    void x08ALoneSurrogateIsReplacedEverywhereAlike() {
        try (TestRuntime test = runtime()) {
            RunResult result = run(test, "lone \ud800 one");

            assertThat(result.text()).isEqualTo("ok");
            assertThat(test.script().requests().getFirst().messages().getLast().text())
                    .isEqualTo("lone \ufffd one");
            assertThat(userTexts(test.store())).containsExactly("lone \ufffd one");
        }
    }

    @Test
    void x09ATenMegabyteMessageIsStoredWhole() {
        String text = "0123456789".repeat(1_000_000);
        try (TestRuntime test = runtime()) {
            assertThat(run(test, text).text()).isEqualTo("ok");
        }
        try (Store again = database.open()) {
            assertThat(userTexts(again)).containsExactly(text);
        }
    }

    private TestRuntime runtime() {
        return TestRuntime.builder(Scripts.on("solo").says("ok"))
                .store(database.open())
                .agents(agent)
                .build();
    }

    private RunResult run(TestRuntime test, String prompt) {
        return test.runtime().agent("solo").generate(prompt, o -> o.thread("t").resource("u"));
    }

    private static List<String> userTexts(Store store) {
        return store.readThread("t", new ThreadOwner("u", null), Long.MAX_VALUE, 10).stream()
                .map(entry -> Message.fromJson(Json.parse(entry.text())))
                .filter(message -> message.role() == Role.USER)
                .map(Message::text)
                .toList();
    }
}
