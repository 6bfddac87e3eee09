package dev.chargehand.tests.memory.observation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.chargehand.AgentRuntime;
import dev.chargehand.RunResult;
import dev.chargehand.event.RunEvent;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.message.Message;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.Observation;
import dev.chargehand.thread.ThreadOwner;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is deleted is in no observation any more, and what is left is seen as it was said until it is observed again. */
class ObservationDeletionTest extends ObservationFixture {

    @TempDir
    Path folder;

    private Store store(boolean durable) {
        return durable ? JdbcStore.sqlite(folder.resolve("runs.db")) : InMemoryStore.keepingEndedRuns();
    }

    private static String idOf(Store store, long position) {
        return store.readThreadFrom("t", ANN, position, 1).getFirst().messageId();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDeletedMessageTakesTheObservationsFromItOn(boolean durable) {
        try (Store store = store(durable);
                AgentRuntime runtime = runtime(store)) {
            sayAll(runtime, 1, 12);
            List<Observation> before = log(store).observations();
            assertThat(before).hasSize(3);
            long position = before.get(1).from() + 3;
            String deleted = "said6";
            assertThat(before.get(1).text()).isEqualTo("- observed said5 said6 said7 said8");
            assertThat(runtime.threads().deleteMessages(ANN, "t", List.of(idOf(store, position))))
                    .isEqualTo(1);

            assertThat(log(store).observations()).isEqualTo(before.subList(0, 1));
            sayAll(runtime, 13, 13);
            List<String> expected = said(1, 13);
            expected.remove(deleted);
            assertThat(numbers(requests.getLast().messages())).containsExactlyElementsOf(expected);
            sayAll(runtime, 14, 16);
            assertThat(log(store).observations().size()).isGreaterThan(2);
            assertThat(log(store).observations()).noneMatch(each -> each.text().contains(deleted + " "));
            assertThat(contiguous(store)).isTrue();
            assertThat(log(store).observations().get(1).number()).isGreaterThan(3);
        }
    }

    /** The observer has seen the message, and its answer comes after the deletion. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whatWasDeletedWhileItWasObservedIsNotStored(boolean durable) {
        AtomicReference<AgentRuntime> made = new AtomicReference<>();
        try (Store store = store(durable)) {
            observe = request -> {
                String seen = numbers(request.messages().getLast());
                if (seen.contains("said2")) {
                    int ignored = made.get().threads().deleteMessages(ANN, "t", List.of(idOf(store, 2)));
                }
                return "- observed " + seen;
            };
            try (AgentRuntime runtime = runtime(store)) {
                made.set(runtime);
                sayAll(runtime, 1, 4);
                assertThat(asked).isNotEmpty();
                assertThat(log(store).observations())
                        .noneMatch(each -> each.text().contains("said2"));
                sayAll(runtime, 5, 6);
                assertThat(numbers(requests.getLast().messages()))
                        .containsExactly("said1", "said3", "said4", "said5", "said6");
                assertThat(log(store).observations()).isNotEmpty();
            }
        }
    }

    @Test
    void aThreadThatIsMadeAgainHasNoObservations() {
        AtomicReference<AgentRuntime> made = new AtomicReference<>();
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        observe = request -> {
            AgentRuntime runtime = made.get();
            if (runtime.threads().delete(ANN, "t")) {
                runtime.threads()
                        .append(
                                ANN,
                                "t",
                                Stream.of(1, 2, 3, 4, 5, 6, 7, 8)
                                        .map(number -> Message.user("new " + number))
                                        .toList());
            }
            return "- observed " + numbers(request.messages().getLast());
        };
        try (AgentRuntime runtime = runtime(store)) {
            made.set(runtime);
            sayAll(runtime, 1, 4);
            assertThat(log(store).observations()).isEmpty();
            assertThat(store.findThread("t").orElseThrow().length()).isEqualTo(8);
        }
    }

    @Test
    void aCopyHasTheObservationsOfItsMessages() {
        InMemoryStore store = InMemoryStore.keepingEndedRuns();
        try (AgentRuntime runtime = runtime(store)) {
            sayAll(runtime, 1, 6);
            int calls = asked.size();
            String copy = runtime.threads().copy(ANN, "t", 12, change -> {}).threadId();
            RunResult ignored = say(runtime, "ann", copy, text(7));

            assertSeesEverything(7);
            assertThat(requests.getLast().messages().getFirst().text()).contains("- observed said1");
            assertThat(asked).hasSize(calls);
        }
    }

    @Test
    void nothingIsLeftOfAForgottenResource() throws Exception {
        Path file = folder.resolve("runs.db");
        observe = request -> "- observed secretword" + "x".repeat(20);
        try (Store store = JdbcStore.sqlite(file)) {
            try (AgentRuntime runtime = with(store, settings -> settings)) {
                sayAll(runtime, 1, 6);
                assertThat(log(store).observations()).isNotEmpty();
                assertThat(runtime.memory().observations(ANN, "t").observations())
                        .isNotEmpty();
                assertThat(runtime.memory()
                                .observations(ThreadOwner.of("ann"), "missing")
                                .observations())
                        .isEmpty();
                var forgotten = runtime.memory().forget("ann");
                assertThat(forgotten.threads()).isEqualTo(1);
            }
            assertThat(bytes()).doesNotContain("secretword", "said1");
        }
        assertThat(events(RunEvent.MemoryProblem.class)).isEmpty();
    }

    private String bytes() throws Exception {
        StringBuilder all = new StringBuilder();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path each : files.toList()) {
                all.append(new String(Files.readAllBytes(each), StandardCharsets.ISO_8859_1));
            }
        }
        return all.toString();
    }
}
