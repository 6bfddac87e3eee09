package dev.chargehand.testkit;

import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.model.Embeddings;
import dev.chargehand.model.HashedWords;
import dev.chargehand.run.Usage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An embedding model for tests: it returns the vectors of {@link HashedWords}, and fails, waits or returns others as its
 * script says. Each step of the script is for one call, in their order; after the last step it works again.
 *
 * <pre>{@code
 * ScriptedEmbeddings embeddings = new ScriptedEmbeddings()
 *         .thenFail(new ModelException(ModelException.Kind.OVERLOADED, "busy", null))
 *         .thenReturn(new float[] {1, 0}, new float[] {0, 1});
 * }</pre>
 *
 * <p>Thread-safe. Its dimensions are not known in advance, as those of a provider's model are not.
 */
public final class ScriptedEmbeddings implements EmbeddingModel {

    private static final EmbeddingModel WORDS = new HashedWords();

    private final String name;
    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Step> steps = new ArrayDeque<>();
    private final List<EmbeddingRequest> requests = new ArrayList<>();

    private interface Step {
        Embeddings answer(EmbeddingRequest request) throws InterruptedException;
    }

    /** Make a model with the name {@code scripted/embeddings}. */
    public ScriptedEmbeddings() {
        this("scripted/embeddings");
    }

    /** Make a model with this name; vectors of models with different names are never compared. */
    public ScriptedEmbeddings(String name) {
        this.name = name;
    }

    /** Fail the next call. */
    public ScriptedEmbeddings thenFail(RuntimeException failure) {
        return then(request -> {
            throw failure;
        });
    }

    /** Let the next call wait for a latch, or for an interrupt, before it is answered. */
    public ScriptedEmbeddings thenWait(CountDownLatch latch) {
        return then(request -> {
            latch.await();
            return WORDS.embed(request);
        });
    }

    /** Answer the next call with these vectors, which need not fit its texts. */
    public ScriptedEmbeddings thenReturn(float[]... vectors) {
        List<float[]> copies = List.of(vectors);
        return then(request -> new Embeddings(copies, Usage.NONE));
    }

    /** Answer the next call as it is usually answered. */
    public ScriptedEmbeddings thenAnswer() {
        return then(WORDS::embed);
    }

    /** Return the requests so far, in their order. */
    public List<EmbeddingRequest> requests() {
        lock.lock();
        try {
            return List.copyOf(requests);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Embeddings embed(EmbeddingRequest request) throws InterruptedException {
        return next(request).answer(request);
    }

    private Step next(EmbeddingRequest request) {
        lock.lock();
        try {
            requests.add(request);
            Step step = steps.poll();
            return step == null ? WORDS::embed : step;
        } finally {
            lock.unlock();
        }
    }

    private ScriptedEmbeddings then(Step step) {
        lock.lock();
        try {
            steps.add(step);
            return this;
        } finally {
            lock.unlock();
        }
    }
}
