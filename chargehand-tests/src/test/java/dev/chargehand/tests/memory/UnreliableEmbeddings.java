package dev.chargehand.tests.memory;

import dev.chargehand.error.ModelException;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.model.Embeddings;
import dev.chargehand.model.HashedWords;
import dev.chargehand.run.Usage;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** An embedding model that finds common words, and fails for as long as a test wants. */
final class UnreliableEmbeddings implements EmbeddingModel {

    private final HashedWords words = new HashedWords();

    /** The texts that it was asked for. */
    final Queue<String> texts = new ConcurrentLinkedQueue<>();

    private volatile String name = "test/words-1";
    private volatile UnaryOperator<List<float[]>> change = vectors -> vectors;
    private volatile @Nullable CountDownLatch hold;
    private volatile boolean fails;
    private volatile Set<String> secrets = Set.of();
    private volatile @Nullable Usage usage = Usage.NONE;

    void fails(boolean value) {
        fails = value;
    }

    void keeps(String value) {
        secrets = Set.of(value);
    }

    void uses(@Nullable Usage value) {
        usage = value;
    }

    void changes(UnaryOperator<List<float[]>> value) {
        change = value;
    }

    void isNamed(String value) {
        name = value;
    }

    /** Answer only when the latch is open. */
    void holdsUntil(CountDownLatch latch) {
        hold = latch;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Set<String> secrets() {
        return secrets;
    }

    @Override
    public Embeddings embed(EmbeddingRequest request) throws InterruptedException {
        texts.addAll(request.texts());
        CountDownLatch latch = hold;
        if (latch != null) {
            latch.await();
        }
        if (fails) {
            throw new ModelException(ModelException.Kind.CONNECTION, "The embedding model is not reachable.", null);
        }
        Embeddings made = words.embed(request);
        return new Embeddings(change.apply(new ArrayList<>(made.vectors())), usage);
    }
}
