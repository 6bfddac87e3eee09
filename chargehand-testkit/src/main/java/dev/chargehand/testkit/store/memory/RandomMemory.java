package dev.chargehand.testkit.store.memory;

import static dev.chargehand.testkit.store.memory.MemorySamples.SPACE;
import static dev.chargehand.testkit.store.memory.MemorySamples.START;
import static dev.chargehand.testkit.store.memory.MemorySamples.at;
import static dev.chargehand.testkit.store.memory.MemorySamples.found;
import static dev.chargehand.testkit.store.memory.MemorySamples.observation;
import static dev.chargehand.testkit.store.memory.MemorySamples.reflection;
import static dev.chargehand.testkit.store.memory.MemorySamples.say;
import static dev.chargehand.testkit.store.memory.MemorySamples.text;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.chargehand.error.ThreadOwnershipException;
import dev.chargehand.store.Store;
import dev.chargehand.store.memory.DueThread;
import dev.chargehand.store.memory.IndexedRange;
import dev.chargehand.store.memory.MemoryStore;
import dev.chargehand.store.memory.Passage;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.WorkingMemoryEdit;
import dev.chargehand.store.memory.WorkingMemoryRevision;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.thread.ThreadRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Does random things with the memory of many owners, and compares all answers with what each of them has done. */
final class RandomMemory {

    private static final int THREADS = 60;

    private final SplittableRandom random;
    private final Supplier<@Nullable String> seed;
    private final List<Tenant> tenants;

    RandomMemory(Store store, long seed) {
        this.random = new SplittableRandom(seed);
        this.seed = () -> "with -Dchargehand.seed=" + seed;
        this.tenants = List.of(new Tenant(store), new Tenant(store.forTenant("acme")));
    }

    /** What the operations of one tenant have made. */
    private static final class Tenant {
        private final Store store;
        private final MemoryStore memory;
        private final Map<String, Made> threads = new HashMap<>();
        private final Map<ThreadOwner, List<String>> texts = new HashMap<>();

        private Tenant(Store store) {
            this.store = store;
            this.memory = store.memory().orElseThrow();
        }
    }

    private static final class Made {
        private final ThreadOwner owner;
        private long length;
        private final TreeSet<Long> indexed = new TreeSet<>();
        private final List<String> texts = new ArrayList<>();

        /** How many messages were observed, each by an observation of its own. */
        private long observed;

        private Made(ThreadOwner owner) {
            this.owner = owner;
        }
    }

    /** Do so many things, one after the other. */
    void run(int operations) {
        List<ThreadOwner> owners = new ArrayList<>();
        for (@Nullable String resource : new @Nullable String[] {"ann", "bob", "", null}) {
            for (@Nullable String path : new @Nullable String[] {null, "boss/writer", "boss"}) {
                owners.add(new ThreadOwner(resource, path));
            }
        }
        for (int i = 0; i < operations; i++) {
            Tenant tenant = tenants.get(random.nextInt(tenants.size()));
            ThreadOwner owner = owners.get(random.nextInt(owners.size()));
            String thread = "t" + random.nextInt(THREADS);
            Made made = tenant.threads.get(thread);
            if (made != null && !made.owner.equals(owner) && random.nextInt(4) > 0) {
                owner = made.owner; // most operations are those of the thread's owner
            }
            operate(tenant, owner, thread, made);
        }
        for (Tenant tenant : tenants) {
            owners.forEach(owner -> search(tenant, owner));
        }
    }

    private void operate(Tenant tenant, ThreadOwner owner, String thread, @Nullable Made made) {
        switch (random.nextInt(10)) {
            case 0 -> search(tenant, owner);
            case 1 -> editOfAll(tenant, owner);
            case 2 -> deleteVectors(tenant, owner);
            default -> {
                if (made == null) {
                    say(tenant.store, thread, owner, 3, "boss", START);
                    tenant.threads.put(thread, new Made(owner));
                    tenant.threads.get(thread).length = 3;
                } else if (made.owner.equals(owner)) {
                    operateOn(tenant, thread, made);
                } else {
                    assertForeign(tenant, owner, thread);
                }
            }
        }
    }

    private void operateOn(Tenant tenant, String thread, Made made) {
        switch (random.nextInt(12)) {
            case 0 -> {
                assertTrue(tenant.store.deleteThread(thread, made.owner), seed);
                tenant.threads.remove(thread);
            }
            case 1 -> copy(tenant, thread, made);
            case 2 -> {
                say(tenant.store, thread, made.owner, 2);
                made.length += 2;
            }
            case 3 -> take(tenant, thread, made);
            case 4, 5, 6 -> {
                edit(tenant, made.owner, thread, made.texts);
                assertText(made.texts, tenant.memory.workingMemory(made.owner, thread));
            }
            case 7, 8 -> observe(tenant, thread, made);
            default -> index(tenant, thread, made);
        }
    }

    private void observe(Tenant tenant, String thread, Made made) {
        OptionalLong number = tenant.memory.observe(made.owner, thread, observation(made.observed, made.observed + 1));
        assertEquals(made.observed < made.length, number.isPresent(), seed);
        made.observed = Math.min(made.observed + 1, made.length);
        assertEquals(
                made.observed, tenant.memory.observations(made.owner, thread).end(), seed);
    }

