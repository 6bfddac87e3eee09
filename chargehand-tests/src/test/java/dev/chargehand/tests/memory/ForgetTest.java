package dev.chargehand.tests.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.chargehand.AgentRuntime;
import dev.chargehand.error.StoreException;
import dev.chargehand.error.ThreadBusyException;
import dev.chargehand.fixture.PostgresServer;
import dev.chargehand.jdbc.JdbcStore;
import dev.chargehand.memory.Forgotten;
import dev.chargehand.memory.ScopeRef;
import dev.chargehand.message.Message;
import dev.chargehand.run.RunStatus;
import dev.chargehand.run.Usage;
import dev.chargehand.store.InMemoryStore;
import dev.chargehand.store.RunFilter;
import dev.chargehand.testkit.FaultyStore;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The words of a forgotten resource are gone: from the store, from its files, and from memory. */
class ForgetTest extends DeletionFixture {

    private static final String OTHER = "wombat";

    /** Resources with a character that no random id has, since tables are searched for it. */
    private static final String FORGOTTEN = "ann@home";

    private static final String KEPT = "bob@home";

    /** Fill a store with runs of two resources, and many messages of each in between those of the other. */
    private void fill(JdbcStore store) {
        embeddings.uses(Usage.of(3, 0));
        for (String word : List.of(SECRET, OTHER)) {
            String resource = word.equals(SECRET) ? FORGOTTEN : KEPT;
            AgentRuntime runtime = crew(store, word, 3);
            for (String thread : List.of("one", "one", "two")) {
                say(runtime, resource, resource + " " + thread, "What does the " + word + " eat?");
            }
            observe(store, ThreadOwner.of(resource), resource + " one", "Asks about a " + word + ".");
        }
        RandomGenerator random = RandomGenerator.of("L64X128MixRandom");
        AgentRuntime writer = runtime(store, this::everything);
        for (int i = 0; i < 150; i++) {
            for (String word : List.of(SECRET, OTHER)) {
                String resource = word.equals(SECRET) ? FORGOTTEN : KEPT;
                String text = (word + " " + "y".repeat(random.nextInt(300)) + " ").repeat(random.nextInt(1, 60));
                ThreadOwner owner = ThreadOwner.of(resource);
                ThreadRecord ignored = writer.threads().append(owner, resource + " many", List.of(Message.user(text)));
            }
        }
    }

    @Test
    void noFileHasAWordOfAForgottenResource() throws Exception {
        try (JdbcStore store = JdbcStore.sqlite(folder.resolve("store.db"))) {
            fill(store);
            AgentRuntime runtime = runtime(store, this::everything);
            assertThat(filesWith(SECRET)).isNotEmpty();
            assertThat(runtime.memory().usage(FORGOTTEN)).isNotEmpty();
            Forgotten forgotten = runtime.memory().forget(FORGOTTEN);

            assertThat(forgotten.runs()).isEqualTo(3);
            assertThat(forgotten.threads()).isEqualTo(3 + 2); // two of the writer
            assertThat(forgotten.workingMemories()).isEqualTo(1);
            assertThat(filesWith(SECRET)).isEmpty();
            assertThat(filesWith(OTHER)).isNotEmpty();
            assertThat(runtime.memory().forget(FORGOTTEN).isNothing()).isTrue();
            assertThat(runtime.runs(RunFilter.ROOTS)).hasSize(3);
            assertThat(runtime.threads().list(KEPT, 0, 10)).hasSize(3);
            assertThat(runtime.memory().workingMemory(ScopeRef.resource(KEPT))).isPresent();
            assertThat(runtime.memory().workingMemory(ScopeRef.resource(FORGOTTEN)))
                    .isEmpty();
            assertThat(runtime.memory().usage(FORGOTTEN)).isEmpty();
            assertThat(runtime.memory().usage(KEPT)).isNotEmpty();
        }
        assertThat(filesWith(SECRET)).isEmpty();
    }

