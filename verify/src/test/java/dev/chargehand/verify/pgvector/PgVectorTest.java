package dev.chargehand.verify.pgvector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.chargehand.store.Store;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.testkit.ForwardingStore;
import dev.chargehand.verify.harness.StoreKind;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.PgVectorServer;
import dev.chargehand.verify.stores.StorePlace;
import dev.chargehand.verify.stores.TemporaryStores;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of the harness of the same name that need no server: the build has none with the extension. */
class PgVectorTest {

    /** That of 8 bits for each dimension. */
    private static final double BYTES = 0.02;

    @Test
    void searchesOfAnotherStoreAreExactToo() throws Exception {
        try (TemporaryStores stores = TemporaryStores.of(StoreKind.SQLITE)) {
            Tally tally = tally();
            SearchCheck.check(stores.make(), 150, BYTES, new SplittableRandom(1), tally);
            SearchCheck.race(stores.make(), 50, new SplittableRandom(1), tally);

            assertThat(tally.faults()).isEmpty();
            assertThat(tally.cases()).isEqualTo(200);
        }
    }

    /** Ways in which a store may answer wrongly. */
    enum Wrong {
        FEWER,
        WORST_FIRST,
        INCOMPLETE,
        TWICE,
        OTHER_SCORE;

        PassageHits answer(PassageHits right) {
            List<PassageHits.Hit> hits = right.hits();
            return switch (this) {
                case FEWER -> new PassageHits(hits.subList(0, Math.max(0, hits.size() - 1)), true);
                case WORST_FIRST -> new PassageHits(hits.reversed(), true);
                case INCOMPLETE -> new PassageHits(hits, false);
                case TWICE ->
                    new PassageHits(
                            hits.stream()
                                    .flatMap(hit -> List.of(hit, hit).stream())
                                    .toList(),
                            true);
                case OTHER_SCORE ->
                    new PassageHits(
                            hits.stream()
                                    .map(hit -> new PassageHits.Hit(
                                            hit.owner(), hit.threadId(), hit.position(), hit.score() / 2))
                                    .toList(),
                            true);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void aWrongAnswerIsFound(Wrong wrong) throws Exception {
        try (TemporaryStores stores = TemporaryStores.of(StoreKind.SQLITE)) {
            Tally tally = tally();
            SearchCheck.check(new Changed(stores.make(), wrong), 60, BYTES, new SplittableRandom(1), tally);

            assertThat(tally.faults()).isNotEmpty().allMatch(fault -> fault.startsWith("different: "));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "jdbc:sqlite:file", "jdbc:postgresql://localhost"})
    void aMissingServerIsSaidToBe(String url) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PgVectorServer.of(Map.of(PgVectorServer.URL, url)))
                .withMessageContainingAll("Set CHARGEHAND_PGVECTOR_URL", "CHARGEHAND_PGVECTOR_PASSWORD");
    }

    private static Tally tally() {
        return new Tally("different", "foreign");
    }

    /** A store whose searches are answered wrongly. */
    private record Changed(StorePlace place, Wrong wrong) implements StorePlace {

        @Override
        public Store open() {
            return new ChangedStore(place.open(), wrong);
        }

        @Override
        public String address() {
            return place.address();
        }
    }

    private static final class ChangedStore extends ForwardingStore {

        private final Store store;
        private final Wrong wrong;

        private ChangedStore(Store store, Wrong wrong) {
            super(store);
            this.store = store;
            this.wrong = wrong;
        }

        @Override
        public Store forTenant(String tenantId) {
            return new ChangedStore(store.forTenant(tenantId), wrong);
        }

        @Override
        public Optional<MemoryStore> memory() {
            return store.memory().map(right -> (MemoryStore) Proxy.newProxyInstance(
                    MemoryStore.class.getClassLoader(),
                    new Class<?>[] {MemoryStore.class},
                    (self, method, arguments) -> {
                        try {
                            Object answer = method.invoke(right, arguments);
                            return method.getName().equals("nearest") ? wrong.answer((PassageHits) answer) : answer;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }));
        }
    }
}
