package dev.chargehand.verify.memory;

import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.model.Embeddings;
import dev.chargehand.model.HashedWords;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;

/** An embedding model that takes some milliseconds, so that processes are killed and threads deleted meanwhile. */
final class SlowWords implements EmbeddingModel {

    private static final int MOST_MILLIS = 30;

    private final HashedWords words = new HashedWords();

    @Override
    public String name() {
        return "verify/slow-words";
    }

    @Override
    public OptionalInt dimensions() {
        return words.dimensions();
    }

    @Override
    public Embeddings embed(EmbeddingRequest request) throws InterruptedException {
        Thread.sleep(
                ThreadLocalRandom.current().nextInt(MOST_MILLIS)); // so that a kill or a deletion happens meanwhile
        return words.embed(request);
    }
}