    @Test
    void noTableHasAWordOfAForgottenResource() throws Exception {
        String url = PostgresServer.newStore();
        try (JdbcStore store = JdbcStore.postgres(url, PostgresServer.USER, "")) {
            fill(store);
            assertThat(tablesWith(url, SECRET))
                    .contains("facts", "thread_messages", "payloads", "working_memory", "observations", "runs");
            Forgotten forgotten = runtime(store, this::everything).memory().forget(FORGOTTEN);

            assertThat(forgotten.runs()).isEqualTo(3);
            assertThat(tablesWith(url, SECRET)).isEmpty();
            assertThat(tablesWith(url, FORGOTTEN)).isEmpty();
            assertThat(tablesWith(url, OTHER))
                    .contains("facts", "thread_messages", "payloads", "working_memory", "observations", "runs");
        }
    }

    /** The store fails at each of the deletions of which forgetting consists. */
    @Test
    void whatWasLeftByAFailureIsForgottenByTheNextCall() {
        for (int nth = 1; nth <= 6; nth++) {
            FaultyStore store = FaultyStore.over(InMemoryStore.keepingEndedRuns());
            AgentRuntime runtime = crew(store, SECRET, 3);
            for (String thread : List.of("one", "one", "two")) {
                say(runtime, FORGOTTEN, thread, "Tell me.");
            }
            store.failOn(FaultyStore.Operation.DELETE, nth);

            assertThatThrownBy(() -> runtime.memory().forget(FORGOTTEN)).isInstanceOf(StoreException.class);
            Forgotten rest = runtime.memory().forget(FORGOTTEN);

            assertThat(rest.isNothing()).as("failure %d", nth).isEqualTo(nth == 6);
            assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
            assertThat(runtime.threads().list(FORGOTTEN, 0, 10)).isEmpty();
            assertThat(runtime.memory().workingMemory(ScopeRef.resource(FORGOTTEN)))
                    .isEmpty();
            assertThat(runtime.memory().forget(FORGOTTEN).isNothing()).isTrue();
        }
    }

    @Test
    void whileConversationsGoOnNothingIsForgottenByHalf() throws Exception {
        try (JdbcStore store = JdbcStore.sqlite(folder.resolve("store.db"))) {
            AgentRuntime runtime = runtime(store, this::everything);
            AtomicInteger left = new AtomicInteger(60);
            List<RunStatus> ends = new CopyOnWriteArrayList<>();
            try (ExecutorService talking = Executors.newVirtualThreadPerTaskExecutor()) {
                List<Future<?>> talks = new ArrayList<>();
                for (String thread : List.of("one", "two", "three")) {
                    talks.add(talking.submit(() -> {
                        while (left.getAndDecrement() > 0) {
                            ends.add(runtime.agent("lead")
                                    .generate("My " + SECRET + "?", o -> o.thread(thread)
                                            .resource(FORGOTTEN))
                                    .status());
                        }
                    }));
                }
                while (talks.stream().anyMatch(talk -> !talk.isDone())) {
                    try {
                        Forgotten ignored = runtime.memory().forget(FORGOTTEN, how -> how.cancelRuns());
                    } catch (ThreadBusyException e) {
                        assertThat(e.code()).isEqualTo("resource-busy"); // a run has started since
                    }
                }
                for (Future<?> talk : talks) {
                    Object ignored = talk.get();
                }
                assertThat(ends).hasSize(60).isSubsetOf(RunStatus.COMPLETED, RunStatus.ABORTED);
                assertThat(runtime.memory().settled(LONG)).isTrue();
                Forgotten ignored = runtime.memory().forget(FORGOTTEN);
            }
            assertThat(runtime.runs(RunFilter.ALL)).isEmpty();
            assertThat(runtime.memory().forget(FORGOTTEN).isNothing()).isTrue();
            assertThat(filesWith(SECRET)).isEmpty();
        }
    }
}
