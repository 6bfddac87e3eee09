package dev.chargehand.internal.memory;

import dev.chargehand.error.ChargehandException;
import dev.chargehand.error.ConfigurationException;
import dev.chargehand.internal.call.BoundedCalls;
import dev.chargehand.internal.call.CallSite;
import dev.chargehand.internal.call.Cancellation;
import dev.chargehand.internal.log.Redactor;
import dev.chargehand.internal.text.ReadableTime;
import dev.chargehand.model.EmbeddingModel;
import dev.chargehand.model.EmbeddingRequest;
import dev.chargehand.model.Embeddings;
import dev.chargehand.run.Usage;
import dev.chargehand.store.memory.UnitVector;
import dev.chargehand.store.memory.VectorSpace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Calls an embedding model within a time limit, and checks what it returns. Thread-safe. */
final class Embedder {

    private final EmbeddingModel model;
    private final Redactor redactor;
    private final String name;
    private final boolean symmetric;
    private final int passageRule;
    private final KnownVectors known = new KnownVectors();
    private volatile @Nullable VectorSpace space;

    /**
     * Make it for a model.
     *
     * @param passageRule the version of the rule by which what it embeds was split
     * @throws ConfigurationException if the model says that it has no dimensions
     */
    Embedder(EmbeddingModel model, int passageRule, Redactor redactor) {
        this.model = model;
        this.passageRule = passageRule;
        this.redactor = redactor;
        this.name = model.name();
        this.symmetric = model.symmetric();
        OptionalInt dimensions = model.dimensions();
        if (dimensions.isPresent()) {
            if (dimensions.getAsInt() < 1) {
                throw new ConfigurationException("The embedding model '" + name + "' says that its vectors have "
                        + dimensions.getAsInt() + " dimensions; it returns 1 or more, or empty if it does not know.");
            }
            space = spaceOf(dimensions.getAsInt());
        }
    }

    /**
     * The vectors of texts.
     *
     * @param space their space
     * @param vectors one for each text; empty for a text whose vector cannot be compared with others
     * @param usage what the model used
     */
    record Embedded(VectorSpace space, List<Optional<UnitVector>> vectors, Usage usage) {}

    /** An answer of the model, and how many dimensions it says that it has then. */
    private record Answer(@Nullable Embeddings embeddings, OptionalInt dimensions) {}

    /** Return the name of the model. */
    String name() {
        return name;
    }

    /** Return the space of the model's vectors; empty before its first answer, if the model does not say it. */
    Optional<VectorSpace> space() {
        return Optional.ofNullable(space);
    }

    /** Embed what is searched for; its vector is kept for a while, since the same text is to be found later. */
    Embedded query(String text, Duration limit, BoundedCalls calls, CallSite site, Cancellation cancellation)
            throws EmbeddingFailedException {
        Embedded embedded = embed(List.of(text), EmbeddingRequest.Kind.QUERY, limit, calls, site, cancellation);
        if (symmetric) {
            embedded.vectors().getFirst().ifPresent(vector -> known.keep(text, vector));
        }
        return embedded;
    }

    /** Embed what is to be found. */
    Embedded passages(List<String> texts, Duration limit, BoundedCalls calls, CallSite site, Cancellation cancellation)
            throws EmbeddingFailedException {
        VectorSpace now = space;
        List<Optional<UnitVector>> kept = texts.stream()
                .map(text -> now == null ? Optional.<UnitVector>empty() : known.find(text, now))
                .toList();
        List<String> unknown = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            if (kept.get(i).isEmpty()) {
                unknown.add(texts.get(i));
            }
        }
        if (now != null && unknown.isEmpty()) {
            return new Embedded(now, kept, Usage.NONE);
        }
        Embedded embedded = embed(unknown, EmbeddingRequest.Kind.PASSAGE, limit, calls, site, cancellation);
        if (unknown.size() < texts.size() && !embedded.space().equals(now)) {
            throw new EmbeddingFailedException(
                    "embedding-invalid: The embedding model '" + name
                            + "' returns vectors of other dimensions than before.",
                    embedded.usage());
        }
        Iterator<Optional<UnitVector>> made = embedded.vectors().iterator();
        List<Optional<UnitVector>> vectors = kept.stream()
                .map(vector -> vector.isPresent() ? vector : made.next())
                .toList();
        return new Embedded(embedded.space(), vectors, embedded.usage());
    }

    private Embedded embed(
            List<String> texts,
            EmbeddingRequest.Kind kind,
            Duration limit,
            BoundedCalls calls,
            CallSite site,
            Cancellation cancellation)
            throws EmbeddingFailedException {
        Answer answer;
        try {
            answer = calls.call(
                    site,
                    limit,
                    cancellation,
                    () -> new Answer(model.embed(new EmbeddingRequest(texts, kind, limit)), model.dimensions()));
        } catch (BoundedCalls.TimedOutException e) {
            throw new EmbeddingFailedException(
                    "The embedding model '" + name + "' did not answer within " + ReadableTime.of(limit) + ".");
        } catch (BoundedCalls.ThrewException e) {
            throw new EmbeddingFailedException("The embedding model '" + name + "' failed: " + described(e.thrown()));
        }
        return checked(texts, answer);
    }

    /** Without the provider's own words, which may quote a text. */
    private String described(Throwable thrown) {
        return thrown instanceof ChargehandException failure
                ? redactor.redact(failure.publicMessage())
                : redactor.words(thrown);
    }

    private Embedded checked(List<String> texts, Answer answered) throws EmbeddingFailedException {
        Embeddings answer = answered.embeddings();
        Usage usage = usage(answer);
        if (answer == null || answer.vectors().size() != texts.size()) {
            throw new EmbeddingFailedException(
                    "embedding-invalid: The embedding model '" + name + "' returned "
                            + (answer == null ? "null" : answer.vectors().size() + " vectors") + " for " + texts.size()
                            + " texts.",
                    usage);
        }
        int dimensions = answer.vectors().getFirst().length;
        if (dimensions == 0
                || answer.vectors().stream().anyMatch(vector -> vector.length != dimensions)
                || answered.dimensions().orElse(dimensions) != dimensions) {
            throw new EmbeddingFailedException(
                    "embedding-invalid: The embedding model '" + name
                            + "' returned vectors of other dimensions than it should: "
                            + answer.vectors().stream()
                                    .map(vector -> vector.length)
                                    .distinct()
                                    .toList() + ".",
                    usage);
        }
        VectorSpace of = spaceOf(dimensions);
        space = of;
        return new Embedded(of, answer.vectors().stream().map(UnitVector::of).toList(), usage);
    }

    /** A model may return null, although it should not. */
    private static Usage usage(@Nullable Embeddings answer) {
        @Nullable Usage usage = answer == null ? null : answer.usage();
        return usage == null ? Usage.NONE : usage;
    }

    private VectorSpace spaceOf(int dimensions) {
        return new VectorSpace(name, dimensions, passageRule);
    }
}
