package dev.chargehand.internal.engine.history;

import dev.chargehand.internal.journal.Journal;
import dev.chargehand.run.AgentPath;
import dev.chargehand.run.RunId;
import dev.chargehand.store.Append;
import dev.chargehand.store.Appended;
import dev.chargehand.store.FactEntry;
import dev.chargehand.store.Store;
import dev.chargehand.store.TreeFact;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The facts of ended trees that their store has forgotten, for readers that were opened before the end and for the first one that comes after
 * it. The last 100 of all tenants are kept, if their facts are few and short. Thread-safe.
 */
public final class ForgottenTrees implements Journal.TreeEnd {

    private static final int MOST = 100;

    private static final int MOST_FACTS = 256;

    /** How many characters the facts of a tree have together, without the first one, which holds the input. */
    private static final int MOST_TEXT = 262_144;

    private final String tenantId;
    private final Map<Key, Tree> trees;

    private record Key(String tenantId, RunId root) {}

    /** A tree that has no facts here until it ends. */
    private record Tree(AgentPath path, List<TreeFact> facts) {}

    private static final class Last extends LinkedHashMap<Key, Tree> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Tree> eldest) {
            return size() > MOST;
        }
    }

    private ForgottenTrees(String tenantId, Map<Key, Tree> trees) {
        this.tenantId = tenantId;
        this.trees = trees;
    }

    /** Make those of a runtime, as its first tenant sees them. */
    public static ForgottenTrees of(String tenantId) {
        return new ForgottenTrees(tenantId, new Last());
    }

    /** Return the same as another tenant sees them. */
    public ForgottenTrees forTenant(String id) {
        return new ForgottenTrees(id, trees);
    }

    /** Keep the facts of a tree when it ends: a caller has the id of its root run and may read it then, or reads it now. */
    public void expect(RunId root, AgentPath path) {
        synchronized (trees) {
            trees.putIfAbsent(key(root), new Tree(path, List.of()));
        }
    }

    /** Return the agent of the root run of a tree whose facts are kept, or will be when it ends. */
    public Optional<AgentPath> path(RunId root) {
        return find(root).map(Tree::path);
    }

    /** Return whether a tree has ended and its facts are kept. */
    public boolean holds(RunId root) {
        return find(root).filter(tree -> !tree.facts().isEmpty()).isPresent();
    }

    /** Return the facts of an ended tree to a reader that was opened before its end; none if they are not kept, or were taken. */
    public List<TreeFact> read(RunId root) {
        return find(root).map(Tree::facts).orElse(List.of());
    }

    /** Return the facts of an ended tree, once; none if they are not kept. */
    public List<TreeFact> take(RunId root) {
        Tree kept = find(root).orElse(null);
        if (kept == null || kept.facts().isEmpty() || !remove(root, kept)) {
            return List.of();
        }
        return kept.facts();
    }

    /** Drop the facts of all ended trees of the tenant: some may be of what is deleted now. */
    public void drop() {
        synchronized (trees) {
            trees.entrySet()
                    .removeIf(each -> each.getKey().tenantId().equals(tenantId)
                            && !each.getValue().facts().isEmpty());
        }
    }

    /** The facts are kept before the store forgets them, so that a reader finds them at any time. */
    @Override
    public Appended append(Store store, RunId root, List<Append> appends) {
        Tree expected = find(root).orElse(null);
        if (expected == null) {
            return store.append(appends);
        }
        List<TreeFact> facts = whole(store.readTree(root, 0, MOST_FACTS + 1), appends);
        boolean kept = isShort(facts);
        if (kept) {
            put(root, new Tree(expected.path(), facts));
        }
        try {
            Appended appended = store.append(appends);
            boolean isWhole =
                    appended.treePosition() == facts.size(); // else another run of the tree stored something meanwhile
            if (!kept || !isWhole) {
                forget(root);
            }
            return appended;
        } catch (RuntimeException e) {
            put(root, expected);
            throw e;
        }
    }

    private static List<TreeFact> whole(List<TreeFact> stored, List<Append> last) {
        List<TreeFact> facts = new ArrayList<>(stored);
        for (Append append : last) {
            long index = append.expectedLength();
            for (FactEntry fact : append.facts()) {
                facts.add(new TreeFact(facts.size() + 1, append.runId(), index++, fact));
            }
        }
        return List.copyOf(facts);
    }

    private static boolean isShort(List<TreeFact> facts) {
        if (facts.size() > MOST_FACTS) {
            return false;
        }
        long text = 0;
        for (TreeFact fact : facts.subList(1, facts.size())) {
            text += fact.entry().text().length();
            if (text > MOST_TEXT) {
                return false;
            }
        }
        return true;
    }

    private Key key(RunId root) {
        return new Key(tenantId, root);
    }

    private Optional<Tree> find(RunId root) {
        synchronized (trees) {
            return Optional.ofNullable(trees.get(key(root)));
        }
    }

    private void put(RunId root, Tree tree) {
        synchronized (trees) {
            trees.put(key(root), tree);
        }
    }

    private void forget(RunId root) {
        synchronized (trees) {
            trees.remove(key(root));
        }
    }

    /** Remove a tree, unless another thread has. */
    private boolean remove(RunId root, Tree tree) {
        synchronized (trees) {
            return trees.remove(key(root), tree);
        }
    }
}
