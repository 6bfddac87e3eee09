package dev.chargehand.verify.pgvector;

import dev.chargehand.store.Store;
import dev.chargehand.store.memory.PassageHits;
import dev.chargehand.store.memory.PassageQuery;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorSpace;
import dev.chargehand.thread.ThreadOwner;
import dev.chargehand.verify.harness.Tally;
import dev.chargehand.verify.stores.StorePlace;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * Searches at random in random vectors of several owners in two tenants, and compares what a store finds with the exact answer.
 * Vectors repeat, so that messages are equally near.
 */
final class SearchCheck {

    /** How much a score of a store with floats may differ. */
    static final double FLOATS = 1e-5;

    private static final int SEARCHES_OF_A_ROUND = 25;
    private static final int MOST_TALKS = 24;
    private static final int[] DIMENSIONS = {2, 8, 384};

    private final Store store;
    private final double tolerance;
    private final SplittableRandom random;
    private final Tally tally;
    private final VectorSpace space;
    private final List<UnitVector> directions = new ArrayList<>();
    private final List<List<Talk>> talks = List.of(new ArrayList<>(), new ArrayList<>());
    private int made;

    private SearchCheck(Store store, int dimensions, double tolerance, SplittableRandom random, Tally tally) {
        this.store = store;
        this.tolerance = tolerance;
        this.random = random;
        this.tally = tally;
        this.space = new VectorSpace("model", dimensions, 1);
        for (int i = 0; i < 40; i++) {
            directions.add(vector());
        }
    }

    /** Search so many times; the tally has the kinds "different" and "foreign". */
    static void check(StorePlace place, long searches, double tolerance, SplittableRandom random, Tally tally) {
        try (Store store = place.open()) {
            for (int dimensions : DIMENSIONS) {
                SearchCheck check = new SearchCheck(store, dimensions, tolerance, random.split(), tally);
                check.search(Math.max(1, searches / DIMENSIONS.length));
                check.clear();
            }
        }
    }

    /** Search while threads are stored and deleted; nothing of another owner is found, and no search fails. */
    static void race(StorePlace place, long searches, SplittableRandom random, Tally tally)
            throws InterruptedException {
        try (Store store = place.open()) {
            SearchCheck check = new SearchCheck(store, 8, FLOATS, random.split(), tally);
            SplittableRandom searching = random.split();
            Thread searcher = Thread.ofVirtual().start(() -> {
                for (long i = 0; i < searches; i++) {
                    int tenant = searching.nextInt(2);
                    PassageQuery query = new PassageQuery(
                            owner(searching),
                            check.space,
                            check.directions.get(i % 2 == 0 ? 0 : 1),
                            PassageQuery.Among.ALL,
                            9,
                            -1);
                    tally.addCase();
                    try {
                        check.answer(tenant, query).hits().forEach(hit -> {
                            if (!hit.owner().equals(query.owner())) {
                                tally.addFault("foreign", hit + " of " + query);
                            }
                        });
                    } catch (RuntimeException e) {
                        tally.addFault("different", "a search failed while threads were deleted: " + e);
                    }
                }
            });
            while (searcher.isAlive()) {
                check.change(random.nextInt(2));
            }
            check.clear();
        }
    }

    private void search(long searches) {
        for (long i = 0; i < searches; i++) {
            if (i % SEARCHES_OF_A_ROUND == 0) {
                for (int change = 0; change < 6; change++) {
                    change(random.nextInt(2));
                }
            }
            tally.addCase();
            int tenant = random.nextInt(2);
            PassageQuery query = query(talks.get(tenant));
            PassageHits hits = answer(tenant, query);
            String fault = fault(query, Said.candidates(talks.get(tenant), query), hits);
            if (fault != null) {
                boolean foreign =
                        hits.hits().stream().anyMatch(hit -> !hit.owner().equals(query.owner()));
                tally.addFault(foreign ? "foreign" : "different", fault + ": " + query + " finds " + hits);
            }
        }
    }

    private PassageHits answer(int tenant, PassageQuery query) {
        return store(tenant).memory().orElseThrow().nearest(query);
    }

    private Store store(int tenant) {
        return tenant == 0 ? store : store.forTenant("acme");
    }

    private void change(int tenant) {
        List<Talk> own = talks.get(tenant);
        if (own.size() > MOST_TALKS || (!own.isEmpty() && random.nextInt(4) == 0)) {
            delete(tenant, own.remove(random.nextInt(own.size())));
        } else if (!own.isEmpty() && random.nextInt(8) == 0) {
            ThreadOwner owner = owner(random);
            long ignored = store(tenant).memory().orElseThrow().deleteVectors(owner, space);
            own.stream().filter(talk -> talk.owner().equals(owner)).forEach(talk -> talk.messages()
                    .replaceAll(said -> new Said(talk, said.position(), List.of())));
        } else {
            List<List<UnitVector>> passages = new ArrayList<>();
            for (int messages = 1 + random.nextInt(12); messages > 0; messages--) {
                List<UnitVector> parts = new ArrayList<>();
                for (int part = random.nextInt(4); part > 0; part--) {
                    parts.add(directionOrNew());
                }
                passages.add(parts);
            }
            Talk talk = Talk.of(owner(random), ++made, 1_000L * (1 + random.nextInt(3)), passages);
            talk.store(store(tenant), space);
            own.add(talk);
        }
    }