    private void index(Tenant tenant, String thread, Made made) {
        long position = random.nextLong(made.length);
        Optional<IndexedRange> before = tenant.memory.indexed(made.owner, thread, SPACE);
        assertTrue(
                tenant.memory.index(
                        made.owner,
                        thread,
                        SPACE,
                        before,
                        IndexedRange.of(0, made.length),
                        List.of(new Passage(position, 0, at(random.nextInt(180))))),
                seed);
        made.indexed.add(position);
    }

    private void copy(Tenant tenant, String thread, Made made) {
        String to = "t" + random.nextInt(THREADS);
        long before = random.nextLong(made.length + 1);
        boolean copied = tenant.store.copyThread(
                thread, before, ThreadRecord.builder(to, made.owner, START).build());
        assertEquals(!tenant.threads.containsKey(to), copied, seed);
        if (copied) {
            Made copy = new Made(made.owner);
            copy.length = before;
            copy.indexed.addAll(made.indexed.headSet(before));
            copy.texts.addAll(made.texts);
            copy.observed = Math.min(made.observed, before);
            if (before == 0) {
                say(tenant.store, to, made.owner, 1);
                copy.length = 1;
            }
            tenant.threads.put(to, copy);
        }
    }

    private void take(Tenant tenant, String thread, Made made) {
        List<DueThread> due = tenant.memory.due(0, Integer.MAX_VALUE);
        for (DueThread each : due) {
            Tenant of = tenants.get(each.tenantId().equals(Store.LOCAL) ? 0 : 1);
            Made dueOne = of.threads.get(each.threadId());
            assertTrue(dueOne != null && dueOne.owner.equals(each.owner()), seed);
        }
        assertTrue(tenant.memory.take(made.owner, thread, "worker", Duration.ofHours(1)), seed);
        tenant.memory.giveBack(made.owner, thread, "worker", made.length, null);
    }

    private void search(Tenant tenant, ThreadOwner owner) {
        PassageHits hits = tenant.memory.nearest(
                new PassageQuery(owner, SPACE, at(random.nextInt(180)), PassageQuery.Among.ALL, 10_000, -2));
        hits.hits().forEach(hit -> assertEquals(owner, hit.owner(), seed));
        TreeSet<String> expected = new TreeSet<>();
        TreeSet<String> observed = new TreeSet<>();
        tenant.threads.forEach((thread, made) -> {
            if (made.owner.equals(owner)) {
                if (made.observed > 0) {
                    observed.add(thread);
                }
                made.indexed.forEach(position -> expected.add(thread + " " + position));
            }
        });
        assertEquals(expected, new TreeSet<>(found(hits)), seed);
        assertEquals(expected.size(), hits.hits().size(), seed);
        assertEquals(observed, new TreeSet<>(tenant.memory.observedThreads(owner, THREADS)), seed);
    }

    private void deleteVectors(Tenant tenant, ThreadOwner owner) {
        long expected = 0;
        for (Made made : tenant.threads.values()) {
            if (made.owner.equals(owner)) {
                expected += made.indexed.size();
                made.indexed.clear();
            }
        }
        assertEquals(expected, tenant.memory.deleteVectors(owner, SPACE), seed);
    }

    private void editOfAll(Tenant tenant, ThreadOwner owner) {
        List<String> texts = tenant.texts.computeIfAbsent(owner, of -> new ArrayList<>());
        assertText(texts, tenant.memory.workingMemory(owner, null));
        edit(tenant, owner, null, texts);
        assertText(texts, tenant.memory.workingMemory(owner, null));
    }

    private void edit(Tenant tenant, ThreadOwner owner, @Nullable String thread, List<String> texts) {
        String text = owner + " " + thread + " " + random.nextLong();
        WorkingMemoryEdit edit = tenant.memory.edit(owner, thread, texts.size(), "key of " + text, text, START);
        texts.add(text);
        assertEquals(new WorkingMemoryEdit.Stored(texts.size()), edit, seed);
    }

    private void assertText(List<String> texts, Optional<WorkingMemoryRevision> newest) {
        assertEquals(texts.isEmpty() ? Optional.empty() : Optional.of(texts.getLast()), text(newest), seed);
    }

    private void assertForeign(Tenant tenant, ThreadOwner owner, String thread) {
        assertThrows(
                ThreadOwnershipException.class,
                () -> {
                    switch (random.nextInt(9)) {
                        case 0 -> tenant.memory.workingMemory(owner, thread);
                        case 1 -> tenant.memory.indexed(owner, thread, SPACE);
                        case 2 -> tenant.memory.take(owner, thread, "thief", Duration.ofHours(1));
                        case 3 -> tenant.memory.edit(owner, thread, 0, "key", "text", START);
                        case 4 -> tenant.memory.observations(owner, thread);
                        case 5 -> tenant.memory.observations(owner, thread, 1);
                        case 6 -> tenant.memory.observe(owner, thread, observation(0, 1));
                        case 7 -> tenant.memory.reflect(owner, thread, reflection(1));
                        default ->
                            tenant.memory.index(
                                    owner,
                                    thread,
                                    SPACE,
                                    Optional.empty(),
                                    IndexedRange.of(0, 1),
                                    List.of(new Passage(0, 0, at(0))));
                    }
                },
                seed);
    }
}