    private void delete(int tenant, Talk talk) {
        boolean ignored = store(tenant).deleteThread(talk.id(), talk.owner());
    }

    private void clear() {
        for (int tenant = 0; tenant < 2; tenant++) {
            for (Talk talk : talks.get(tenant)) {
                delete(tenant, talk);
            }
        }
    }

    private static ThreadOwner owner(SplittableRandom random) {
        @Nullable String[] resources = {"ann", "bob", null};
        return new ThreadOwner(resources[random.nextInt(3)], random.nextInt(3) == 0 ? "boss/writer" : null);
    }

    private UnitVector directionOrNew() {
        return random.nextInt(3) == 0 ? vector() : directions.get(random.nextInt(directions.size()));
    }

    private UnitVector vector() {
        float[] components = new float[space.dimensions()];
        for (int i = 0; i < components.length; i++) {
            components[i] = (float) (random.nextDouble() - 0.5);
        }
        return UnitVector.of(components).orElseGet(this::vector);
    }

    private PassageQuery query(List<Talk> own) {
        String thread = "t" + (1 + random.nextInt(Math.max(1, made)));
        Talk any = own.isEmpty() ? null : own.get(random.nextInt(own.size()));
        ThreadOwner owner = any == null ? owner(random) : any.owner();
        PassageQuery.Among among =
                switch (random.nextInt(4)) {
                    case 0 -> new PassageQuery.Among(any == null ? null : any.id(), null, 0);
                    case 1 -> new PassageQuery.Among(null, thread, random.nextInt(12));
                    case 2 ->
                        new PassageQuery.Among(
                                any == null ? null : any.id(), any == null ? null : any.id(), random.nextInt(12));
                    default -> PassageQuery.Among.ALL;
                };
        double threshold = random.nextInt(3) == 0 ? random.nextDouble() * 2 - 1 : -1;
        return new PassageQuery(owner, space, directionOrNew(), among, random.nextInt(12), threshold);
    }

    /** Return what is wrong with an answer, or null. */
    private @Nullable String fault(PassageQuery query, List<Said> candidates, PassageHits hits) {
        Set<String> seen = new HashSet<>();
        List<Said> found = new ArrayList<>();
        for (PassageHits.Hit hit : hits.hits()) {
            Said said = candidates.stream()
                    .filter(each -> each.name().equals(hit.threadId() + " " + hit.position()))
                    .findFirst()
                    .orElse(null);
            if (said == null || !hit.owner().equals(query.owner()) || !seen.add(said.name())) {
                return "a message that is not one of those, or twice";
            }
            double expected = candidates.get(found.size()).score(query.vector());
            double exact = said.score(query.vector());
            if (Math.abs(hit.score() - exact) > tolerance || Math.abs(exact - expected) > 2 * tolerance) {
                return said.name() + " with " + exact + " where " + expected + " is next";
            }
            found.add(said);
        }
        return hits.complete() ? orderFault(query, candidates, hits, found) : "it is not complete";
    }

    private @Nullable String orderFault(PassageQuery query, List<Said> candidates, PassageHits hits, List<Said> found) {
        for (int i = 1; i < found.size(); i++) {
            double before = hits.hits().get(i - 1).score();
            double score = hits.hits().get(i).score();
            boolean older = Said.OLDEST_FIRST.compare(found.get(i), found.get(i - 1)) < 0;
            if (score > before || (score == before && !older)) {
                return "number " + i + " comes too late";
            }
        }
        long least = candidates.stream()
                .filter(said -> said.score(query.vector()) >= query.threshold() + tolerance)
                .count();
        long most = candidates.stream()
                .filter(said -> said.score(query.vector()) >= query.threshold() - tolerance)
                .count();
        if (found.size() < Math.min(least, query.most()) || found.size() > Math.min(most, query.most())) {
            return found.size() + " instead of " + least + " to " + most;
        }
        if (!found.isEmpty() && found.size() == query.most()) {
            Said last = found.getLast();
            UnitVector nearest = last.nearestTo(query.vector());
            for (Said said : candidates) {
                if (found.stream().noneMatch(each -> each.name().equals(said.name()))
                        && said.nearestTo(query.vector()).equals(nearest)
                        && Said.OLDEST_FIRST.compare(said, last) > 0) {
                    return said.name() + " is as near as the last and newer";
                }
            }
        }
        return null;
    }
}
